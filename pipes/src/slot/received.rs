//! The result of a receiver's look at its slot.

/// The result of a receiver's look at its slot.
pub(crate) enum Received<M, E> {
    /// A message.
    Message(M),
    /// No message yet; here is the endpoint.
    Nothing(E),
    /// The sender has left.
    Closed,
}
