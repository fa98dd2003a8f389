//! Pipelines that end before their source does: what the caller is told, and what becomes of the items on
//! their way.

use pipes_skeleton::{
    Cancel, Cause, Failure, Pipeline, Processed, Stage, flat_map, from_fn, from_iter, from_port, merge,
    posted, try_from_iter,
};
use pipes_tests::{Counted, Tally, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// The item at which something goes wrong.
const AT: u64 = 777;

/// How it goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrong {
    Panic,
    Error,
}

/// Where it goes wrong.
const PLACES: [&str; 6] = ["source", "before", "farm", "second", "ordered", "last"];

/// Lets the item through, unless it is the faulty item and `place` is the faulty place.
fn step(item: Counted, place: &str, wrong: Wrong, at: &str) -> Result<Counted, String> {
    if item.number == AT && place == at {
        match wrong {
            Wrong::Panic => panic!("panic at {place}"),
            Wrong::Error => return Err(format!("error at {place}")),
        }
    }
    Ok(item)
}

/// A pipeline with stages of all kinds, one of which goes wrong.
fn pipeline(tally: &Tally, wrong: Wrong, at: &'static str) -> Pipeline<Counted> {
    let tally = tally.clone();
    let source = (0..).map(move |n| step(tally.make(n), "source", wrong, at));
    try_from_iter(source)
        .try_sequential(move |item| step(item, "before", wrong, at))
        .named("before")
        .window(40)
        .try_parallel(2, move |item| step(item, "farm", wrong, at))
        .named("farm")
        .try_parallel(3, move |item| step(item, "second", wrong, at))
        .named("second")
        .in_order()
        .try_sequential(move |item| step(item, "ordered", wrong, at))
        .named("ordered")
        .try_sequential(move |item| step(item, "last", wrong, at))
        .named("last")
}

#[track_caller]
fn assert_failed(failure: &Failure, wrong: Wrong, at: &str) {
    assert_eq!(failure.stage(), at);
    match (failure.cause(), wrong) {
        (Cause::Panic(_), Wrong::Panic) => {
            assert_eq!(failure.panic_message(), Some(format!("panic at {at}").as_str()))
        }
        (Cause::Error(error), Wrong::Error) => assert_eq!(error.to_string(), format!("error at {at}")),
        _ => panic!("{failure:?} after {wrong:?}"),
    }
    assert!(failure.stuck().is_empty());
}

/// Wherever a stage goes wrong, the caller gets its name and its error, and all items are dropped. The items
/// that came out before came in order, once.
#[test]
fn a_stage_goes_wrong() {
    for wrong in [Wrong::Panic, Wrong::Error] {
        for at in PLACES {
            watched(move || {
                let tally = Tally::new();
                let mut next = 0;
                let failure = pipeline(&tally, wrong, at).for_each(|item| {
                    assert_eq!(item.number, next);
                    next += 1;
                });
                assert_failed(&failure.expect_err("it goes wrong"), wrong, at);
                assert!(next <= AT);
                tally.assert_all_gone();
            });
        }
    }
}

#[test]
fn a_sink_panics() {
    watched(|| {
        let tally = Tally::new();
        let failure =
            pipeline(&tally, Wrong::Panic, "nowhere").for_each(|item| assert!(item.number < 100, "enough"));
        let failure = failure.expect_err("it has panicked");
        assert_eq!((failure.stage(), failure.panic_message()), ("sink", Some("enough")));
        tally.assert_all_gone();
    });
}

/// The sinks that run by themselves, and an iterator, report it, too.
#[test]
fn every_sink_reports_it() {
    watched(|| {
        let tally = Tally::new();
        let (port, running) = pipeline(&tally, Wrong::Panic, "second").into_port();
        assert!(port.into_iter().zip(0..).all(|(item, n)| item.number == n));
        assert_failed(&running.join().expect_err("it goes wrong"), Wrong::Panic, "second");
        let last = pipeline(&tally, Wrong::Error, "farm").into_iter().last().expect("the failure");
        assert_failed(&last.expect_err("it goes wrong"), Wrong::Error, "farm");
        tally.assert_all_gone();
    });
}

/// If several stages fail at the same time, one failure is reported.
#[test]
fn one_failure_wins() {
    watched(|| {
        let failure = from_iter(0..1000_u64)
            .parallel(4, |n| -> u64 { panic!("at {n}") })
            .named("farm")
            .in_order()
            .collect()
            .expect_err("all go wrong");
        assert_eq!(failure.stage(), "farm");
        assert!(failure.panic_message().is_some_and(|message| message.starts_with("at ")));
    });
}

