//! A receiver is polled with one waker and then with another while the other side sends. The last waker must
//! be called.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::oneshot;

#[test]
fn last_waker_is_called() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = oneshot();
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        let (_first, waker) = WakeCounter::new();
        let _ = poll(&mut port, &waker);
        let (second, waker) = WakeCounter::new();
        let pending = poll(&mut port, &waker).is_pending();
        sender.join().unwrap();
        assert!(!pending || second.count() == 1, "the waker of the last poll was forgotten");
        drop(port.try_recv().expect("something was sent"));
        assert_only(&count);
    });
}
