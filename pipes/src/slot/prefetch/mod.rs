//! Prefetch buffers, with which several receivers take messages from one source without a lock for each.
//!
//! The source, a port, is behind a lock. A receiver that finds the buffer empty takes the lock, takes one
//! message out of the source for itself, and fills the buffer with the messages behind it, as many as there
//! are and as fit. Until the buffer is empty again, each receive claims the first message there. That takes
//! one addition, and one store that says that the slot can be filled again.
//!
//! ```text
//!              ┌────────┐┌────────┐┌────────┐┌────────┐
//!              │CLAIMED ││ READY  ││ READY  ││ VACANT │  ◄── refill  ◄── lock ◄── source
//!              └────────┘└────────┘└────────┘└────────┘
//!                          next                 end
//! ```
//!
//! Messages in the buffer are older than all messages in the source. So a receiver looks at the source only
//! when it has seen, while holding the lock, that the buffer is empty, because nothing can be published then.
//! Messages are therefore claimed in the order of the source.
//!
//! # Access
//!
//! | what | who |
//! |---|---|
//! | the source | the thread that has its lock, which is the *refiller* |
//! | the word and the marks | any thread, by the steps in [`state`] |
//! | a payload | as the table of states says |

mod state;

use self::state::{BufferWord, Mark};
use super::payload::PayloadCell;
use crate::sync::Lock;
use std::ops::{Deref, DerefMut, Range};
use std::panic::RefUnwindSafe;

/// A source of messages, an `S`, behind a lock, and the messages that were taken out of it for any receiver.
pub(crate) struct PrefetchBuffer<T, S> {
    /// The messages are dropped before the source, so they are all gone when its other side sees it go.
    messages: Messages<T>,
    source: Lock<S>,
}

/// The messages in the buffer.
struct Messages<T> {
    word: BufferWord,
    slots: Box<[Slot<T>]>,
}

/// A slot: its mark, and room for one payload.
struct Slot<T> {
    mark: Mark,
    payload: PayloadCell<T>,
}

// SAFETY: messages move from the thread that fills the buffer to those that claim them, and a payload is used
// by one thread at a time, as the states say.
unsafe impl<T: Send> Send for Messages<T> {}
// SAFETY: see `Send`; no thread gets a reference to a message that another thread can use.
unsafe impl<T: Send> Sync for Messages<T> {}

// A panic leaves no message half-moved.
impl<T> RefUnwindSafe for Messages<T> {}

impl<T> Messages<T> {
    /// The number of slots, which is a multiple of [`ROW`] unless there are fewer. Large messages have fewer
    /// slots, and messages larger than the buffer have none, because moving one twice takes longer than
    /// taking the lock.
    const SLOTS: usize = {
        let fit = BYTES / size_of::<Slot<T>>();
        if fit >= MOST {
            MOST
        } else if fit >= ROW {
            fit / ROW * ROW
        } else if fit > 0 {
            FEWEST
        } else {
            0
        }
    };

    fn new() -> Self {
        let slot = |_| Slot { mark: Mark::new(), payload: PayloadCell::new() };
        Messages { word: BufferWord::new(), slots: (0..Self::SLOTS).map(slot).collect() }
    }

    /// Returns the slot of the message with this position.
    #[inline(always)]
    fn slot(&self, position: usize) -> &Slot<T> {
        let place = position % Self::SLOTS;
        // Receivers that claim at the same moment use different cache lines.
        let index = if Self::SLOTS < ROW { place } else { place % ROW * (Self::SLOTS / ROW) + place / ROW };
        &self.slots[index]
    }

    /// Takes the first message. Returns `false` if there is none.
    #[inline]
    fn take(&self, into: &mut Option<T>) -> bool {
        let Some(position) = self.word.claim() else { return false };
        let slot = self.slot(position);
        // SAFETY: the caller has just claimed the slot, so its payload is there and is the caller's.
        *into = Some(unsafe { slot.payload.read() });
        slot.mark.vacate();
        true
    }
}

