//! A sender gives up watching while the receiver leaves: it is told so, or finds it out the next time.

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
