//! A thread's end, reported by a destructor.
//!
//! `run-pass/task-killjoin-rsrc.rs`, Rust 0.5.

use crate::acceptance::{Sleeper, die, died};
use pipes::{ChanOne, PortOne, oneshot};
use pipes_tests::watched;

#[derive(Debug, PartialEq)]
enum End {
    Success,
    Failure,
}

/// Reports the end when it is dropped.
struct Notify(Option<ChanOne<End>>, bool);

impl Drop for Notify {
    fn drop(&mut self) {
        let end = if self.1 { End::Failure } else { End::Success };
        if let Some(chan) = self.0.take() {
            // The receiver may have left.
            drop(chan.send(end));
        }
    }
}

/// A thread, and a port that reports its end.
fn joinable(action: fn()) -> (Sleeper<()>, PortOne<End>) {
    let (chan, end) = oneshot();
    let thread = Sleeper::spawn(move || {
        let mut notify = Notify(Some(chan), true);
        action();
        notify.1 = false;
    });
    (thread, end)
}

#[test]
fn of_success_and_of_failure() {
    watched(|| {
        let (thread, end) = joinable(|| {});
        assert_eq!(end.recv(), Ok(End::Success));
        thread.join().expect("it ends");

        let (thread, end) = joinable(|| die());
        assert_eq!(end.recv(), Ok(End::Failure));
        assert!(died(thread.join()));
    });
}

/// A supervised thread that joins another one, which fails: the failure is a result, and does not make the
/// first thread fail.
#[test]
fn of_one_thread_to_another() {
    watched(|| {
        let (chan, seen) = oneshot();
        let supervisor = Sleeper::spawn(move || {
            let (thread, end) = joinable(|| die());
            chan.send(end.recv()).expect("the parent listens");
            died(thread.join())
        });
        assert_eq!(seen.recv(), Ok(Ok(End::Failure)));
        assert!(supervisor.join().expect("it lives on"));
    });
}
