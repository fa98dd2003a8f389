//! A task on either side of a bounded stream changes its waker while the other side acts. The last waker
//! counts, and no waker is used twice.

use crate::support::{WakeCounter, poll};
use loom::thread;
use pipes::sync_stream;
use std::future::Future;
use std::pin::pin;
use std::task::Context;

#[test]
fn of_the_port() {
    for capacity in [0, 1] {
        loom::model(move || {
            let (mut chan, mut port) = sync_stream(capacity);
            let sender = thread::spawn(move || {
                let sent = chan.try_send(1).is_ok();
                (chan, sent)
            });
            let ((_first, waker), (second, last)) = (WakeCounter::new(), WakeCounter::new());
            let early = poll(&mut port, &waker).is_ready();
            let ready = early || poll(&mut port, &last).is_ready();
            let (_chan, sent) = sender.join().unwrap();
            assert!(sent || capacity == 0, "there is room");
            assert_eq!(port.try_recv().is_ok(), sent);
            assert!(ready || second.count() == usize::from(sent), "the last waker counts");
        });
    }
}

#[test]
fn of_the_chan() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(1);
        assert!(chan.try_send(1).is_ok());
        let receiver = thread::spawn(move || {
            assert_eq!(port.try_recv(), Ok(1));
            port
        });
        let ((_first, waker), (second, last)) = (WakeCounter::new(), WakeCounter::new());
        let ready = {
            let mut sending = pin!(chan.send_async(2));
            let early = sending.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
            early || sending.as_mut().poll(&mut Context::from_waker(&last)).is_ready()
        };
        let mut port = receiver.join().unwrap();
        assert!(ready || second.count() == 1, "the last waker counts");
        assert_eq!(port.try_recv().is_ok(), ready);
    });
}

/// A sender is polled as a task first, and then blocks as a thread.
#[test]
fn from_task_to_thread() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(1);
        assert!(chan.try_send(1).is_ok());
        let sender = thread::spawn(move || {
            let (_wakes, waker) = WakeCounter::new();
            if pin!(chan.send_async(2)).poll(&mut Context::from_waker(&waker)).is_pending() {
                assert!(chan.send(2).is_ok());
            }
        });
        let (_wakes, waker) = WakeCounter::new();
        assert_eq!(port.recv(), Ok(1));
        let _ = poll(&mut port, &waker);
        assert_eq!(port.recv(), Ok(2));
        sender.join().unwrap();
    });
}
