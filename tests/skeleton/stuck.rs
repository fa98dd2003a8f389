//! Endings while user code does not return, and while there is nothing to do.

use pipes_skeleton::{Cancel, Cause, Pipeline, from_fn, from_iter, from_port, posted};
use pipes_tests::watched;
use std::sync::{Arc, Barrier, Mutex, mpsc};

/// A source that gives some items and then does not return until the sender is dropped. It meets the test at
/// the barrier when it is about to get stuck: before that, the library could still stop it.
fn stuck_source(items: u64) -> (mpsc::Sender<()>, Arc<Barrier>, Pipeline<u64>) {
    let (keep, gate) = mpsc::channel();
    let both = Arc::new(Barrier::new(2));
    let stuck = both.clone();
    let mut next = 0;
    let source = from_fn(move || {
        if next == items {
            stuck.wait();
            let _ = gate.recv();
            return None;
        }
        next += 1;
        Some(next - 1)
    });
    (keep, both, source)
}

/// A panic reaches the caller although the source does not return; the failure names the source.
#[test]
fn the_source_is_stuck() {
    watched(|| {
        let (_keep, both, source) = stuck_source(10);
        let failure = source
            .parallel(2, move |n| {
                if n == 9 {
                    both.wait();
                    panic!("nine");
                }
            })
            .in_order()
            .collect()
            .expect_err("it panics");
        assert_eq!((failure.stage(), failure.panic_message()), ("stage 1", Some("nine")));
        assert_eq!(failure.stuck(), ["source"]);
    });
}

#[test]
fn a_stage_is_stuck() {
    watched(|| {
        let (_keep, gate) = mpsc::channel::<()>();
        let both = Arc::new(Barrier::new(2));
        let stuck = both.clone();
        let failure = from_iter(0..10_u64)
            .sequential(move |n| {
                if n == 5 {
                    stuck.wait();
                    let _ = gate.recv();
                }
                n
            })
            .named("stuck")
            .parallel(2, move |n| {
                if n == 4 {
                    both.wait();
                    panic!("four");
                }
            })
            .collect()
            .expect_err("it panics");
        assert_eq!((failure.panic_message(), failure.stuck()), (Some("four"), &["stuck".to_owned()][..]));
    });
}

/// A sink in a thread of its own does not return: `join` reports the panic.
#[test]
fn a_sink_is_stuck() {
    watched(|| {
        let (_keep, gate) = mpsc::channel::<()>();
        let both = Arc::new(Barrier::new(2));
        let stuck = both.clone();
        let running = posted(|items: Pipeline<u64>| {
            items
                .parallel(2, move |n| {
                    if n == 3 {
                        both.wait();
                        panic!("three");
                    }
                    n
                })
                .sequential(move |n| {
                    if n == 0 {
                        stuck.wait();
                        let _ = gate.recv();
                    }
                })
                .named("stuck")
        });
        let running = running.expect("it can be run");
        (0..4).for_each(|n| running.post(n).expect("it has not failed before the last"));
        let failure = running.collect().expect_err("it panics");
        assert_eq!((failure.panic_message(), failure.stuck()), (Some("three"), &["stuck".to_owned()][..]));
    });
}

/// A poster waits for room behind a stuck sink when another stage panics.
#[test]
fn a_poster_behind_a_stuck_sink() {
    watched(|| {
        let (_keep, gate) = mpsc::channel::<()>();
        let (ready, when_ready) = mpsc::channel::<()>();
        let when_ready = Arc::new(Mutex::new(when_ready));
        let running = posted(|items: Pipeline<u64>| {
            items
                .window(3)
                .parallel(2, move |n| {
                    if n == 1 {
                        // The sink is stuck, and the poster waits, or is about to.
                        when_ready.lock().unwrap().recv().expect("the sink is there");
                        panic!("one");
                    }
                    n
                })
                .sequential(move |_| {
                    let _ = ready.send(());
                    let _ = gate.recv();
                })
                .named("stuck")
        });
        let running = running.expect("it can be run");
        let refused = (0..).find(|n| running.post(*n).is_err());
        assert!(refused.is_some_and(|n| n <= 4));
        assert_eq!(running.collect().expect_err("it panics").panic_message(), Some("one"));
    });
}

/// All stages wait for items that do not come, and a cancel ends them at once: none is stuck.
#[test]
fn nothing_to_do() {
    watched(|| {
        let (chan, port) = pipes::stream::<u64>();
        let cancel = Cancel::new();
        let idle = from_port(port).sequential(|n| n).parallel(3, |n| n).parallel(2, |n| n).in_order();
        let idle = idle.sequential(|n| n).cancelled_by(&cancel);
        let run = std::thread::spawn(move || idle.collect());
        cancel.cancel();
        let failure = run.join().expect("no panic here").expect_err("cancelled");
        assert!(matches!(failure.cause(), Cause::Cancelled));
        assert!(failure.stuck().is_empty());
        drop(chan);
    });
}

/// The port of a pipeline is full, and is not read.
#[test]
fn an_unread_port() {
    watched(|| {
        let cancel = Cancel::new();
        let (port, running) =
            from_iter(0_u64..).parallel(2, |n| n).in_order().cancelled_by(&cancel).into_port();
        while !port.is_ready() {
            std::thread::yield_now();
        }
        cancel.cancel();
        let failure = running.join().expect_err("cancelled");
        assert!(matches!(failure.cause(), Cause::Cancelled));
        assert!(failure.stuck().is_empty());
        assert!(port.into_iter().zip(0..).all(|(item, n)| item == n));
    });
}

/// Stages that were left behind end when they return.
#[test]
fn the_stuck_come_back() {
    watched(|| {
        let (keep, both, source) = stuck_source(1);
        let (gone, when_gone) = mpsc::channel::<()>();
        let failure = source
            .sequential(move |n| {
                let _ = &gone;
                if n == 0 {
                    both.wait();
                    panic!("nought");
                }
            })
            .collect()
            .expect_err("it panics");
        assert_eq!(failure.stuck(), ["source"]);
        assert!(when_gone.recv().is_err(), "the stage has gone");
        drop(keep);
    });
}