/// The approximate size of all slots in bytes, unless one of the next two limits is reached.
const BYTES: usize = 4096;
/// The upper limit on the number of slots.
const MOST: usize = if cfg!(pipes_loom) { 2 } else { 32 };
/// The lower limit on the number of slots, if there are any.
const FEWEST: usize = 2;
/// The number of neighbouring positions whose slots lie apart.
const ROW: usize = 8;

impl<T> Drop for Messages<T> {
    fn drop(&mut self) {
        /// Drops the remaining messages if a destructor panics.
        struct Rest<'a, T>(&'a Messages<T>);
        impl<T> Rest<'_, T> {
            fn run(&self) {
                let mut message = None;
                while self.0.take(&mut message) {
                    message = None;
                }
            }
        }
        impl<T> Drop for Rest<'_, T> {
            fn drop(&mut self) {
                self.run();
            }
        }
        Rest(self).run();
    }
}

impl<T, S> PrefetchBuffer<T, S> {
    pub(crate) fn new(source: S) -> Self {
        PrefetchBuffer { messages: Messages::new(), source: Lock::new(source) }
    }

    /// Takes the first message in the buffer. Returns `false` if there is none.
    #[inline]
    pub(crate) fn take(&self, into: &mut Option<T>) -> bool {
        self.messages.take(into)
    }

    /// Returns `true` if the buffer is empty. While the caller holds the lock, an empty buffer stays empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.messages.word.is_empty()
    }

    /// Locks the source. Blocks until no other thread holds the lock.
    pub(crate) fn lock(&self) -> Refill<'_, T, impl DerefMut<Target = S>> {
        Refill { source: self.source.lock(), messages: &self.messages }
    }
}

/// The thread that holds the lock of the source, and may fill the buffer.
pub(crate) struct Refill<'a, T, G> {
    source: G,
    messages: &'a Messages<T>,
}

impl<T, G: DerefMut> Refill<'_, T, G> {
    /// Fills the empty buffer with the messages that `take` takes out of the source, until it finds none. If
    /// `take` panics, the messages that it took before are in the buffer.
    pub(crate) fn fill(&mut self, mut take: impl FnMut(&mut G::Target) -> Option<T>) {
        if Messages::<T>::SLOTS == 0 {
            return;
        }
        let messages = self.messages;
        debug_assert!(messages.word.is_empty());
        let is_vacant = |position: &usize| messages.slot(*position).mark.is_vacant();
        let end = messages.word.end() % Messages::<T>::SLOTS;
        // A slow receiver may still read what it has claimed.
        let Some(start) = (end..end + Messages::<T>::SLOTS).find(is_vacant) else { return };
        let mut filled = Filled { messages, positions: start..start };
        while filled.positions.len() < Messages::<T>::SLOTS && is_vacant(&filled.positions.end) {
            let Some(message) = take(&mut self.source) else { break };
            let slot = messages.slot(filled.positions.end);
            // SAFETY: the slot is vacant, and the caller is the refiller, because it has the lock.
            unsafe { slot.payload.write(message) };
            slot.mark.occupy();
            filled.positions.end += 1;
        }
    }
}

impl<T, G: Deref> Deref for Refill<'_, T, G> {
    type Target = G::Target;

    fn deref(&self) -> &G::Target {
        &self.source
    }
}

impl<T, G: DerefMut> DerefMut for Refill<'_, T, G> {
    fn deref_mut(&mut self) -> &mut G::Target {
        &mut self.source
    }
}

/// The messages with these positions, in slots. They are published when this is dropped.
struct Filled<'a, T> {
    messages: &'a Messages<T>,
    positions: Range<usize>,
}

impl<T> Drop for Filled<'_, T> {
    fn drop(&mut self) {
        if !self.positions.is_empty() {
            self.messages.word.publish(self.positions.clone());
        }
    }
}
