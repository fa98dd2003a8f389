//! A stream in each direction between two sides.

use crate::endpoint::{
    ClosedFuture, RecvError, SendArm, SendError, SendTimeoutError, TryRecvError, TrySendError,
};
use crate::stream::{Chan, Iter, Permit, Port, RecvManyFuture, SendAllFuture, SendFuture, TryIter, stream};
use futures_core::{FusedStream, Stream};
use futures_sink::Sink;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// One end of a pair of streams, one in each direction: it sends `T`s and receives `U`s.
///
/// It has the methods of a [`Chan`] and those of a [`Port`], it is a [`Sink`] and a [`Stream`], and it can be
/// a member of a [`PortSet`](crate::PortSet). Dropping it closes both streams. Use [`duplex_stream`] to
/// create a pair.
#[must_use = "dropping a DuplexStream closes it"]
pub struct DuplexStream<T, U> {
    chan: Chan<T>,
    port: Port<U>,
}

/// Creates two connected ends: what one end sends, the other end receives. Sending never blocks.
///
/// ```
/// let (mut left, mut right) = pipes::duplex_stream();
/// left.send("how many?")?;
/// right.send(42)?;
/// assert_eq!(right.recv()?, "how many?");
/// assert_eq!(left.recv()?, 42);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn duplex_stream<T, U>() -> (DuplexStream<T, U>, DuplexStream<U, T>) {
    let (there, from_there) = stream();
    let (back, from_back) = stream();
    (DuplexStream { chan: there, port: from_back }, DuplexStream { chan: back, port: from_there })
}

impl<T, U> DuplexStream<T, U> {
    /// Sends a value. Never blocks.
    ///
    /// ```
    /// let (mut left, mut right) = pipes::duplex_stream::<u32, ()>();
    /// left.send(1)?;
    /// assert_eq!(right.recv(), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The other end was dropped; the error contains the value.
    #[inline]
    pub fn send(&mut self, value: T) -> Result<(), SendError<T>> {
        self.chan.send(value)
    }

    /// Sends a value, as [`send`](DuplexStream::send) does, with the error type of the other `try_send`
    /// methods.
    ///
    /// ```
    /// let (mut left, right) = pipes::duplex_stream::<u32, ()>();
    /// drop(right);
    /// assert!(left.try_send(1).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// `Closed` if the other end was dropped; the error contains the value.
    #[inline]
    pub fn try_send(&mut self, value: T) -> Result<(), TrySendError<T>> {
        self.chan.try_send(value)
    }

    /// Splits this end into its sending half and its receiving half, which can then be used independently.
    ///
    /// ```
    /// let (left, mut right) = pipes::duplex_stream();
    /// let (mut chan, mut port) = left.into_parts();
    /// let sending = std::thread::spawn(move || chan.send("there"));
    /// right.send("back")?;
    /// assert_eq!((port.recv()?, right.recv()?), ("back", "there"));
    /// # assert!(sending.join().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_parts(self) -> (Chan<T>, Port<U>) {
        (self.chan, self.port)
    }

    /// Borrows the sending half and the receiving half at the same time.
    ///
    /// You can also replace a half through its reference. If you put in the sending half of a bounded stream,
    /// then [`send`](DuplexStream::send) may block until there is room.
    ///
    /// ```
    /// let (mut left, mut right) = pipes::duplex_stream();
    /// right.send(7)?;
    /// let (chan, port) = left.parts_mut();
    /// chan.send(port.recv()? + 1)?;
    /// assert_eq!(right.recv()?, 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parts_mut(&mut self) -> (&mut Chan<T>, &mut Port<U>) {
        (&mut self.chan, &mut self.port)
    }
}

/// Gives the type methods of its sending half or of its receiving half.
macro_rules! methods_of {
    (
        $half:ident: $Half:ident, $which:literal,
        $(fn $name:ident(&mut self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)*
    ) => {
        impl<T, U> DuplexStream<T, U> {
            $(
                #[doc = concat!(
                    "Calls [`", stringify!($Half), "::", stringify!($name), "`] of its ", $which, " half."
                )]
                #[inline]
                #[track_caller]
                pub fn $name(&mut self $(, $argument: $type)*) $(-> $result)? {
                    self.$half.$name($($argument),*)
                }
            )*
        }
    };
}

