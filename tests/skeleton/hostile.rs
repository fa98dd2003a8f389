//! Unusual uses, and mistakes.

use pipes_skeleton::{
    Batching, BuildError, Cancel, Cause, Metrics, Pipeline, flat_map, from_iter, from_port, merge, posted,
};
use pipes_tests::{Tally, caught, watched};
use std::future::pending;
use std::ops::ControlFlow::{Break, Continue};
use std::time::Duration;

/// A batch that was open before an age was set is emitted at that age.
#[test]
fn an_age_for_an_open_batch() {
    watched(|| {
        let (mut chan, port) = pipes::stream();
        let batching = Batching::of(1000);
        let mut batches = from_port(port).batched(&batching).into_iter();
        chan.send(1).expect("it is received");
        batching.set_age(Some(Duration::from_millis(3)));
        assert_eq!(batches.next().expect("it goes on").expect("none fails"), [1]);
    });
}

/// Nested feedback, where an item of the outer one becomes two.
#[test]
fn rounds_within_rounds() {
    watched(|| {
        let found = from_iter(0..50_u64)
            .sequential(|n| (n, 0))
            .feedback(|outer| {
                outer
                    .feedback(|inner| {
                        inner.sequential(|(n, depth): (u64, u32)| (n, depth, 0)).feedback(|again| {
                            again.parallel(2, |(n, depth, turns)| {
                                if turns < 3 {
                                    Continue((n, depth, turns + 1))
                                } else {
                                    Break(Break((n, depth)))
                                }
                            })
                        })
                    })
                    .parallel_with(2, |_| {
                        flat_map(|(n, depth): (u64, u32)| match depth {
                            0 => vec![Continue((n, 1)), Continue((n, 1))],
                            _ => vec![Break(n)],
                        })
                    })
            })
            .in_order();
        assert!(found.collect().expect("none fails").into_iter().eq((0..50).flat_map(|n| [n, n])));
    });
}

#[test]
fn a_round_at_the_beginning_of_a_part() {
    watched(|| {
        let farm = from_iter(0..50_u64).farm(2, |share| {
            share.feedback(|again| again.sequential(|n| if n < 100 { Continue(n + 100) } else { Break(n) }))
        });
        assert!(farm.in_order().collect().expect("none fails").into_iter().eq(100..150));
    });
}

/// A key function that panics ends the pipeline with the name of its stage; a post that fails says so.
#[test]
fn keys_that_panic() {
    watched(|| {
        let bad = |n: &u64| {
            assert!(*n != 3, "three");
            *n
        };
        let failure =
            from_iter(0..10_u64).keyed(2, bad, |n| n).named("keyed").collect().expect_err("it panics");
        assert_eq!((failure.stage(), failure.panic_message()), ("keyed", Some("three")));

        let running = posted(|items: Pipeline<u64>| items.keyed(2, bad, |n| n).named("keyed").in_order());
        let running = running.expect("it can be run");
        let taken = (0..10).take_while(|n| running.post(*n).is_ok()).count();
        assert_eq!(taken, 3);
        assert_eq!(running.collect().expect_err("it has panicked").stage(), "keyed");
    });
}

/// A name behind a farm names the last stage of every replica; metrics of one merged part count the whole
/// pipeline.
#[test]
fn what_is_said_of_parts() {
    watched(|| {
        for bad in 0..4 {
            let farm = from_iter(0..4_u64)
                .farm(2, move |share| share.sequential(move |n| assert!(n != bad)))
                .named("work");
            assert_eq!(farm.collect().expect_err("it panics").stage(), "work");
        }
        let metrics = Metrics::new();
        let parts = [from_iter(0..5).measured(&metrics), from_iter(5..9)];
        assert_eq!(merge(parts).collect().expect("none fails").len(), 9);
        assert_eq!(metrics.report().items(), 9);
    });
}

