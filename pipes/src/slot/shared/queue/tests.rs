//! A race between a sender that was skipped and a receiver that leaves the block. Miri runs it in many
//! orders.

use super::{Block, Queue};
use crate::slot::received::Received;
use crate::slot::shared::state::SlotState;
use crate::slot::shared::{SharedReceiver, SharedSender};
use crate::sync::Arc;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::thread;

/// So large that the first block has two slots, and the next ones have more: the first one is freed when it
/// is no longer used.
type Payload = [u64; 64];

/// A queue whose receiver has skipped the first slot of a block and stands at its end, and a message in the
/// next block. The sender of that slot has yet to come.
struct Skipped {
    queue: Arc<Queue<Payload>>,
    /// The address of the slot, which may go to another thread.
    block: AtomicPtr<Block<Payload>>,
    index: usize,
}

fn skipped() -> (Skipped, SharedReceiver<Payload>) {
    let (queue, block, begin) = Queue::new();
    let queue = Arc::new(queue);
    let mut receiver = SharedReceiver::new(queue.clone(), block, begin);
    let at = queue.claim(queue.tail.look());
    let sender = SharedSender::new(queue.clone());
    for number in begin + 1..=Block::<Payload>::SLOTS {
        assert!(sender.send([number as u64; 64]).is_ok());
    }
    for number in begin + 1..Block::<Payload>::SLOTS {
        assert!(matches!(receiver.take(), Received::Message(value) if value[0] == number as u64));
    }
    (Skipped { queue, block: AtomicPtr::new(at.block().as_ptr()), index: at.count() }, receiver)
}

/// Returns when both threads have called it. It spins, because both should go on at the same moment.
fn meet(mine: &AtomicUsize, theirs: &AtomicUsize) {
    let round = mine.fetch_add(1, Ordering::AcqRel);
    while theirs.load(Ordering::Acquire) <= round {
        thread::yield_now();
    }
}

/// The second of the two frees the block; the other one does not touch it any more.
#[test]
fn a_sender_that_was_skipped_against_a_receiver_that_leaves() {
    let (slow, receivers): (Vec<_>, Vec<_>) = (0..40).map(|_| skipped()).unzip();
    let [sending, receiving] = [AtomicUsize::new(0), AtomicUsize::new(0)];
    thread::scope(|scope| {
        scope.spawn(|| {
            for Skipped { queue, block, index } in slow {
                let block = NonNull::new(block.into_inner()).expect("it is a block");
                meet(&sending, &receiving);
                // SAFETY: the slot was claimed, and the block lives until its sender has acknowledged.
                let slot = unsafe { Block::slot(block, index) };
                assert!(matches!(slot.word.publish(slot.field), SlotState::Skipped));
                // SAFETY: this is the sender that was skipped, and it acknowledges once.
                unsafe { queue.acknowledge(block) };
            }
        });
        for mut receiver in receivers {
            meet(&receiving, &sending);
            assert!(matches!(receiver.take(), Received::Message(_)));
            assert!(matches!(receiver.take(), Received::Closed));
        }
    });
}
