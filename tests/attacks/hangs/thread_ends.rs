//! Waits of every kind in the destructors of a thread's local values, when the library's own thread-locals
//! may be gone. They must end as anywhere else.

use pipes::{PortSet, duplex_stream, oneshot, shared_stream, stream, sync_stream};
use pipes_skeleton::{from_iter, posted};
use pipes_tests::watched;
use std::cell::RefCell;
use std::sync::mpsc::channel;
use std::thread;

/// Runs a function when it is dropped.
struct AtLast(Option<Box<dyn FnOnce()>>);

impl Drop for AtLast {
    fn drop(&mut self) {
        if let Some(does) = self.0.take() {
            does();
        }
    }
}

thread_local! {
    /// `EARLY` is first used before the library's thread-locals and `LATE` after them, so that one is dropped
    /// before those and the other one after them.
    static EARLY: RefCell<Vec<AtLast>> = const { RefCell::new(Vec::new()) };
    static LATE: RefCell<Vec<AtLast>> = const { RefCell::new(Vec::new()) };
}

/// Runs the first function at the very end of a thread, before and after the library's thread-locals are
/// dropped, and the second one in this thread.
fn at_the_end<A: FnOnce() + Send + 'static>(wait: impl Fn() -> (A, Box<dyn FnOnce() + Send>)) {
    for is_early in [true, false] {
        let (ends, others) = wait();
        let (begun, has_begun) = channel::<()>();
        let waiting = thread::spawn(move || {
            let last = AtLast(Some(Box::new(move || {
                drop(begun);
                ends();
            })));
            let use_library = || {
                let (chan, port) = oneshot();
                let sends = thread::spawn(move || chan.send(()).expect("it is waited for"));
                assert_eq!(port.recv(), Ok(()));
                sends.join().expect("it does not panic");
                let (chan, port) = shared_stream();
                chan.send(()).expect("the port is here");
                drop(port);
            };
            if is_early {
                EARLY.with_borrow_mut(|all| all.push(last));
                use_library();
            } else {
                use_library();
                LATE.with_borrow_mut(|all| all.push(last));
            }
        });
        assert!(has_begun.recv().is_err());
        others();
        waiting.join().expect("it does not panic");
    }
}

#[test]
fn receives_of_every_kind() {
    watched(|| {
        at_the_end(|| {
            let (chan, port) = oneshot();
            (move || assert_eq!(port.recv(), Ok(1)), Box::new(move || chan.send(1).expect("it waits")))
        });
        at_the_end(|| {
            let (chan, mut port) = shared_stream();
            (move || assert_eq!(port.recv(), Ok(1)), Box::new(move || chan.send(1).expect("it waits")))
        });
        at_the_end(|| {
            let (mut chan, mut port) = sync_stream(0);
            (move || assert_eq!(port.recv(), Ok(1)), Box::new(move || chan.send(1).expect("it waits")))
        });
        at_the_end(|| {
            let (mut chan, port) = stream();
            let mut port = port.into_shared();
            (move || assert_eq!(port.recv(), Ok(1)), Box::new(move || chan.send(1).expect("it waits")))
        });
        at_the_end(|| {
            let mut set = PortSet::new();
            let mut chan = set.chan();
            (
                move || assert_eq!(set.recv(), Ok((0, Ok(1)))),
                Box::new(move || chan.send(1).expect("it waits")),
            )
        });
        at_the_end(|| {
            let (mut here, mut there) = duplex_stream::<u32, u32>();
            (move || assert_eq!(here.recv(), Ok(1)), Box::new(move || there.send(1).expect("it waits")))
        });
    });
}

#[test]
fn selections_sends_and_closes() {
    watched(|| {
        at_the_end(|| {
            let ((_silent, mut first), (chan, mut second)) = (stream::<u32>(), oneshot());
            let selects = move || {
                let got = pipes::select! { message = first => message, message = second => message };
                assert_eq!(got, Ok(1));
                drop(_silent);
            };
            (selects, Box::new(move || chan.send(1).expect("it waits")))
        });
        at_the_end(|| {
            let (mut chan, mut port) = sync_stream(1);
            chan.send(1).expect("there is room");
            (
                move || chan.send(2).expect("it is received"),
                Box::new(move || assert_eq!((port.recv(), port.recv()), (Ok(1), Ok(2)))),
            )
        });
        at_the_end(|| {
            let (mut chan, port) = shared_stream::<u32>();
            (move || chan.wait_closed(), Box::new(move || drop(port)))
        });
    });
}

#[test]
fn pipelines() {
    watched(|| {
        at_the_end(|| {
            let runs = || {
                let sum =
                    from_iter(1..=100).parallel(2, |number: u32| number).fold(0, |sum, number| sum + number);
                assert_eq!(sum.expect("no stage fails"), 5050);
            };
            (runs, Box::new(|| ()))
        });
        at_the_end(|| {
            let (port, running) = from_iter(0..).parallel(2, |number: u64| number).into_port();
            (
                move || {
                    drop(running);
                    drop(port);
                },
                Box::new(|| ()),
            )
        });
        at_the_end(|| {
            let running = posted(|items| items.parallel(2, |number: u64| number)).expect("it can be run");
            (move || running.post(1).map_or_else(|_| panic!("it runs"), |()| drop(running)), Box::new(|| ()))
        });
    });
}
