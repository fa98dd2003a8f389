//! Items that generated code refers to. They are not part of the public interface: anything here may change
//! in any release.

pub use crate::endpoint::{Sealed, SendArm, SendRequest, turn};
#[cfg(feature = "proto")]
pub use crate::remote::relay::{lift, lower, lower_last, lower_nothing, put};
pub use crate::select::{Enabled, choose, choose_now, deadline_after, poll_choose};
pub use crate::slot::{
    AsClient, AsServer, Chain, Endpoint, Fixed, Inherited, Memory, Only, Ring, Role, SentBy, State, Token,
    pipe, pipe_in,
};
#[cfg(feature = "proto")]
pub use pipes_macros::{at, proto};

#[cfg(not(feature = "proto"))]
pub use crate::select::at;
pub use crate::wait::{EndList, PendingWait};
/// Generated code uses it by this path, because `::core` may name a crate of the user.
pub use std::mem::ManuallyDrop;

use crate::endpoint::{Receive, SendError, TryRecvError};
use crate::state_info::{MessageInfo, StateInfo};

/// For models that check what the holder of a permit can see.
#[cfg(pipes_loom)]
pub use crate::slot::Semaphore;

/// For models of waiting itself; see `sync::model`.
#[cfg(pipes_loom)]
pub fn track_flags() {
    crate::sync::track_flags();
}

/// For models of what others see of a sleep; see `sync::model`.
#[cfg(pipes_loom)]
pub fn track_sleeps() {
    crate::sync::track_sleeps();
}

/// For models in which threads wait in different shards; see `sync::model`.
#[cfg(pipes_loom)]
pub fn number_this_thread(number: usize) {
    crate::sync::number_this_thread(number);
}

/// Returns for how many ends each thread waits that sleeps.
#[cfg(pipes_loom)]
pub fn sleeps() -> Vec<usize> {
    crate::inspect::snapshot().sleepers.iter().map(|thread| thread.waits_for.len()).collect()
}

/// Ends all sleeps, which then panic with this text.
#[cfg(pipes_loom)]
pub fn end_sleeps(text: &str) {
    for seen in crate::wait::look_at_sleepers() {
        crate::wait::end_sleep(seen.thread.id(), seen.since, text);
    }
}

/// Returns the error of a send whose receiver has left, with the payload.
#[inline]
pub fn not_sent<P>(payload: P) -> SendError<P> {
    SendError(payload)
}

/// Returns the description of a state.
pub const fn state_info(
    protocol: &'static str,
    name: &'static str,
    index: usize,
    sender: &'static str,
    messages: &'static [MessageInfo],
) -> StateInfo {
    StateInfo::new(protocol, name, index, sender, messages)
}

/// Returns the description of a message that leads to this state, or of one that ends the session.
pub const fn message_info(name: &'static str, next: &[&'static str]) -> MessageInfo {
    MessageInfo { name, next: next.first().copied() }
}

/// Turns an error that contains an inner endpoint into one that contains the type that wraps it.
#[inline]
pub fn map_empty<E, F>(error: TryRecvError<E>, wrap: impl FnOnce(E) -> F) -> TryRecvError<F> {
    error.map(wrap)
}

/// Receives from the endpoint inside an endpoint in any state, such as `AnyClient`, and wraps the result: the
/// message with `message`, an endpoint that is given back with `any`.
#[inline]
pub fn receive_any<E: Receive, M, A>(
    endpoint: E,
    message: impl FnOnce(E::Message) -> M,
    any: impl FnOnce(E) -> A,
) -> Result<M, TryRecvError<A>> {
    endpoint.try_recv().map(message).map_err(|error| error.map(any))
}

/// Returns the name of a type without its path.
pub fn short_name<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    let mut depth = 0;
    let mut begin = 0;
    for (at, letter) in name.char_indices() {
        match letter {
            '<' => depth += 1,
            // The `>` of `->` closes no bracket.
            '>' if !name[..at].ends_with('-') => depth -= 1,
            ':' if depth == 0 => begin = at + 1,
            _ => {}
        }
    }
    &name[begin..]
}
