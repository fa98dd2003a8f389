//! A sender gives up watching while the receiver leaves. It learns about that now, or the next time that it
//! watches.

use loom::thread;
use pipes::oneshot;
use std::time::Duration;

#[test]
fn timeout_then_blocking() {
    loom::model(|| {
        let (mut chan, port) = oneshot::<()>();
        let receiver = thread::spawn(move || drop(port));
        if !chan.wait_closed_timeout(Duration::from_secs(1)) {
            chan.wait_closed();
        }
        assert!(chan.is_closed());
        drop(chan);
        receiver.join().unwrap();
    });
}
