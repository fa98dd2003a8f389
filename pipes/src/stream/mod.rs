//! Endless typed streams: without a limit, with one, and from many senders.
//!
//! A stream is the protocol "one message, again and again", with ends that stay: a [`Chan`] or [`SharedChan`] sends, a
//! [`Port`] receives. There is one type of port, whatever is on the other side of it, so that what receives need not care.
//!
//! # Layers
//!
//! Uses `endpoint` and `slot`; used by `port_set`, `duplex` and `service`.

mod chan;
mod iter;
mod port;
mod send;
mod shared;
mod source;

pub use self::chan::Chan;
pub use self::iter::{IntoIter, Iter, TryIter};
pub use self::port::Port;
pub use self::send::SendFuture;
pub use self::shared::{SharedChan, shared_stream};

use crate::slot::{bounded, endless};

/// A stream of any number of values, in order, from its [`Chan`] to its [`Port`].
///
/// Sending never blocks: what is not yet received is kept, in blocks of slots that go back to the sender when they are
/// empty. Once that is warm, neither end allocates, unless more is unread than fifteen blocks hold (some nine hundred small
/// values, or thirty large ones): a longer backlog takes its memory from the allocator, a block at a time, and gives it back when
/// it is read.
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
pub fn stream<T>() -> (Chan<T>, Port<T>) {
    let (sender, receiver) = endless();
    (Chan::endless(sender), Port::endless(receiver))
}

/// A stream of which at most `capacity` values are sent and not yet received: a sender that is faster than its receiver waits.
///
/// One allocation, and none a message. With capacity 0 sender and receiver meet: a [`send`](Chan::send) returns when its value
/// was taken, and a [`try_send`](Chan::try_send) succeeds only if the receiver is waiting at that moment, or still registered by a
/// wait that something else has ended; it is handed the value, which is dropped if it leaves after all.
///
/// A receive wakes the sender that waits as the last thing that it does. Should the waker of a sending task panic there, the value
/// counts as received, and is dropped in the unwinding; the stream is as good as before.
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
/// # Panics
///
/// The capacity is more than memory could hold.
pub fn sync_stream<T>(capacity: usize) -> (Chan<T>, Port<T>) {
    let (sender, receiver) = bounded(capacity);
    (Chan::bounded(sender), Port::bounded(receiver))
}
