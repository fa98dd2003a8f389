//! Rare cases: errors and payloads with destructors that act, parts in the wrong place, results that are
//! never read.

use pipes_skeleton::{
    BoxError, BuildError, Cancel, Cause, Metrics, Pipeline, Processed, Stage, filter, flat_map, from_iter,
    posted,
};
use pipes_tests::{Tally, caught, watched};
use std::fmt;
use std::panic::panic_any;
use std::sync::mpsc;

/// An error that looks at its pipeline's handle when it is dropped.
struct Curious(Cancel);

impl Drop for Curious {
    fn drop(&mut self) {
        assert!(!self.0.is_cancelled());
    }
}

impl fmt::Debug for Curious {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Curious")
    }
}

impl fmt::Display for Curious {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("curious")
    }
}

impl std::error::Error for Curious {}

/// A run has left a failure behind, which the next run with the same handle drops.
#[test]
fn a_failure_that_nobody_reads() {
    watched(|| {
        let cancel = Cancel::new();
        for _ in 0..20 {
            let error = cancel.clone();
            let (port, running) = from_iter(0..10_u64)
                .try_sequential(move |_| Err::<u64, _>(Curious(error.clone())))
                .cancelled_by(&cancel)
                .into_port();
            assert_eq!(port.into_iter().count(), 0);
            running.detach();
            let numbers = from_iter(0..10_u64).cancelled_by(&cancel).collect();
            assert_eq!(numbers.expect("none fails").len(), 10);
        }
    });
}

/// Dropping a pipeline ignores its failure, even if the payload of the panic panics in its destructor.
#[test]
fn payloads_that_nobody_sees() {
    watched(|| {
        let tally = Tally::new();
        let bombs = || {
            let tally = tally.clone();
            from_iter(0..10_u64).sequential(move |n| -> u64 { panic_any(tally.make_bomb(n)) })
        };
        let dropped = caught(|| {
            drop(bombs().into_port());
            drop(bombs().into_iter());
            let (port, running) = bombs().into_port();
            assert_eq!(port.into_iter().count(), 0);
            drop(running);
            let bombs = tally.clone();
            let running = posted(|items: Pipeline<u64>| {
                items.sequential(move |n| -> u64 { panic_any(bombs.make_bomb(n)) })
            });
            let running = running.expect("it can be run");
            while running.post(1).is_ok() {}
            drop(running);
        });
        assert!(dropped.is_none());
    });
}

/// The port is dropped while items come in and none comes out.
#[test]
fn a_port_dropped_while_nothing_comes_of_much() {
    watched(|| {
        for replicas in [1, 4] {
            let nothing = from_iter(0_u64..).parallel_with(replicas, |_| filter(|_: &u64| false));
            let (port, running) = nothing.into_port();
            drop(port);
            running.join().expect("nothing goes wrong");
        }
    });
}

/// Items that come out are counted, not those that they came from.
#[test]
fn what_comes_out_is_counted() {
    watched(|| {
        for (times, due) in [(0, 0), (1, 1000), (3, 3000)] {
            let several = move || flat_map(move |n: u64| vec![n; times]);
            let metrics = Metrics::new();
            let farm = from_iter(0..1000_u64).parallel_with(2, |_| several()).measured(&metrics);
            assert_eq!(farm.fold(0, |came, _| came + 1).expect("none fails"), due);
            assert_eq!(metrics.report().items(), due);
            let metrics = Metrics::new();
            let row = from_iter(0..1000_u64).stage(several()).measured(&metrics);
            assert_eq!(row.fold(0, |came, _| came + 1).expect("none fails"), due);
            assert_eq!(metrics.report().items(), due);
        }
    });
}

