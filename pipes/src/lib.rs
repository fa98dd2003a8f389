//! Session-typed message passing.

extern crate self as pipes;

mod endpoint;
mod oneshot;
#[doc(hidden)]
pub mod __private;
#[allow(unsafe_code)]
mod slot;
mod stream;
#[allow(unsafe_code)]
mod sync;

pub use endpoint::{Ready, Readiness, Receive, RecvError, RecvFuture, RecvTimeoutError, SendError, TryRecvError};
pub use oneshot::{ChanOne, PortOne, oneshot};
pub use stream::{Chan, IntoIter, Iter, Port, TryIter, stream};
