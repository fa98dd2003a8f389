//! Paces: items never come before they are due, however the rate changes.

use pipes_skeleton::{Cancel, ImpossibleRate, Pace, from_iter};
use pipes_tests::watched;
use std::sync::mpsc;
use std::time::{Duration, Instant};

#[test]
fn never_too_early() {
    watched(|| {
        let pace = Pace::new(20_000.0).expect("it can be kept");
        let begin = Instant::now();
        let times = from_iter(0..1000_u32).paced(&pace).sequential(|n| (n, Instant::now())).collect();
        for (n, time) in times.expect("none fails") {
            assert!(time - begin >= Duration::from_micros(50) * n, "item {n}");
        }
    });
}

/// At rate 0 nothing comes; a change takes effect at once.
#[test]
fn changed_while_it_waits() {
    watched(|| {
        let pace = Pace::new(0.0).expect("it can be kept");
        let handle = pace.clone();
        let (ask, asked) = mpsc::channel();
        let source = (0..100_u64).inspect(move |n| {
            if *n == 3 {
                // No item was let through: the stage waits or is about to.
                ask.send(()).expect("somebody listens");
            }
        });
        let run = std::thread::spawn(move || from_iter(source).paced(&pace).collect());
        asked.recv().expect("the source runs");
        handle.set(1e9).expect("it can be kept");
        assert!(run.join().expect("no panic").expect("none fails").into_iter().eq(0..100));
    });
}

/// A wait can be cancelled even if it is practically infinite.
#[test]
fn cancelled_while_it_waits() {
    for rate in [1e-6, 1e-18, f64::from_bits(1)] {
        watched(move || {
            let cancel = Cancel::new();
            let pace = Pace::new(rate).expect("it can be kept");
            let mut items = from_iter(0..9).paced(&pace).cancelled_by(&cancel).into_iter();
            assert_eq!(items.next().expect("the first is due at once").expect("none fails"), 0);
            cancel.cancel();
            let failure = items.next().expect("the failure").expect_err("cancelled");
            assert!(failure.stuck().is_empty(), "{rate}");
        });
    }
}

#[test]
fn impossible() {
    assert_eq!(Pace::new(f64::NAN).map(drop), Err(ImpossibleRate));
    let pace = Pace::new(1.0).expect("it can be kept");
    assert_eq!(pace.set(-1.0), Err(ImpossibleRate));
}