/// A stage returns the error that another pipeline's end has given to its stage: it counts as an ordinary
/// failure.
#[test]
fn an_end_that_is_not_its_own() {
    struct Keeper(mpsc::Sender<BoxError>);

    impl Stage<u64> for Keeper {
        type Out = u64;

        fn process(&mut self, n: u64, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
            loop {
                if let Err(end) = emit(n) {
                    return self.0.send(end).map_err(Into::into);
                }
            }
        }
    }

    watched(|| {
        let (keep, kept) = mpsc::channel();
        let mut came = 0;
        let ended = from_iter(0..).hand_over(1).stage(Keeper(keep)).for_each(|_| {
            came += 1;
            assert!(came < 5, "enough");
        });
        assert!(ended.is_err());
        let mut end = Some(kept.recv().expect("it was told"));
        let failure = from_iter(0..1000_u64)
            .try_sequential(move |n| if n == 100 { Err(end.take().expect("it is kept")) } else { Ok(n) })
            .collect()
            .expect_err("it fails");
        assert_eq!(failure.stage(), "stage 1");
        assert!(matches!(failure.cause(), Cause::Error(_)));
    });
}

/// The items of a farm's part go only to that part.
#[test]
fn parts_in_the_wrong_place() {
    #[track_caller]
    fn assert_refused<T: Send + fmt::Debug + 'static>(pipeline: Pipeline<T>, due: BuildError) {
        let failure = pipeline.collect().expect_err("it cannot be run");
        assert!(matches!(failure.cause(), Cause::Build(error) if *error == due), "{failure}");
    }

    watched(|| {
        let mut stash = None;
        let stolen = from_iter(0..3_u64).farm(1, |share| {
            stash = Some(share);
            from_iter(0..0_u64)
        });
        assert_refused(stolen, BuildError::NotAPart);
        let share = || stash.take().expect("it was stolen");
        let mut share = Some(share);
        let foreign = from_iter(0..3_u64).farm(1, |_| share.take().expect("once")().sequential(|n| n));
        assert_refused(foreign, BuildError::NotAPart);
        assert_refused(
            from_iter(0..9_u64).farm(2, |share| share.parallel(2, |n| n).in_order()),
            BuildError::OrderInFarm,
        );
        let others = posted(|_: Pipeline<u64>| from_iter(0..3_u64)).expect_err("nothing can be posted");
        assert!(matches!(others.cause(), Cause::Build(BuildError::NotAPart)));
    });
}

/// An iterator over results can be cancelled even after all stages have ended.
#[test]
fn cancelled_at_the_very_end() {
    watched(|| {
        let cancel = Cancel::new();
        let (say, said) = mpsc::channel::<()>();
        let mut numbers = from_iter((0..100_u64).inspect(move |_| {
            let _ = &say;
        }))
        .cancelled_by(&cancel)
        .into_iter();
        assert!(numbers.next().is_some_and(|first| first.is_ok_and(|n| n == 0)));
        // The source has ended, so its captures were dropped.
        assert!(said.recv().is_err());
        cancel.cancel();
        let failure = numbers.next().expect("it is told").expect_err("it was cancelled");
        assert!(matches!(failure.cause(), Cause::Cancelled));
        assert!(numbers.next().is_none());
    });
}

/// A stage waits for the end of its own pipeline, whose port was dropped.
#[test]
fn waiting_for_oneself_to_be_dropped() {
    watched(|| {
        let (hand, handle) = mpsc::channel::<pipes_skeleton::Running>();
        let (begin, begun) = mpsc::channel();
        let (say, said) = mpsc::channel();
        let (port, running) = from_iter(0..10_u64)
            .sequential(move |n| {
                if n == 0 {
                    begin.send(()).expect("it is heard");
                    let own = handle.recv().expect("it is handed over");
                    say.send(own.join().map_err(|failure| failure.to_string())).expect("it is heard");
                }
                n
            })
            .into_port();
        // If the port were dropped before the first item, the stage would never get one.
        begun.recv().expect("it begins");
        drop(port);
        hand.send(running).expect("it is taken");
        let told = said.recv().expect("it is told").expect_err("it cannot wait for itself");
        assert_eq!(told, "stage 1 waits for the end of its own pipeline");
    });
}