#[test]
fn what_panics_may_be_anything() {
    watched(|| {
        let failure =
            from_iter(0..9).sequential(|n: u64| std::panic::panic_any(n)).collect().expect_err("it panics");
        assert_eq!(failure.to_string(), "stage 1 panicked");
        let Cause::Panic(panic) = failure.into_cause() else { panic!("it panicked") };
        assert_eq!(panic.into_payload().downcast_ref(), Some(&0_u64));
    });
}

/// A destructor that panics: of an item in the pipeline, or of a stage.
#[test]
fn destructors_that_panic() {
    watched(|| {
        let tally = Tally::new();
        let maker = tally.clone();
        let failure = from_iter(0..100_u64)
            .sequential(move |n| if n == 50 { maker.make_bomb(n) } else { maker.make(n) })
            .parallel(2, |item| item.number)
            .named("drops")
            .collect()
            .expect_err("a destructor panics");
        assert_eq!(failure.stage(), "drops");
        tally.assert_all_gone();

        let bomb = Tally::new().make_bomb(1);
        let failure = from_iter(0..10_u64).sequential(move |n| {
            let bomb = &bomb;
            n + bomb.number
        });
        let failure = failure.collect().expect_err("it panics");
        assert_eq!(failure.stage(), "stage 1");
    });
}

#[test]
fn cancelled_from_outside() {
    for before in [true, false] {
        watched(move || {
            let tally = Tally::new();
            let cancel = Cancel::new();
            if before {
                cancel.cancel();
            }
            let canceller = cancel.clone();
            let stopped =
                pipeline(&tally, Wrong::Panic, "nowhere").cancelled_by(&cancel).for_each(move |item| {
                    if item.number == 300 {
                        canceller.cancel();
                    }
                });
            let failure = stopped.expect_err("it has no end");
            assert!(matches!(failure.cause(), Cause::Cancelled));
            assert_eq!(failure.to_string(), "the pipeline was cancelled");
            assert!(cancel.is_cancelled());
            tally.assert_all_gone();
        });
    }
}

/// One handle cancels several pipelines; one that has ended is not affected.
#[test]
fn one_handle_for_several() {
    watched(|| {
        let cancel = Cancel::new();
        assert_eq!(from_iter(0..3).cancelled_by(&cancel).collect().expect("it ends before"), [0, 1, 2]);
        let others: Vec<_> = (0..3)
            .map(|_| {
                let endless = from_iter(0_u64..).parallel(2, |n| n).cancelled_by(&cancel);
                std::thread::spawn(move || endless.for_each(drop))
            })
            .collect();
        cancel.cancel();
        for other in others {
            let failure = other.join().expect("no panic here").expect_err("it has no end");
            assert!(matches!(failure.cause(), Cause::Cancelled));
        }
    });
}

/// Dropping the results of a pipeline ends it, and waits until all items are dropped.
#[test]
fn dropped_in_the_middle() {
    for taken in [0, 1, 100] {
        watched(move || {
            let tally = Tally::new();
            let mut items = pipeline(&tally, Wrong::Panic, "nowhere").into_iter();
            assert_eq!(items.by_ref().take(taken).count(), taken);
            drop(items);
            tally.assert_all_gone();

            let (mut port, running) = pipeline(&tally, Wrong::Panic, "nowhere").into_port();
            (0..taken).for_each(|_| drop(port.recv().expect("it has no end")));
            drop(port);
            running.join().expect("nothing goes wrong");
            tally.assert_all_gone();

            let (port, running) = pipeline(&tally, Wrong::Panic, "nowhere").into_port();
            drop(running);
            drop(port);
            tally.assert_all_gone();
        });
    }
}

