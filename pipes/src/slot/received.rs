//! What a receiver finds.

/// What a receiver found.
pub(crate) enum Received<M, E> {
    /// A message.
    Message(M),
    /// Nothing yet; here is the endpoint.
    Nothing(E),
    /// The sender has left.
    Closed,
}
