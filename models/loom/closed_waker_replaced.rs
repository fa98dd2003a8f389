//! A watch is polled with one waker and then with another while the receiver leaves. The last waker must be
//! called.

use crate::support::WakeCounter;
use loom::thread;
use pipes::oneshot;
use std::task::Context;

#[test]
fn last_waker_is_called() {
    loom::model(|| {
        let (mut chan, port) = oneshot::<()>();
        let receiver = thread::spawn(move || drop(port));
        let (_first, waker) = WakeCounter::new();
        let _ = chan.poll_closed(&mut Context::from_waker(&waker));
        let (second, waker) = WakeCounter::new();
        let pending = chan.poll_closed(&mut Context::from_waker(&waker)).is_pending();
        receiver.join().unwrap();
        assert_eq!(second.count(), usize::from(pending), "the waker of the last poll was forgotten");
        assert!(chan.is_closed());
    });
}
