//! Oneshots between two threads.
//!
//! `oneshot_multi_task_*` and `oneshot_multi_thread_*` of `std::rt::comm`, 2013. The races among them run a
//! few hundred times here, in fresh threads; the stress tests run them hundreds of thousands of times.

use crate::acceptance::{Sleeper, die, died};
use pipes::{ChanOne, PortOne, RecvError, oneshot};
use pipes_tests::watched;
use std::thread;

const TIMES: usize = 200;

/// Calls `here` with one end on this thread and `there` with the other in a fresh thread, again and again.
fn together<T: Send + 'static>(here: fn(ChanOne<Box<u64>>), there: fn(PortOne<Box<u64>>) -> T, check: fn(T)) {
    watched(move || {
        for _ in 0..TIMES {
            let (chan, port) = oneshot();
            let other = thread::spawn(move || there(port));
            here(chan);
            check(other.join().expect("it does not panic"));
        }
    });
}

#[test]
fn recv_then_send() {
    watched(|| {
        let (chan, port) = oneshot();
        let receiving = Sleeper::spawn(move || port.recv());
        receiving.fall_asleep();
        chan.send(Box::new(10)).expect("it waits");
        assert_eq!(receiving.join().expect("it does not panic"), Ok(Box::new(10)));
    });
}

#[test]
fn recv_then_close() {
    watched(|| {
        let (chan, port) = oneshot::<u64>();
        let receiving = Sleeper::spawn(move || port.recv().unwrap_or_else(|RecvError| die()));
        receiving.fall_asleep();
        drop(chan);
        assert!(died(receiving.join()));
    });
}

#[test]
fn close_stress() {
    together(drop, drop, |()| {});
}

#[test]
fn send_close_stress() {
    together(
        |chan| match chan.send(Box::new(1)) {
            Ok(()) => {}
            Err(error) => assert_eq!(*error.into_payload(), 1),
        },
        drop,
        |()| {},
    );
}

#[test]
fn recv_close_stress() {
    together(drop, PortOne::recv, |received| assert_eq!(received, Err(RecvError)));
}

#[test]
fn send_recv_stress() {
    together(
        |chan| chan.send(Box::new(10)).expect("it waits"),
        PortOne::recv,
        |received| assert_eq!(received, Ok(Box::new(10))),
    );
}