/// Ends at any moment: with a source that has ended, nearly, or is far from its end.
#[test]
fn at_any_moment() {
    watched(|| {
        for round in 0..300_u64 {
            let tally = Tally::new();
            let maker = tally.clone();
            let done = Arc::new(AtomicU64::new(0));
            let counter = done.clone();
            let running = posted(move |items: Pipeline<u64>| {
                items
                    .window(1 + (round % 9) as usize)
                    .parallel(2, move |n| maker.make(n))
                    .parallel(2, move |item| {
                        assert!(item.number != round, "now");
                        item
                    })
                    .ordered(move |item| {
                        counter.fetch_add(1, SeqCst);
                        item
                    })
            });
            let running = running.expect("it can be run");
            let posted = (0..100).take_while(|n| running.post(*n).is_ok()).count() as u64;
            match running.collect() {
                Ok(items) => {
                    assert!(round >= 100 && posted == 100);
                    assert!(items.iter().map(|item| item.number).eq(0..100));
                }
                Err(failure) => assert_eq!(failure.panic_message(), Some("now"), "{round} {posted}"),
            }
            assert!(
                round >= 100 || done.load(SeqCst) <= round,
                "in order, nothing comes after what is missing"
            );
            tally.assert_all_gone();
        }
    });
}

/// One item has infinitely many results: the stage that emits them learns that no more are taken.
#[test]
fn an_item_without_end() {
    let endless = |replicas: usize, cancel: &Cancel| {
        let numbers = from_iter([()]).cancelled_by(cancel);
        match replicas {
            0 => numbers.flat_map(|()| 0_u64..),
            replicas => {
                numbers.parallel_with(replicas, |_| flat_map(|()| std::iter::repeat(()))).sequential(|()| 0)
            }
        }
    };
    watched(move || {
        let cancel = Cancel::new();
        let stopped = endless(0, &cancel).for_each(|n| assert!(n < 1000, "enough"));
        assert_eq!(stopped.expect_err("it has no end").panic_message(), Some("enough"));
        assert_eq!(endless(0, &cancel).into_iter().take(10).filter(Result::is_ok).count(), 10);
        for replicas in [1, 2] {
            let running = endless(replicas, &cancel).into_port();
            drop(running);
        }
        let both = merge([
            endless(2, &cancel),
            from_fn({
                let cancel = cancel.clone();
                move || {
                    cancel.cancel();
                    Some(1)
                }
            }),
        ]);
        let failure = both.collect().expect_err("it was cancelled");
        assert!(matches!(failure.cause(), Cause::Cancelled) && failure.stuck().is_empty(), "{failure:?}");
    });
}

/// A stage may replace the error of `emit` by one of its own, or ignore it and go on.
#[test]
fn a_stage_that_makes_much_of_the_end() {
    struct Loud(Tally);

    impl Stage<u64> for Loud {
        type Out = Counted;

        fn process(&mut self, n: u64, emit: &mut impl FnMut(Counted) -> Processed) -> Processed {
            let twice = emit(self.0.make(n)).and(emit(self.0.make(n)));
            if n.is_multiple_of(2) {
                twice.map_err(|error| format!("no room: {error}").into())
            } else {
                Ok(())
            }
        }
    }

    watched(|| {
        let tally = Tally::new();
        let failure = from_iter(0..)
            .stage(Loud(tally.clone()))
            .hand_over(1)
            .for_each(|item| assert!(item.number < 50, "enough"));
        let failure = failure.expect_err("it has no end");
        assert_eq!((failure.stage(), failure.panic_message()), ("sink", Some("enough")));
        assert!(failure.stuck().is_empty());
        tally.assert_all_gone();
    });
}

/// A port that is dropped ends the pipeline even if its source never gives an item.
#[test]
fn a_port_dropped_before_an_item() {
    watched(|| {
        let (chan, quiet) = pipes::stream::<u64>();
        for _ in 0..20 {
            let (_chan, quiet) = pipes::stream::<u64>();
            let (port, running) = from_port(quiet).parallel(2, |n| n).in_order().into_port();
            let dropping = std::thread::spawn(move || drop(port));
            running.join().expect("nothing goes wrong");
            dropping.join().expect("no panic here");
        }
        let (port, running) = from_port(quiet).into_port();
        drop((port, chan));
        running.join().expect("nothing goes wrong");
    });
}

/// Several replicas panic, and the payloads panic when they are dropped.
#[test]
fn late_payloads() {
    watched(|| {
        let bomb = Tally::new();
        for round in 0..50 {
            let bombs = bomb.clone();
            let failure = from_iter(0..100_u64)
                .parallel(4, move |n| -> u64 { std::panic::panic_any(bombs.make_bomb(n)) })
                .named("farm")
                .collect()
                .expect_err("all go wrong");
            assert_eq!(failure.stage(), "farm", "{round}");
            assert!(failure.stuck().is_empty());
            // The failure is the caller's, who must not drop the payload.
            std::mem::forget(failure);
        }
    });
}
