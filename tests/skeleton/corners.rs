//! Rare cases: errors and payloads with destructors that act, parts in the wrong place, results that are
//! never read.

use pipes_skeleton::{BoxError, Cancel, FailureKind, Pipeline, Processed, Stage, from_iter, posted};
use pipes_tests::{DropCounter, caught, test_in, watched};
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
#[test_in(watched)]
fn a_failure_that_nobody_reads() {
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
}

/// Dropping a pipeline ignores its failure, even if the payload of the panic panics in its destructor.
#[test_in(watched)]
fn payloads_that_nobody_sees() {
    let drops = DropCounter::new();
    let bombs = || {
        let drops = drops.clone();
        from_iter(0..10_u64).sequential(move |n| -> u64 { panic_any(drops.make_panicking(n)) })
    };
    let dropped = caught(|| {
        drop(bombs().into_port());
        drop(bombs().into_iter());
        let (port, running) = bombs().into_port();
        assert_eq!(port.into_iter().count(), 0);
        drop(running);
        let bombs = drops.clone();
        let running = posted(|items: Pipeline<u64>| {
            items.sequential(move |n| -> u64 { panic_any(bombs.make_panicking(n)) })
        });
        let running = running.expect("it can be run");
        while running.post(1).is_ok() {}
        drop(running);
    });
    assert!(dropped.is_none());
}

/// A stage returns the error that another pipeline's end has given to its stage: it counts as an ordinary
/// failure.
#[test_in(watched)]
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

    let (keep, kept) = mpsc::channel();
    let mut came = 0;
    let ended = from_iter(0..).in_flight(1).stage(Keeper(keep)).for_each(|_| {
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
    assert!(matches!(failure.kind(), FailureKind::Error(_)));
}

/// An iterator over results can be cancelled even after all stages have ended.
#[test_in(watched)]
fn cancelled_at_the_very_end() {
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
    assert!(matches!(failure.kind(), FailureKind::Cancelled));
    assert!(numbers.next().is_none());
}

/// A failure that was reported is not replaced; a pipeline that has ended cannot be cancelled.
#[test_in(watched)]
fn outcomes_stay() {
    let mut running =
        posted(|items: Pipeline<u64>| items.sequential(|n| assert!(n != 1, "one"))).expect("it can be run");
    (0..2).for_each(|n| running.post(n).expect("it has not failed yet"));
    assert_eq!(running.end_and_wait().expect_err("it panics").panic_message(), Some("one"));
    let again = running.collect().expect_err("it has panicked");
    assert!(matches!(again.kind(), FailureKind::Reported));
    assert_eq!(again.to_string(), "stage 1 has failed (already reported)");

    let cancel = Cancel::new();
    let running = posted(|items: Pipeline<u64>| items.sequential(|n| n).cancelled_by(&cancel));
    let mut running = running.expect("it can be run");
    running.post(7).expect("it runs");
    running.end_and_wait().expect("none fails");
    cancel.cancel();
    assert_eq!(running.collect().expect("it is done"), [7]);
}
