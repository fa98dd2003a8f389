//! Shared streams: a queue with many senders and one receiver.
//!
//! Messages lie in slots, and slots in blocks, as in a stream with one sender. But the senders must agree on
//! which of them gets which slot. One word, the *tail*, decides: a single addition *claims* a slot, and its
//! result says which one.
//!
//! ```text
//!   receiver                                                        tail
//!      │                                                              │
//!      ▼                                                              ▼
//!   ┌──────┬──────┬──────┬──────┬──────┐      ┌──────┬──────┬──────┬──────┬──────┐
//!   │      │ FULL │EMPTY │ FULL │ link ├─────►│ FULL │EMPTY │      │      │ link │
//!   └──────┴──────┴──────┴──────┴──────┘      └──────┴──────┴──────┴──────┴──────┘
//!                     ▲ claimed, not published yet      ▲
//! ```
//!
//! The rest of a send is the same as for any slot, because the slot now has exactly one sender: write the
//! payload, mark the slot `FULL`, and wake the receiver if it waits. At the end of a block, a sender brings a
//! new one, with its message in the first slot, and installs it at the tail by a compare-and-exchange. The
//! sender that succeeds must then publish the old block's *link*, which is one more slot.
//!
//! # Costs
//!
//! A message costs its sender two additions, and its receiver one load. A block costs two more steps at its
//! ends, and is allocated only if the *block cache* has no empty one. Slots with small payloads share the
//! word for their states. A `u64` takes little more than nine bytes, so there is less memory to fetch, to
//! fill, and to get from the system when many messages are unread.
//!
//! # Order
//!
//! Slots are claimed in one order, and that is the order of the messages. A send that happens before another
//! one, on the same or another thread, has claimed an earlier slot.
//!
//! A sender may be suspended between its two steps, for any length of time. The receiver does not wait for
//! it. If a later slot is full, the receiver *skips* this one, takes the later message, and does not come
//! back. The sender finds `SKIPPED`, takes its payload back, and sends it again. So the message of a send
//! that has returned is always found, and there is still one order: a message that was sent again has the
//! place of the second send. A link is skipped in the same way. If a claimed slot counted as empty instead,
//! it would hide messages that others have sent behind it; and waiting for its sender by looking again and
//! again can take any length of time. A sender has to try again only because other senders have succeeded.
//!
//! # Waiting
//!
//! The receiver registers in the slot, or link, at which it stands, and the sender of that slot wakes it. Its
//! waiter is in a [`SharedWaiter`](crate::wait::SharedWaiter), whose address is in one place; see
//! [`receiver_waiter`]. A receiver that sleeps in a claimed slot sleeps until that slot is published, even if
//! a later slot is published first, because the sender of the later slot does not know about the receiver. So
//! the receiver looks at the later slots once more before it goes to sleep.
//!
//! # Closing
//!
//! The last sender claims one more slot and marks it `CLOSED`, or marks the link if no slot is left. The
//! receiver finds the mark after all messages.
//!
//! When the receiver leaves, it marks the tail, so that no more slots are claimed, and then goes through all
//! slots that were claimed. It takes the messages that are there, and skips the other slots. A sender that
//! was skipped finds the mark when it tries again, and returns its payload as an error. So no message that
//! was sent outlives the receiver, except those that a sender is still holding.
//!
//! # Who frees
//!
//! A block is no longer used when the receiver has left it and each sender that was skipped there has
//! acknowledged (see [`block`]). No other thread touches it, because a sender that loses the race for a new
//! block does not look at the old one again. Then the block goes to the block cache; if that is full, it is
//! freed when no sender may compare its address (see [`pins`]). The last block and the block cache are freed
//! with the queue, which lives as long as one of its ends.
//!
//! # Avoiding contention
//!
//! Two threads that take turns writing the same cache line spend most of their time waiting for it. Three
//! things help. A sender that met another sender at the tail pauses for a few microseconds after its send. A
//! receiver that has caught up with the senders after a run of messages pauses as well. And neighbouring
//! slots lie on different cache lines. The first two halve the time of a message where they matter, and the
//! third saves a tenth.
//!
//! Some alternatives were measured and rejected: claiming by compare-and-exchange, which notices more of
//! these meetings, but was twice as slow no matter how long the loser waited; yielding to the system instead
//! of pausing busily; prefetching cache lines; and a word for each slot, which needs no separate place for
//! the waiter but more memory, and was slower by an eighth.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `state` | the states of slots, the table of transitions, every atomic step of a slot |
//! | `semaphore`, `adders` | which threads may claim by an addition |
//! | `block` | slots and blocks, where they lie, and when they are no longer used |
//! | `tail` | the word that slots are claimed at |
//! | `receiver_waiter` | the receiver's waiter |
//! | `block_cache` | where empty blocks wait |
//! | `pins` | when a block may be freed |
//! | `queue` | the state that all ends share |
//! | `send`, `recv` | the ends |
//! | `weak` | senders that do not keep the stream open |
//! | `run` | several messages in one call |

#[cfg(not(pipes_loom))]
mod adders;
/// In a model, every second claim of a thread may be an addition, so that both ways are explored.
#[cfg(pipes_loom)]
mod adders {
    use crate::sync::thread_local;
    use std::cell::Cell;

    thread_local! {
        static MAY_ADD: Cell<bool> = Cell::new(true);
    }

    /// The largest number of threads in a model.
    pub(super) const MOST_ADDERS: usize = 4;

    pub(super) fn may_add() -> bool {
        MAY_ADD.with(|may| may.replace(!may.get()))
    }
}
mod block;
mod block_cache;
mod pins;
mod queue;
mod receiver_waiter;
mod recv;
mod run;
mod semaphore;
mod send;
mod state;
mod tail;
#[cfg(all(test, not(pipes_loom)))]
mod tests;
mod weak;

pub(crate) use self::recv::SharedReceiver;
#[cfg(pipes_loom)]
pub use self::semaphore::Semaphore;
pub(crate) use self::send::SharedSender;
pub(crate) use self::weak::WeakSender;

use self::queue::Queue;
use crate::sync::Arc;
use crate::wait::{EndInfo, Party, steps, uses};

/// Creates a shared stream, and returns its first sender and its receiver.
pub(crate) fn shared<T>() -> (SharedSender<T>, SharedReceiver<T>) {
    let (queue, block, begin) = Queue::new();
    let queue = Arc::new(queue);
    let ends = (SharedSender::new(queue.clone()), SharedReceiver::new(queue, block, begin));
    uses::made(ends.0.channel(), const { &EndInfo::receiver::<T>("Port") });
    uses::may_be_many(ends.0.channel(), Party::Sender as usize);
    steps::made::<T>(ends.0.channel(), "shared stream");
    ends
}
