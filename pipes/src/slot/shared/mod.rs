//! Shared streams: a queue with many senders and one receiver.
//!
//! Messages lie in slots, and slots in blocks, as in a stream with one sender. What is different is that
//! senders have to agree who gets which slot. There is one word for that, the *tail*: one addition *claims* a
//! slot, and says which.
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
//! The rest of a send is that of any slot, which has exactly one sender now: write the payload, say that the
//! slot is `FULL`, wake whoever was found waiting. At the end of a block a sender brings a new one, with its
//! message in the first slot, and puts that behind the tail by a compare-and-exchange; who succeeds owes the
//! old block its *link*, which is one more slot.
//!
//! # Costs
//!
//! A message costs its sender two additions, and its receiver a load. A block costs two steps at its ends,
//! and is allocated only if none that was emptied waits on the *shelf*. Slots whose payloads are small share
//! the word for their states: a `u64` takes little more than nine bytes, which is less memory to fetch, to
//! fill, and to get from the system when many are unread.
//!
//! # Order
//!
//! Slots are claimed in one order, and that is the order of the messages. Whatever happens before a send, on
//! whichever thread, has claimed its slot before.
//!
//! A sender may be stopped between its two steps, for as long as its processor does something else. The
//! receiver does not wait for it. If a later slot is full, it *passes* this one, takes the later message, and
//! does not come back; the sender finds `PASSED`, takes its payload back, and sends it again. So a send that
//! has returned is always seen, and there is one order still: a message that had to be sent again takes its
//! place where it was sent again. The same goes for a link. (To count a claimed slot as empty would hide what
//! others have sent behind it. To wait for its sender, looking again and again, can take as long as the
//! system likes.) A sender has to try again only because others have got through.
//!
//! # Waiting
//!
//! The receiver registers in the slot, or link, at which it stands, and the sender of that one wakes it; its
//! waiter sits in a [record](super::record), to be called for in one place, see [`call`]. A receiver that
//! sleeps in a claimed slot sleeps until that is published, even if others are faster: they do not know. It
//! looks further once more before it falls asleep.
//!
//! # Closing
//!
//! The last sender claims one more slot, and says `CLOSED` there, or at the link if there is no slot left;
//! the receiver finds that after all messages.
//!
//! The receiver marks the tail, after which nothing is claimed any more, and then goes through all slots that
//! were: takes what is there, and passes what is not. Whoever was passed finds the mark when it tries again,
//! and gives its payload back to whoever wanted it sent. So nothing that was sent survives the receiver, but
//! for what a sender has in hand.
//!
//! # Who frees
//!
//! A block is done with when the receiver has left it and those who were passed there have come (see
//! [`block`]); nobody else touches it, for a sender that loses the race for a new block does not look at the
//! old one again. It goes to the shelf, or, if there is no room, is freed when no sender may compare its
//! address (see [`visits`]). The last block, and the shelf, are freed with the queue, which lives as long as
//! one of its ends.
//!
//! # Getting out of each other's way
//!
//! Two threads that write the same line of memory in turn wait for it most of the time. So a sender that met
//! another one at the tail, and a receiver that has caught up with the senders after a run of messages, leave
//! the others alone for a few microseconds when they have done what they came for; and neighbouring slots lie
//! on different lines. The first two halve the time of a message where they matter, the third takes a tenth
//! off.
//!
//! What was measured and is not here: to claim by compare-and-exchange, which notices more of such meetings,
//! but was twice as slow however long the loser waited; to wait until the system has let others run, instead
//! of busily; to fetch lines ahead of their use; a word for each slot, which needs no place to call for the
//! waiter, but more memory, and was slower by an eighth.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `state` | the states of slots, the table of transitions, every atomic step of a slot |
//! | `tail` | the word that slots are claimed at |
//! | `block` | slots and blocks, where they lie, and when they are done with |
//! | `call` | whom to wake |
//! | `shelf` | where empty blocks wait |
//! | `visits` | when a block may be freed |
//! | `queue` | what all ends have in common |
//! | `send`, `recv` | the ends |

mod block;
mod call;
mod queue;
mod recv;
mod send;
mod shelf;
mod state;
mod tail;
#[cfg(all(test, not(pipes_loom)))]
mod tests;
mod visits;

pub(crate) use self::recv::SharedReceiver;
pub(crate) use self::send::SharedSender;

use self::queue::Queue;
use crate::sync::Arc;

/// The first sender and the receiver of a fresh shared stream.
pub(crate) fn shared<T>() -> (SharedSender<T>, SharedReceiver<T>) {
    let (queue, block, begin) = Queue::new();
    let queue = Arc::new(queue);
    (SharedSender::new(queue.clone()), SharedReceiver::new(queue, block, begin))
}
