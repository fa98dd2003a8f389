//! Bounded streams: a ring of slots, in which each side waits for the other.
//!
//! Message `k` of a stream lies in slot `k` modulo the capacity. Its sender finds the slot empty, writes the
//! payload, and swaps `FULL` into the word. Its receiver finds that, reads the payload, and swaps `EMPTY` in.
//! There is room exactly if the sender's current slot is empty, and a message exactly if the receiver's
//! current slot is full. Nothing is counted.
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
//! Each side waits at its slot, the receiver at an empty one and the sender at a full one, by setting a flag
//! in the slot's word that names a cell. The other side's next step at that slot is a swap, so it always
//! finds the flag. That is why both steps are swaps, two for each message, and why no fence and no second
//! variable is needed. If another thread must not miss a store while it goes to sleep, some step has to be a
//! read-modify-write, and in this ring it is the one that hands the slot over. A slot's word and its payload
//! lie side by side, so two sides at different slots use different cache lines. Queues without waiting do
//! best with two counters, of what was sent and of what was received, each in its own cache line and copied
//! by the other side now and then. With swaps instead of stores, that took twice the time of this ring.
//!
//! The cells work as in a pipe: there are two for each side, and a side changes cells whenever its waiter was
//! taken. The argument is the same as well, once for each direction. A side that takes a waiter out of the
//! second cell is done with the first, because its own steps come one after the other; and a side that comes
//! back to its first cell has seen that the waiter of the second was taken.
//!
//! # Closing
//!
//! See [`close`]. Either side marks the slot at which the sender stands as `CLOSED`. The sender looks there
//! next, and the receiver comes there after all messages that were sent.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `state` | the states, the table of transitions, every atomic step of a slot |
//! | `buffer` | the shared allocation, and which side frees it |
//! | `end` | one side: its slot, and how it waits |
//! | `close` | how a side leaves |
//! | `send`, `recv` | sending and receiving at a slot |
//! | `run` | sending and receiving several messages in one step |

mod buffer;
mod close;
mod end;
mod recv;
mod run;
mod send;
mod state;
#[cfg(all(test, not(pipes_loom)))]
mod tests;

pub(crate) use self::recv::BoundedReceiver;
pub(crate) use self::send::{BoundedSender, Sent};

/// Returns `true` if the memory for `capacity` messages can be addressed.
pub(crate) fn is_addressable<T>(capacity: usize) -> bool {
    buffer::Buffer::<T>::is_addressable(capacity)
}

/// Creates a bounded stream with room for `capacity` messages, with one allocation.
///
/// # Panics
///
/// Panics if the capacity is 0, or if that many messages need more memory than can be addressed. If it is
/// only the allocator that has too little memory, the process is aborted, as it is for a `Vec`.
pub(crate) fn bounded<T>(capacity: usize) -> (BoundedSender<T>, BoundedReceiver<T>) {
    let (sender, receiver) = end::ends(capacity);
    (BoundedSender(Some(sender)), BoundedReceiver(Some(receiver)))
}
