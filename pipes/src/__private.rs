//! What generated code names. Not part of the public interface: anything here may change in any release.

pub use crate::slot::{AsClient, AsServer, Chain, Endpoint, Memory, Ring, Role, State, pipe};

use crate::endpoint::TryRecvError;

/// An error about an inner endpoint as one about the type that wraps it.
#[inline]
pub fn map_empty<E, F>(error: TryRecvError<E>, wrap: impl FnOnce(E) -> F) -> TryRecvError<F> {
    error.map(wrap)
}

/// The name of a type without the path to it.
pub fn short_name<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    let path = name.split('<').next().unwrap_or(name);
    &name[path.rfind("::").map_or(0, |at| at + 2)..]
}
