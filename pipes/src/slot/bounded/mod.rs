//! Bounded streams: a ring of slots, in which each side waits for the other.
//!
//! Message `k` of a stream lies in slot `k` modulo the capacity. Its sender finds the slot empty, writes the
//! payload and swaps `FULL` into the word; its receiver finds that, reads the payload and swaps `EMPTY` in.
//! There is room exactly if the slot that the sender stands at is empty, and a message exactly if the one
//! that the receiver stands at is full; nothing is counted.
//!
//! ```text
//!              ┌──────┐┌──────┐┌──────┐┌──────┐
//!              │ FULL ││ FULL ││EMPTY ││EMPTY │
//!              └──────┘└──────┘└──────┘└──────┘
//!   receiver ──►  k             k + 2  ◄── sender
//! ```
//!
//! # Waiting
//!
//! Each side waits where it stands: the receiver at an empty slot, the sender at a full one, by a flag in the
//! slot's word that names a seat. The other side's next step at that slot is a swap, so it cannot pass
//! without finding the flag. That is why both steps are swaps, two a message, and why no fence and no second
//! variable is needed: a store that another thread must not miss while it falls asleep has to be a
//! read-modify-write somewhere, and here it is the one that hands the slot over. A slot's word and its
//! payload lie side by side, so that the two sides, as long as they are not at the same slot, do not meet in
//! the cache either. (Counters of what was sent and received, each in a line of its own and copied by the
//! other side now and then, are what queues without waiting do best with; made into swaps, they were measured
//! at twice the time of this ring.)
//!
//! The seats are those of a pipe: two for each side, changed whenever a waiter was taken. The argument is the
//! same, once for each direction: who takes a waiter out of the second seat is done with the first, because
//! its own steps come one after the other; and who comes back to the first seat has seen the second one
//! taken.
//!
//! # Closing
//!
//! See [`close`]. One mark, at the slot where the sender stands, serves both sides: it is where the sender
//! looks next, and where the receiver comes to after all that was sent.
//!
//! # Capacity 0
//!
//! See [`rendezvous`]. There is one slot, and what a waiting sender puts there is not sent yet, but offered.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `state` | the states, the table of transitions, every atomic step of a slot |
//! | `buffer` | the shared allocation, and who frees it |
//! | `end` | one side: where it stands, how it waits |
//! | `close` | how a side leaves |
//! | `send`, `recv` | what a side does at a slot |
//! | `rendezvous` | what a sender does at capacity 0 |

mod buffer;
mod close;
mod end;
mod recv;
mod rendezvous;
mod send;
mod state;
#[cfg(all(test, not(pipes_loom)))]
mod tests;

pub(crate) use self::recv::BoundedReceiver;
pub(crate) use self::send::{BoundedSender, Sent};

/// Both ends of a fresh bounded stream with room for so many messages. One allocation.
///
/// # Panics
///
/// There are not that many addresses. (Where there are, but not that much memory, the process ends, as it
/// does for a `Vec`.)
pub(crate) fn bounded<T>(capacity: usize) -> (BoundedSender<T>, BoundedReceiver<T>) {
    let (sender, receiver) = end::ends(capacity);
    (BoundedSender(Some(sender)), BoundedReceiver(Some(receiver)))
}
