//! Streams that are handed on, and streams with many unread messages.
//!
//! `stream_send_recv_stress` and `recv_a_lot` of `std::rt::comm`, 2013.

use pipes::{Chan, Port, stream};
use pipes_tests::watched;
use std::thread::{self, Builder};

/// Each step is taken by a thread of its own, which gets the end from the thread before it.
#[test]
fn stream_send_recv_stress() {
    const STEPS: u64 = 10;
    fn send(mut chan: Chan<Box<u64>>, step: u64) {
        if step < STEPS {
            thread::spawn(move || {
                chan.send(Box::new(step)).expect("somebody has the port");
                send(chan, step + 1);
            });
        }
    }
    fn receive(mut port: Port<Box<u64>>, step: u64, done: pipes::ChanOne<u64>) {
        if step == STEPS {
            return done.send(step).expect("it is waited for");
        }
        thread::spawn(move || {
            assert_eq!(port.recv(), Ok(Box::new(step)));
            receive(port, step + 1, done);
        });
    }
    watched(|| {
        for _ in 0..30 {
            let ((chan, port), (done, end)) = (stream(), pipes::oneshot());
            send(chan, 0);
            receive(port, 0, done);
            assert_eq!(end.recv(), Ok(STEPS));
        }
    });
}

/// Ten thousand messages, on a small stack.
#[test]
fn recv_a_lot() {
    watched(|| {
        let small = Builder::new().stack_size(64 * 1024).spawn(|| {
            let (mut chan, mut port) = stream();
            (0..10_000).for_each(|_| chan.send(()).expect("the port is here"));
            (0..10_000).filter(|_| port.recv() == Ok(())).count()
        });
        let received = small.expect("a thread can be had").join().expect("the stack is large enough");
        assert_eq!(received, 10_000);
    });
}
