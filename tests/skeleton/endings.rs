//! Pipelines that end before their source does: what the caller is told, and what becomes of the items on
//! their way.

use pipes_skeleton::{Cancel, FailureKind, Processed, Stage, flat_map, from_fn, from_iter, merge};
use pipes_tests::{Counted, DropCounter, test_in, watched};
use std::sync::mpsc::{Receiver, Sender, channel};

#[test_in(watched)]
fn what_panics_may_be_anything() {
    let failure =
        from_iter(0..9).sequential(|n: u64| std::panic::panic_any(n)).collect().expect_err("it panics");
    assert_eq!(failure.to_string(), "stage 1 panicked");
    let FailureKind::Panic(panic) = failure.into_kind() else { panic!("it panicked") };
    assert_eq!(panic.into_payload().downcast_ref(), Some(&0_u64));
}

/// A destructor that panics: of an item in the pipeline, or of a stage.
#[test_in(watched)]
fn destructors_that_panic() {
    let drops = DropCounter::new();
    let maker = drops.clone();
    let failure = from_iter(0..100_u64)
        .sequential(move |n| if n == 50 { maker.make_panicking(n) } else { maker.make(n) })
        .parallel(2, |item| item.number)
        .named("drops")
        .collect()
        .expect_err("a destructor panics");
    assert_eq!(failure.stage(), "drops");
    drops.assert_all_dropped();

    let bomb = DropCounter::new().make_panicking(1);
    let failure = from_iter(0..10_u64).sequential(move |n| {
        let bomb = &bomb;
        n + bomb.number
    });
    let failure = failure.collect().expect_err("it panics");
    assert_eq!(failure.stage(), "stage 1");
}

/// One handle cancels several pipelines; one that has ended is not affected.
#[test_in(watched)]
fn one_handle_for_several() {
    let cancel = Cancel::new();
    assert_eq!(from_iter(0..3_u64).cancelled_by(&cancel).collect().expect("it ends before"), [0, 1, 2]);
    let others: Vec<_> = (0..3)
        .map(|_| {
            let endless = from_iter(0_u64..).parallel(2, |n| n).cancelled_by(&cancel);
            std::thread::spawn(move || endless.for_each(drop))
        })
        .collect();
    cancel.cancel();
    for other in others {
        let failure = other.join().expect("no panic here").expect_err("it has no end");
        assert!(matches!(failure.kind(), FailureKind::Cancelled));
    }
}

/// One item has infinitely many results: the stage that emits them learns that no more are taken.
#[test_in(watched)]
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
    assert!(matches!(failure.kind(), FailureKind::Cancelled) && failure.stuck().is_empty(), "{failure:?}");
}

/// A stage may replace the error of `emit` by one of its own, or ignore it and go on.
#[test_in(watched)]
fn a_stage_that_makes_much_of_the_end() {
    struct Loud(DropCounter);

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

    let drops = DropCounter::new();
    let failure = from_iter(0..)
        .stage(Loud(drops.clone()))
        .in_flight(1)
        .for_each(|item| assert!(item.number < 50, "enough"));
    let failure = failure.expect_err("it has no end");
    assert_eq!((failure.stage(), failure.panic_message()), ("sink", Some("enough")));
    assert!(failure.stuck().is_empty());
    drops.assert_all_dropped();
}

/// A stage panics while the one before it processes an item. That one does not notice it, and sends a result
/// that nothing receives.
#[test_in(watched)]
fn a_result_that_is_refused_is_dropped() {
    struct Careless {
        drops: DropCounter,
        begins: Sender<()>,
        next_leaves: Receiver<()>,
    }

    impl Stage<u64> for Careless {
        type Out = Counted;

        fn process(&mut self, n: u64, emit: &mut impl FnMut(Counted) -> Processed) -> Processed {
            if n == 1 {
                self.begins.send(()).expect("the next stage waits");
                assert!(self.next_leaves.recv().is_err());
            }
            let _ignored = emit(self.drops.make(n));
            Ok(())
        }
    }

    let drops = DropCounter::new();
    let ((begins, has_begun), (stays, next_leaves)) = (channel(), channel());
    let mut first = Some(Careless { drops: drops.clone(), begins, next_leaves });
    let mut second = Some(move |_: Counted| -> u64 {
        // Dropped with the stage, after the stage's input.
        let _stays = &stays;
        has_begun.recv().expect("there is another item");
        panic!("enough")
    });
    let failure = from_iter(0..2)
        .parallel_with(1, |_| first.take().expect("one is asked for"))
        .parallel_with(1, |_| second.take().expect("one is asked for"))
        .collect()
        .expect_err("it panics");
    assert_eq!(failure.panic_message(), Some("enough"));
    drops.assert_all_dropped();
}
