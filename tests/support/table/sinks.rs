//! Senders as `futures::Sink`s.

use super::flavor::Flavor;
use crate::{Counted, DropCounter, WakeCounter};
use futures::SinkExt;
use futures::executor::block_on;
use futures::sink::Sink;
use pipes::SendError;
use std::task::{Context, Poll, Waker};

/// Feeds the sink until it has to wait. Returns `false` if it never waits.
fn feed_until_it_waits<S: Sink<Counted> + Unpin>(sender: &mut S, drops: &DropCounter) -> bool {
    for number in 0..50 {
        let Poll::Ready(ready) = sender.poll_ready_unpin(&mut Context::from_waker(Waker::noop())) else {
            return true;
        };
        assert!(ready.is_ok() && sender.start_send_unpin(drops.make(number)).is_ok());
    }
    false
}

/// The receiver leaves. A sink that waits is woken and learns of it, and the next message comes back.
pub fn receiver_leaves<F: Flavor<Sender: Sink<Counted, Error = SendError<Option<Counted>>> + Unpin>>() {
    for waits in [false, true] {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let (mut sender, receiver) = F::channel();
        let waits = waits && feed_until_it_waits(&mut sender, &drops);
        let ready = sender.poll_ready_unpin(&mut Context::from_waker(&waker));
        assert_eq!(ready.is_pending(), waits);
        drop(receiver);
        assert_eq!(wakes.count(), usize::from(waits));
        let Poll::Ready(Err(SendError(offered))) =
            sender.poll_ready_unpin(&mut Context::from_waker(Waker::noop()))
        else {
            panic!("it is closed")
        };
        assert!(offered.is_none_or(|it| waits && it.number == 0), "at capacity 0 the first one is on offer");
        let back = sender.start_send_unpin(drops.make(99)).expect_err("it is closed").into_payload();
        assert_eq!(back.expect("it comes back").number, 99);
        assert!(block_on(sender.send(drops.make(100))).is_err());
        drop(sender);
        drops.assert_all_dropped();
    }
}
