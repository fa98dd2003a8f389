//! A receiver's position in the ring, for both kinds of ports.

use super::ring::{Lagged, Position, Ring};
use super::slot::Rest;
use crate::slot::Received;
use crate::sync::Arc;
use crate::wait::{Count, Look, Waitable, Waiting};

/// A receiver.
pub(super) struct Cursor<T> {
    ring: Arc<Ring<T>>,
    position: Position,
    /// The number of messages of which it knows that they were sent. It saves looks at the count, which the
    /// senders change with each message.
    known: Count,
    /// It was the only receiver that had not received its last message.
    alone: bool,
    /// The ticket of its entry among those that wait for a message, if it has one.
    ticket: Option<u64>,
}

impl<T> Cursor<T> {
    pub(super) fn new(ring: Arc<Ring<T>>, position: Position) -> Self {
        Cursor { ring, position, known: position.number, alone: false, ticket: None }
    }

    /// Returns a receiver of the messages that are sent from now on.
    pub(super) fn subscribe(ring: &Arc<Ring<T>>) -> Self {
        let position = ring.add_receiver();
        Cursor::new(ring.clone(), position)
    }

    pub(super) fn ring(&self) -> &Arc<Ring<T>> {
        &self.ring
    }

    /// Looks whether there is a message.
    #[inline(always)]
    pub(super) fn look(&self) -> Look {
        self.ring.sent.look(self.position.number)
    }

    /// Returns what a thread, a task or a set waits at.
    pub(super) fn waiting(&mut self) -> Waiting<'_> {
        let (waiters, seen, most) = (&self.ring.sent, self.position.number, self.ring.slots.len());
        Waiting { waiters, seen, ticket: &mut self.ticket, most }
    }

    /// Takes the next message, if there is one. A sender that waits for its place is woken last: if its waker
    /// panics, the message is dropped.
    #[inline]
    pub(super) fn take(&mut self) -> Received<Result<T, Lagged>, ()>
    where
        T: Clone,
    {
        let Position { number, index } = self.position;
        if self.known == number {
            let (look, count) = self.ring.sent.look_and_count(number);
            match look {
                Look::Nothing => return Received::Nothing(()),
                Look::Closed => return Received::Closed,
                Look::Event => self.known = count,
            }
        }
        match self.ring.slots[index].receive(number, &mut self.alone) {
            Some((message, rest)) => {
                self.position = Position { number: number.plus(1), index: self.ring.after(index) };
                self.clear(rest);
                Received::Message(Ok(message))
            }
            None => Received::Message(self.find()),
        }
    }

    /// Drops what the last receiver leaves behind.
    #[inline(always)]
    fn clear(&self, rest: Rest<T>) {
        if rest.is_waited_for {
            drop(self.ring.wake_sender());
        }
        drop(rest.message);
    }

    #[cold]
    fn find(&mut self) -> Result<T, Lagged>
    where
        T: Clone,
    {
        let found = self.ring.find(&mut self.position);
        // The position may be ahead of what was known.
        self.known = self.position.number;
        let message = found?;
        Ok(Arc::try_unwrap(message).unwrap_or_else(|message| T::clone(&message)))
    }
}

/// The clone is at the same position.
impl<T> Clone for Cursor<T> {
    fn clone(&self) -> Self {
        self.ring.add_receiver_at(self.position);
        Cursor::new(self.ring.clone(), self.position)
    }
}

impl<T> Drop for Cursor<T> {
    fn drop(&mut self) {
        // It is dropped last: its destructor is its executor's code.
        let _waiter = self.waiting().take_back();
        self.ring.remove_receiver(self.position);
    }
}