methods_of! {
    chan: Chan, "sending",
    fn send_timeout(&mut self, value: T, timeout: Duration) -> Result<(), SendTimeoutError<T>>;
    fn send_deadline(&mut self, value: T, deadline: Instant) -> Result<(), SendTimeoutError<T>>;
    fn send_async(&mut self, value: T) -> SendFuture<'_, T>;
    fn send_all(&mut self, values: &mut Vec<T>) -> Result<(), SendError<()>>;
    fn try_send_all(&mut self, values: &mut Vec<T>) -> Result<(), TrySendError<()>>;
    fn reserve(&mut self) -> Result<Permit<'_, T>, SendError<()>>;
    fn try_reserve(&mut self) -> Result<Permit<'_, T>, TrySendError<()>>;
    fn reserve_timeout(&mut self, timeout: Duration) -> Result<Permit<'_, T>, SendTimeoutError<()>>;
    fn reserve_deadline(&mut self, deadline: Instant) -> Result<Permit<'_, T>, SendTimeoutError<()>>;
    fn reserve_async(&mut self) -> impl Future<Output = Result<Permit<'_, T>, SendError<()>>>;
    fn closed(&mut self) -> ClosedFuture<'_, Chan<T>>;
    fn wait_closed(&mut self);
    fn wait_closed_timeout(&mut self, timeout: Duration) -> bool;
    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()>;
}

methods_of! {
    port: Port, "receiving",
    fn recv_many(&mut self, into: &mut Vec<U>, limit: usize) -> Result<usize, RecvError>;
    fn try_recv_many(&mut self, into: &mut Vec<U>, limit: usize) -> Result<usize, TryRecvError>;
    fn drain(&mut self) -> Vec<U>;
    fn iter(&mut self) -> Iter<'_, U>;
    fn try_iter(&mut self) -> TryIter<'_, U>;
}

// The lifetime of these futures is that of the vector, too.
impl<T, U> DuplexStream<T, U> {
    /// Calls [`Chan::send_all_async`] of its sending half.
    pub fn send_all_async<'a>(&'a mut self, values: &'a mut Vec<T>) -> SendAllFuture<'a, T> {
        self.chan.send_all_async(values)
    }

    /// Calls [`Port::recv_many_async`] of its receiving half.
    pub fn recv_many_async<'a>(&'a mut self, into: &'a mut Vec<U>, limit: usize) -> RecvManyFuture<'a, U> {
        self.port.recv_many_async(into, limit)
    }

    /// Calls [`Port::is_empty`] of its receiving half.
    pub fn is_empty(&self) -> bool {
        self.port.is_empty()
    }

    /// Closes both streams, and returns the values that were sent to this end and not received, as
    /// [`Port::close`] does. Never blocks. O(values).
    ///
    /// ```
    /// let (left, mut right) = pipes::duplex_stream::<u32, u32>();
    /// right.send(1)?;
    /// assert_eq!(left.close(), [1]);
    /// assert!(right.send(2).is_err() && right.recv().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "the values that were not received are returned; to drop them, drop the end"]
    pub fn close(self) -> Vec<U> {
        self.port.close()
    }
}

impl<'a, T, U> IntoIterator for &'a mut DuplexStream<T, U> {
    type Item = U;
    type IntoIter = Iter<'a, U>;

    #[track_caller]
    fn into_iter(self) -> Iter<'a, U> {
        self.iter()
    }
}

crate::endpoint::__port_inside! { impl [T, U] for DuplexStream<T, U>, port port of U, shown as "Port" }

/// In an arm of `select!` that sends, it is its sending half. For a [`Select`](crate::Select), request room
/// at the half that [`parts_mut`](DuplexStream::parts_mut) returns.
impl<T, U> SendArm for DuplexStream<T, U> {
    type Request<'a>
        = <Chan<T> as SendArm>::Request<'a>
    where
        Self: 'a;

    #[track_caller]
    fn request_room(&mut self) -> Self::Request<'_> {
        self.chan.request_room()
    }
}

/// Gives way to other tasks as [`recv_async`](DuplexStream::recv_async) does.
impl<T, U> Stream for DuplexStream<T, U> {
    type Item = U;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<U>> {
        Pin::new(&mut self.port).poll_next(cx)
    }
}

impl<T, U> FusedStream for DuplexStream<T, U> {
    fn is_terminated(&self) -> bool {
        self.port.is_terminated()
    }
}

/// Closing it as a sink closes the stream to the other end; it can still receive.
impl<T, U> Sink<T> for DuplexStream<T, U> {
    type Error = SendError<Option<T>>;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Sink::poll_ready(Pin::new(&mut self.chan), cx)
    }

    fn start_send(mut self: Pin<&mut Self>, value: T) -> Result<(), Self::Error> {
        Pin::new(&mut self.chan).start_send(value)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Pin::new(&mut self.chan).poll_flush(cx)
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Sink::poll_close(Pin::new(&mut self.chan), cx)
    }
}

impl<T, U> fmt::Debug for DuplexStream<T, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DuplexStream").field("chan", &self.chan).field("port", &self.port).finish()
    }
}
