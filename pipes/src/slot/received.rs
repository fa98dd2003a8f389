//! The result of a receiver's look at its slot.

/// The result of a receiver's look at its slot.
pub(crate) enum Received<M, E> {
    /// A message.
    Message(M),
    /// There is no message yet. Contains the endpoint.
    Nothing(E),
    /// The sender has left.
    Closed,
}
