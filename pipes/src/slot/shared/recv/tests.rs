//! Waiters at a slot whose sender is slow, in one thread.

use crate::slot::ready::unregister_token;
use crate::slot::received::Received;
use crate::slot::shared::block::Block;
use crate::slot::shared::shared;
use crate::slot::shared::state::SlotState;
use crate::wait::Waitable;
use crate::wait::tests::WakeCounter;
use std::sync::Arc;
use std::task::Context;

/// A waiter that is registered at a slot that is skipped is woken before the message is taken, or returned
/// with it.
#[test]
fn a_receiver_that_overtakes_wakes_its_waiter_or_hands_it_out() {
    for quietly in [false, true] {
        let (wakes, waker) = WakeCounter::new();
        let (sender, mut receiver) = shared();
        let queue = receiver.queue.clone();
        assert!(receiver.poll(&mut Context::from_waker(&waker)).is_pending());
        let slow = queue.claim(queue.tail.look());
        assert_eq!(sender.send(7), Ok(()));
        let (mut value, mut handed) = (None, None);
        if quietly {
            let received = receiver.take_deferred(&mut value, |waker| handed = Some(waker));
            assert!(matches!(received, Received::Message(())));
        } else if let Received::Message(message) = receiver.take() {
            value = Some(message);
        }
        assert_eq!(value, Some(7));
        assert_eq!((wakes.count(), handed.is_some()), if quietly { (0, true) } else { (1, false) });
        // The slow sender finds that it was skipped, and sends again.
        // SAFETY: this thread has claimed the slot, and uses it once.
        let slot = unsafe { Block::slot(slow.block(), slow.count()) };
        assert!(matches!(slot.word.publish(slot.field), SlotState::Skipped));
        // SAFETY: this thread has claimed and published the slot, and uses it once.
        unsafe { queue.acknowledge(slow.block()) };
        assert_eq!(sender.send(8), Ok(()));
        let received = receiver.take_deferred(&mut value, |_| panic!("no waiter is registered"));
        assert!(matches!(received, Received::Message(())));
        assert_eq!(value, Some(8));
        drop((waker, handed));
        assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
    }
}

/// A sender has found the receiver registered, and is slow to wake it. If the same task waits again it is not
/// woken for that; another one is.
#[test]
fn an_earlier_waiter_is_woken_unless_it_waits_again_or_is_taken_back() {
    for (again, taken_back) in [(true, false), (false, false), (false, true)] {
        let ((wakes, waker), (_other, another)) = (WakeCounter::new(), WakeCounter::new());
        let (sender, mut receiver) = shared();
        let queue = receiver.queue.clone();
        assert!(receiver.poll(&mut Context::from_waker(&waker)).is_pending());
        let slow = queue.claim(queue.tail.look());
        // SAFETY: this thread has just claimed the slot, and uses it once.
        let slot = unsafe { Block::slot(slow.block(), slow.count()) };
        // SAFETY: the block lives until this thread publishes the slot that it has claimed.
        unsafe { slot.payload.write(7) };
        assert!(matches!(slot.word.publish(slot.field), SlotState::Waiting));
        assert!(matches!(receiver.take(), Received::Message(7)));
        if taken_back {
            assert!(unregister_token(&mut receiver).is_none(), "it is no token");
            assert_eq!(Arc::strong_count(&wakes), 2, "the receiver has no waker any more");
        }
        let next = if again { &waker } else { &another };
        assert!(receiver.poll(&mut Context::from_waker(next)).is_pending());
        assert_eq!(wakes.count(), usize::from(!again && !taken_back));
        assert_eq!(sender.send(8), Ok(()));
        assert_eq!(wakes.count(), usize::from(!taken_back));
        drop((waker, sender, receiver, queue));
        assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
    }
}
