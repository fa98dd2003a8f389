#![cfg_attr(feature = "proto", doc = include_str!("../docs/course.md"))]
#![cfg_attr(
    not(feature = "proto"),
    doc = "Message passing between threads and tasks, without protocols of your own."
)]
// The documentation's host labels what needs a feature.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::missing_panics_doc)]
#![cfg_attr(
    pipes_loom,
    allow(clippy::new_without_default, reason = "only tests and models make a semaphore with `new`")
)]

#[doc(hidden)]
pub mod __private;
mod blocking;
mod broadcast;
mod cache_padded;
mod discard;
mod duplex;
mod endpoint;
mod eventual;
// These modules are only documentation pages and their tests, so they are not compiled into a program.
#[cfg(all(feature = "proto", any(doc, doctest)))]
pub mod guide;
pub mod inspect;
mod oneshot;
mod port_set;
#[cfg(feature = "proto")]
mod proto;
#[cfg(feature = "proto")]
mod protocol;
#[cfg(feature = "proto")]
pub mod remote;
mod select;
#[cfg(feature = "proto")]
mod service;
mod shared_port;
#[allow(
    unsafe_code,
    reason = "memory that two threads share: everything above is safe because of what is argued here"
)]
mod slot;
mod state_info;
mod stream;
#[allow(unsafe_code, reason = "raw allocation, for the ordinary build and for the model")]
mod sync;
#[allow(unsafe_code, reason = "waiters that one thread puts down and another one takes")]
mod wait;
mod watch;

pub use blocking::{block_on, block_until};
pub use broadcast::{
    BroadcastChan, BroadcastPort, BroadcastRequest, BroadcastSendFuture, Lagged, LaggingChan, LaggingPort,
    broadcast, broadcast_lagging,
};
pub use duplex::{DuplexStream, duplex_stream};
/// What [`select2`] returns: the `Either` of the crate `either`.
pub use either::Either;
pub use endpoint::{
    Closed, ClosedFuture, Closing, InState, Member, Readiness, ReadyFuture, Receive, RecvError, RecvFuture,
    RecvOrError, RecvTimeoutError, SendError, SendRequest, SendTimeoutError, SessionError, SessionErrorKind,
    SetEmpty, TryRecvError, TrySendError,
};
pub use eventual::{Eventual, EventualFuture};
pub use oneshot::{ChanOne, PortOne, oneshot};
pub use port_set::{Messages, PortSet, SetRecvFuture};
#[cfg(feature = "proto")]
pub use protocol::{Bound, Protocol};
pub use select::{Select, select, select2};
#[cfg(feature = "proto")]
pub use service::{
    Connector, Listener, ListenerClosed, TryConnectError, listen, listen_with_backlog, spawn_service,
};
pub use shared_port::{
    SharedIntoIter, SharedIter, SharedPort, SharedRecvFuture, SharedRecvManyFuture, SharedTryIter,
};
pub use state_info::{MessageInfo, StateInfo};
pub use stream::{
    BatchSink, Chan, ChanRequest, IntoIter, Iter, OwnedPermit, Permit, PermitIter, Port, RecvManyFuture,
    ReserveFuture, SendAllFuture, SendFuture, SharedChan, SharedRequest, SharedSendAllFuture,
    SharedSendFuture, TryIter, WeakChan, shared_stream, shared_sync_stream, stream, sync_stream,
};
pub use watch::{WatchChan, WatchPort, WatchRef, watch};