/// A part that is not built from the pipeline that was given.
#[test]
fn parts_that_are_none() {
    let is_none = |found: Result<Vec<u64>, pipes_skeleton::Failure>| {
        let failure = found.expect_err("it cannot be run");
        assert!(matches!(failure.cause(), Cause::Build(BuildError::NotAPart)), "{failure}");
    };
    is_none(from_iter(0..9).farm(2, |_| from_iter(0..3)).collect());
    is_none(from_iter(0..9).farm(2, |_| from_iter(0..3).parallel(2, |n| n)).collect());
    is_none(from_iter(0..9_u64).feedback(|_| from_iter(0..3).sequential(Break)).collect());
    is_none(from_iter(0..9).farm(2, |share| merge([share.sequential(|n| n)])).collect());
    let mut inside = None;
    let outside = from_iter(0..9).farm(1, |share| {
        inside = Some(share.sequential(|n| n).collect());
        from_iter(0..3)
    });
    is_none(outside.collect());
    is_none(inside.expect("it was tried"));
}

/// A failure that was reported is not replaced; a pipeline that has ended cannot be cancelled.
#[test]
fn outcomes_stay() {
    watched(|| {
        let mut running = posted(|items: Pipeline<u64>| items.sequential(|n| assert!(n != 1, "one")))
            .expect("it can be run");
        (0..2).for_each(|n| running.post(n).expect("it has not failed yet"));
        assert_eq!(running.end_and_wait().expect_err("it panics").panic_message(), Some("one"));
        let again = running.collect().expect_err("it has panicked");
        assert!(matches!(again.cause(), Cause::Reported));
        assert_eq!(again.to_string(), "stage 1 has failed (already reported)");

        let cancel = Cancel::new();
        let running = posted(|items: Pipeline<u64>| items.sequential(|n| n).cancelled_by(&cancel));
        let mut running = running.expect("it can be run");
        running.post(7).expect("it runs");
        running.end_and_wait().expect("none fails");
        cancel.cancel();
        assert_eq!(running.collect().expect("it is done"), [7]);
    });
}

/// A future panics, and the destructor of another one does: both belong to the same stage, whose failure is
/// reported.
#[test]
fn futures_and_destructors_that_panic() {
    watched(|| {
        let tally = Tally::new();
        let maker = tally.clone();
        let failure = from_iter(0..2_u64)
            .concurrent(2, move |n| {
                let bomb = (n == 0).then(|| maker.make_bomb(n));
                async move {
                    assert!(n == 0, "future");
                    pending::<()>().await;
                    drop(bomb);
                }
            })
            .named("waits")
            .collect()
            .expect_err("it panics");
        assert_eq!((failure.stage(), failure.panic_message()), ("waits", Some("future")));
        tally.assert_all_gone();
    });
}

/// A pipeline in a stage of another one, and one that its own stage cancels.
#[test]
fn pipelines_in_stages() {
    watched(|| {
        let sums = from_iter(1..=20_u64)
            .parallel(2, |n| from_iter(1..=n).parallel(2, |n| n).fold(0, |sum, n| sum + n));
        let sums = sums.try_sequential(|sum| sum).in_order().collect().expect("none fails");
        assert_eq!(sums.iter().sum::<u64>(), (1..=20).map(|n| n * (n + 1) / 2).sum());
        let cancel = Cancel::new();
        let own = cancel.clone();
        let endless = from_iter(0_u64..)
            .sequential(move |n| {
                if n == 100 {
                    own.cancel()
                }
            })
            .cancelled_by(&cancel);
        assert!(matches!(endless.collect().expect_err("it has no end").cause(), Cause::Cancelled));
    });
}

/// A port whose limit is larger than any memory.
#[test]
fn a_wide_port() {
    watched(|| {
        let (port, running) = from_iter(0..10_000_u64).hand_over(usize::MAX).into_port();
        assert!(port.into_iter().eq(0..10_000));
        running.join().expect("none fails");
        assert!(caught(|| from_iter(0..3).hand_over(usize::MAX).collect()).is_none());
    });
}
