//! Values that a failure owns and that no caller takes: they must be dropped with the run that has failed.

use pipes_skeleton::{Cancel, Cause, Pipeline, from_iter, posted};
use pipes_tests::{Counted, Tally, caught, watched};
use std::error::Error;
use std::fmt;
use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread;

/// An error that owns a value.
#[derive(Debug)]
#[expect(dead_code, reason = "it is there to be dropped")]
struct Owns(Counted);

impl fmt::Display for Owns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("owns")
    }
}

impl Error for Owns {}

/// Runs a detached pipeline to its end, and waits until the values that its failure owns are dropped.
fn fails_alone(pipeline: Pipeline<u64>, tally: &Tally) {
    let (port, running) = pipeline.into_port();
    running.detach();
    assert_eq!(port.into_iter().count(), 0);
    while tally.gone() < tally.made() {
        thread::yield_now();
    }
    tally.assert_all_gone();
}

#[test]
fn an_error_that_is_not_taken() {
    watched(|| {
        let (tally, cancel) = (Tally::new(), Cancel::new());
        let maker = tally.clone();
        let fails = move |number: u64| -> Result<u64, Owns> { Err(Owns(maker.make(number))) };
        // The second run uses the same `Cancel`, which then releases the first run.
        for _ in 0..2 {
            let pipeline = from_iter(0..3).try_sequential(fails.clone());
            let (port, running) = pipeline.cancelled_by(&cancel).into_port();
            assert_eq!(port.into_iter().count(), 0);
            running.join().expect_err("it fails");
        }
        tally.assert_all_gone();
        fails_alone(from_iter(0..3).try_sequential(fails), &tally);
    });
}

/// All replicas panic at the same moment, each with a value. One of the panics is reported, and the other
/// values must be dropped.
#[test]
fn panics_that_own() {
    watched(|| {
        for _ in 0..10 {
            let (tally, all) = (Tally::new(), Arc::new(Barrier::new(3)));
            let maker = tally.clone();
            let panics = move |number: u64| -> u64 {
                all.wait();
                panic_any(maker.make(number))
            };
            let failure = from_iter(0..9).parallel(3, panics).collect().expect_err("they panic");
            let Cause::Panic(panic) = failure.into_cause() else { panic!("they panic") };
            assert_eq!((tally.made(), tally.gone()), (3, 2));
            assert!(panic.into_payload().is::<Counted>());
            tally.assert_all_gone();
        }
    });
}

/// Signals that it is dropped, and panics.
struct Farewell(Sender<()>);

impl Drop for Farewell {
    fn drop(&mut self) {
        self.0.send(()).expect("the stage waits for it");
        panic!("on purpose");
    }
}

/// The end of a pipeline must wait for its stages, also if the destructor of its scheduling function panics.
#[test]
fn a_key_that_panics_as_it_goes() {
    watched(|| {
        let (told, gone) = channel();
        let (farewell, is_done) = (Farewell(told), Arc::new(AtomicBool::new(false)));
        let done = is_done.clone();
        let mut gone = Some(gone);
        let (begins, begun) = channel();
        let running = posted(|items: Pipeline<u64>| {
            let key = move |_: &u64, _: usize| {
                let _farewell = &farewell;
                0
            };
            items.scheduled_with(1, key, |_| {
                let (gone, done) = (gone.take().expect("there is one replica"), done.clone());
                let begins = begins.clone();
                move |number| {
                    begins.send(()).expect("that is waited for");
                    gone.recv().expect("it goes");
                    // A caller that does not wait for this stage would be faster.
                    (0..3).for_each(|_| thread::yield_now());
                    done.store(true, Ordering::SeqCst);
                    number
                }
            })
        });
        let running = running.expect("it can be run");
        running.post(1).unwrap_or_else(|_| panic!("it runs"));
        // A stage that has not begun the item would drop it.
        begun.recv().expect("it begins");
        let _on_purpose = caught(|| drop(running));
        assert!(is_done.load(Ordering::SeqCst), "the stage has ended");
    });
}
