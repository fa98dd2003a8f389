//! What the ring needs of a place.

use crate::wait::Count;

/// A place of the ring: room for one message, which several receivers receive.
///
/// Each receiver that has not received the message has a *claim* to it.
pub(crate) trait Place {
    /// What the messages are.
    type Message;

    /// Creates a place without a message.
    fn new() -> Self;

    /// Returns `true` if a message can be put here.
    fn is_free(&self) -> bool;

    /// Announces that a sender waits for the place. Returns `true` if it is free.
    fn mark(&self) -> bool;

    /// Puts a message with this number here, and gives a claim to each of this many receivers. Returns the
    /// message that was here, or the new one if the place is in use.
    ///
    /// # Safety
    ///
    /// The caller holds a lock without which no other one puts a message here. It has found the place to be
    /// free since it took that lock. There are at most [`MOST`](super::state::MOST) receivers.
    unsafe fn put(
        &self,
        number: Count,
        message: Self::Message,
        receivers: usize,
    ) -> Result<Option<Self::Message>, Self::Message>;

    /// Receives the message of this number, and gives up the caller's claim. Returns `None` if the message is
    /// not here. If its `clone` panics, the caller keeps its claim.
    ///
    /// `alone` is a guess whether the caller has the only claim, and then says whether it had.
    ///
    /// # Safety
    ///
    /// The caller has a claim to the message of this number.
    unsafe fn receive(&self, number: Count, alone: &mut bool) -> Option<(Self::Message, Rest<Self::Message>)>
    where
        Self::Message: Clone;

    /// Gives up the caller's claim to the message of this number.
    ///
    /// # Safety
    ///
    /// The caller has a claim to the message of this number.
    unsafe fn leave(&self, number: Count) -> Rest<Self::Message>;

    /// Returns a message that was overwritten and is still here, although no receiver is left.
    fn clear(&self) -> Option<Self::Message>;

    /// Adds a claim to the message of this number, for another receiver.
    ///
    /// # Safety
    ///
    /// The caller has a claim to the message of this number, and there are at most
    /// [`MOST`](super::state::MOST) receivers.
    unsafe fn join(&self, number: Count);
}

/// What a receiver leaves behind, if it was the last one.
pub(crate) struct Rest<T> {
    /// The message, to be dropped without a lock.
    pub(super) message: Option<T>,
    /// A sender waits for the place.
    pub(super) is_waited_for: bool,
}

impl<T> Rest<T> {
    pub(super) const NONE: Self = Rest { message: None, is_waited_for: false };
}
