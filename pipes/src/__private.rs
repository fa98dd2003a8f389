//! What generated code names. Not part of the public interface: anything here may change in any release.

pub use crate::endpoint::turn;
pub use crate::select::{choose, choose_now, deadline_after, poll_choose};
pub use crate::slot::{
    AsClient, AsServer, Chain, Endpoint, Fixed, Inherited, Memory, Ring, Role, SentBy, State, Token, pipe,
    pipe_in,
};
#[cfg(feature = "proto")]
pub use pipes_macros::{at, proto};

#[cfg(not(feature = "proto"))]
pub use crate::select::at;
/// By this name, for `::core` may be a crate of the user's.
pub use std::mem::ManuallyDrop;

use crate::endpoint::{Receive, SendError, TryRecvError};

/// For a model of what a right gives its holder to see.
#[cfg(pipes_loom)]
pub use crate::sync::Rights;

/// For models of waiting itself; see the model's facade.
#[cfg(pipes_loom)]
pub fn track_marks() {
    crate::sync::track_marks();
}

/// The error of a send whose receiver has left, which hands back the payload.
#[inline]
pub fn not_sent<P>(payload: P) -> SendError<P> {
    SendError::new(payload)
}

/// An error about an inner endpoint as one about the type that wraps it.
#[inline]
pub fn map_empty<E, F>(error: TryRecvError<E>, wrap: impl FnOnce(E) -> F) -> TryRecvError<F> {
    error.map(wrap)
}

/// Receives on one of the endpoints that an `AnyClient` or `AnyServer` may hold, with the answer as one about
/// the whole.
#[inline]
pub fn receive_any<E: Receive, M, A>(
    endpoint: E,
    message: impl FnOnce(E::Message) -> M,
    any: impl FnOnce(E) -> A,
) -> Result<M, TryRecvError<A>> {
    endpoint.try_recv().map(message).map_err(|error| error.map(any))
}

/// The name of a type without the path to it.
pub fn short_name<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    let mut depth = 0;
    let mut begin = 0;
    for (at, letter) in name.char_indices() {
        match letter {
            '<' => depth += 1,
            // Not that of `->`.
            '>' if !name[..at].ends_with('-') => depth -= 1,
            ':' if depth == 0 => begin = at + 1,
            _ => {}
        }
    }
    &name[begin..]
}
