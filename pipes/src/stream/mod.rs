//! Typed streams: unbounded, bounded, and with many senders.
//!
//! A stream is the protocol "one message, again and again", with ends that stay: a [`Chan`] or [`SharedChan`]
//! sends, a [`Port`] receives. There is one type of port, whatever is on the other side, so receiving code
//! does not depend on the kind of stream.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `chan`, `send`, `run`, `chan_reserve` | the sending end with one sender; its futures; several values in one call; waiting for room before there is a value |
//! | `shared`, `shared_wait`, `shared_run`, `reserve`, `reserve_many`, `reserve_owned`, `sink`, `weak`, `senders`, `close_waiters` | the sending end with many senders; how one of them waits; several values in one call; reserving room before there is a value, also for several at once, and for a chan that moves with it; as a sink; without keeping the stream open; how many there are; waiting for the close |
//! | `port`, `iter`, `recv_many`, `receiver_flavor`, `prefetched` | the receiving end; its iterators; several values in one call; the half behind it, of any kind; values that are taken out ahead |
//! | `permit` | room that is reserved |
//! | `permits` | the room of a stream with many senders and a limit |
//! | `rendezvous` | capacity 0 |
//! | `arm` | requests for room, with which chans are in selections |
//! | `batch_sink` | a sink that sends several values at once |
//!
//! # Layers
//!
//! Uses `wait`, `slot` and `endpoint`; used by `port_set`, `shared_port`, `duplex`, `eventual`, `service` and
//! `remote`.

mod arm;
mod batch_sink;
mod chan;
mod chan_reserve;
mod close_waiters;
mod iter;
mod permit;
mod permits;
mod port;
mod prefetched;
mod receiver_flavor;
mod recv_many;
mod rendezvous;
mod reserve;
mod reserve_many;
mod reserve_owned;
mod run;
mod send;
mod senders;
mod shared;
mod shared_run;
mod shared_wait;
mod sink;
mod weak;

pub use self::arm::{ChanRequest, SharedRequest};
pub use self::batch_sink::BatchSink;
pub use self::chan::Chan;
pub use self::iter::{IntoIter, Iter, TryIter};
pub use self::permit::{OwnedPermit, Permit};
pub use self::port::Port;
pub(crate) use self::prefetched::Prefetched;
pub use self::recv_many::RecvManyFuture;
pub use self::reserve::{ReserveFuture, SharedSendFuture};
pub use self::reserve_many::PermitIter;
pub use self::run::SendAllFuture;
pub use self::send::SendFuture;
pub use self::shared::{SharedChan, shared_stream, shared_sync_stream};
pub use self::shared_run::SharedSendAllFuture;
pub use self::weak::WeakChan;

use crate::slot::{bounded, is_addressable, unbounded};

/// Creates an unbounded stream: any number of values, in order, from its [`Chan`] to its [`Port`].
///
/// Sending never blocks: unread values are kept in blocks of slots, which go back to the sender when they are
/// empty. Once the stream is warm, neither end allocates, unless more values are unread than 31 blocks hold,
/// about 1,900 small values or sixty large ones: a longer backlog is allocated block by block, and freed when
/// it is read.
///
/// A value is moved into its slot and out of it. Put a value of many kilobytes into a `Box`: then only the
/// pointer is moved, and the stack of the thread need not have room for several of them.
///
/// ```
/// let (mut chan, mut port) = pipes::stream();
/// chan.send("hello")?;
/// chan.send("world")?;
/// drop(chan);
/// assert_eq!(port.recv()?, "hello");
/// assert_eq!(port.recv()?, "world");
/// assert!(port.recv().is_err(), "what was sent comes before the close");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "channel")]
#[doc(alias = "unbounded")]
pub fn stream<T>() -> (Chan<T>, Port<T>) {
    let (sender, receiver) = unbounded();
    (Chan::unbounded(sender), Port::unbounded(receiver))
}

/// Creates a bounded stream: at most `capacity` values are sent and not yet received, and a sender that finds
/// no room waits. It has one sender; for more, see [`shared_sync_stream()`](crate::shared_sync_stream()).
///
/// A stream takes one allocation, and a message none.
///
/// The last step of a receive is to wake a waiting sender. If the waker of a sending task panics there, the
/// value counts as received and is dropped while the panic unwinds; the stream is not affected.
///
/// ```
/// use pipes::TrySendError;
///
/// let (mut chan, mut port) = pipes::sync_stream(2);
/// chan.send(1)?;
/// chan.send(2)?;
/// assert!(matches!(chan.try_send(3), Err(TrySendError::Full(3))));
/// assert_eq!(port.recv()?, 1);
/// chan.send(3)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Capacity 0
///
/// Sender and receiver meet: a [`send`](Chan::send) returns when its value is taken, or at once if a thread
/// sleeps until it can receive; a [`try_send`](Chan::try_send) sends only to a receiver that waits, or is
/// still registered. Each message takes a lock and an allocation.
///
/// # Panics
///
/// Panics if the capacity exceeds the available address space.
#[doc(alias = "bounded")]
#[doc(alias = "rendezvous")]
#[doc(alias = "sync_channel")]
#[track_caller]
pub fn sync_stream<T>(capacity: usize) -> (Chan<T>, Port<T>) {
    assert!(
        is_addressable::<T>(capacity),
        "`sync_stream`: the memory for a capacity of {capacity} cannot be addressed"
    );
    if capacity == 0 {
        let (sender, port) = shared_sync_stream(0);
        return (Chan::rendezvous(sender), port);
    }
    let (sender, receiver) = bounded(capacity);
    (Chan::bounded(sender, capacity), Port::bounded(receiver, capacity))
}
