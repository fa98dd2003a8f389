//! A receiver: its position in the ring.

use super::place::{Place, Rest};
use super::ring::{BroadcastRing, Position};
use crate::slot::received::Received;
use crate::sync::Arc;
use crate::wait::{Count, Entry, Look, Waitable, Waiting};

/// A receiver. It has a claim to each message that it has not received. Its first message is the first one
/// that is sent after it was made, or the next one of the receiver of which it is a clone.
pub(crate) struct BroadcastReceiver<P: Place> {
    ring: Arc<BroadcastRing<P>>,
    position: Position,
    /// The number of messages of which it knows that they were sent. It saves looks at the count, which the
    /// senders change with each message.
    known: Count,
    /// It was the only receiver that had not received its last message.
    alone: bool,
    /// Its entry among those that wait for a message, if it has one.
    entry: Option<Entry>,
}

impl<P: Place> BroadcastReceiver<P> {
    /// Returns a receiver of the messages that are sent from now on.
    pub(crate) fn subscribe(ring: &Arc<BroadcastRing<P>>) -> Self {
        let position = ring.add_receiver();
        BroadcastReceiver::new(ring.clone(), position)
    }

    /// The receiver was added to the ring at this position.
    fn new(ring: Arc<BroadcastRing<P>>, position: Position) -> Self {
        BroadcastReceiver { ring, position, known: position.number, alone: false, entry: None }
    }

    pub(crate) fn ring(&self) -> &Arc<BroadcastRing<P>> {
        &self.ring
    }

    /// Looks whether there is a message.
    #[inline(always)]
    pub(crate) fn look(&self) -> Look {
        self.ring.sent.look(self.position.number)
    }

    /// Returns what a thread, a task or a set waits at.
    pub(crate) fn waiting(&mut self) -> Waiting<'_> {
        let most = self.ring.capacity();
        self.ring.sent.waiting(self.position.number, &mut self.entry, most)
    }

    /// Takes the next message, if there is one, or the number of messages that were missed. A sender that
    /// waits for its place is woken last: if its waker panics, the message is dropped.
    #[inline]
    pub(crate) fn take(&mut self) -> Received<Result<P::Message, u64>, ()>
    where
        P::Message: Clone,
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
        // SAFETY: the message was sent, as `known` says, and this receiver has not received it. So it has a
        // claim to it, until the position changes in the next step.
        match unsafe { self.ring.places[index].receive(number, &mut self.alone) } {
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
    fn clear(&self, rest: Rest<P::Message>) {
        if rest.is_waited_for {
            drop(self.ring.wake_sender());
        }
        drop(rest.message);
    }

    #[cold]
    fn find(&mut self) -> Result<P::Message, u64>
    where
        P::Message: Clone,
    {
        let found = match self.ring.find(&mut self.position) {
            Ok(found) => found,
            Err(missed) => {
                // The position may be ahead of what was known.
                self.known = self.position.number;
                return Err(missed);
            }
        };
        let Position { number, index } = self.position;
        let next = Position { number: number.plus(1), index: self.ring.after(index) };
        match Arc::try_unwrap(found) {
            Ok(message) => {
                self.position = next;
                Ok(message)
            }
            Err(found) => {
                // If this panics, the receiver keeps its claim.
                let message = P::Message::clone(&found);
                self.position = next;
                drop(found);
                self.ring.leave_aside(number);
                Ok(message)
            }
        }
    }
}

/// The clone is at the same position.
impl<P: Place> Clone for BroadcastReceiver<P> {
    fn clone(&self) -> Self {
        let ring = self.ring.clone();
        // SAFETY: this receiver is at the position, and stays there as long as it is borrowed.
        unsafe { ring.add_receiver_at(self.position) };
        BroadcastReceiver::new(ring, self.position)
    }
}

impl<P: Place> Drop for BroadcastReceiver<P> {
    fn drop(&mut self) {
        // It is dropped last: its destructor is its executor's code.
        let _waiter = self.waiting().take_back();
        // SAFETY: this receiver is at the position, and is gone after this.
        unsafe { self.ring.remove_receiver(self.position) };
    }
}
