//! If the stream has room, `is_ready` must stay true until the message is received, also if the sender drops
//! the future that sent it.

use pipes::{PortSet, sync_stream};
use pipes_tests::{poll_future, watched};
use std::task::Waker;

#[test]
fn of_a_port() {
    watched(|| {
        for capacity in 1..3 {
            let (mut chan, port) = sync_stream(capacity);
            let mut sending = chan.send_async(7);
            assert!(poll_future(&mut sending, Waker::noop()).is_ready());
            assert!(port.is_ready(), "a message is here");
            drop(sending);
            assert!(port.is_ready(), "and was not received, with room for {capacity}");
        }
    });
}

#[test]
fn of_a_set() {
    watched(|| {
        for capacity in 1..3 {
            let (mut chan, port) = sync_stream(capacity);
            let mut set = PortSet::new();
            set.insert(port);
            let mut sending = chan.send_async(7);
            assert!(poll_future(&mut sending, Waker::noop()).is_ready());
            assert!(set.is_ready(), "a member is ready");
            drop(sending);
            assert!(set.is_ready(), "and nothing was received, with room for {capacity}");
        }
    });
}
