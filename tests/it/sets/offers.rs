//! Members of capacity 0: offers that are withdrawn before the set takes them.

use pipes::{PortSet, RecvTimeoutError, TryRecvError, select, sync_stream};
use pipes_tests::{poll, poll_future, test_in, watched};
use std::task::Waker;
use std::time::Duration;

/// The set finds nothing. If it has said that a receive would not block, the offer cannot be withdrawn.
#[test_in(watched)]
fn withdrawn_before_and_after_a_look() {
    let mut set = PortSet::new();
    let (mut chan, port) = sync_stream(0);
    let key = set.insert(port);
    assert!(poll(&mut set, Waker::noop()).is_pending());
    for (looked, polls) in [(false, false), (false, true), (true, false)] {
        let mut sending = chan.send_async(7);
        assert!(poll_future(&mut sending, Waker::noop()).is_pending() || looked);
        if looked {
            assert!(poll(&mut set, Waker::noop()).is_ready());
            assert_eq!(sending.into_inner(), None, "it was promised to the set");
            assert_eq!(set.try_recv(), Ok((key, Ok(7))));
        } else {
            assert_eq!(sending.into_inner(), Some(7));
            assert!(!polls || poll(&mut set, Waker::noop()).is_pending());
            assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
            assert_eq!(set.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
        }
        assert!(!set.is_ready());
        assert!(select! { turn = set => turn.is_err(), default => true });
        assert!(poll(&mut set, Waker::noop()).is_pending());
    }
}
