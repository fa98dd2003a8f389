//! Oneshots: a channel for a single value.

use crate::endpoint::{
    Closed, Closing, Member, Readiness, Receive, RecvError, Sealed, SendError, TryRecvError, turn,
};
use crate::slot::{Received, ReceiverOnce, SenderOnce, Token, once, register_token, unregister_token};
use crate::wait::{Awaited, Caller, EndInfo, EndList, Waitable};
use std::fmt;
use std::panic::Location;
use std::task::{Context, Poll};
use std::time::Instant;

/// Creates a oneshot, which carries one value from its [`ChanOne`] to its [`PortOne`].
///
/// It makes one allocation, or none if the value is small and the thread has [kept](crate#memory) the memory
/// of an earlier pipe.
///
/// ```
/// let (chan, port) = pipes::oneshot();
/// std::thread::spawn(move || chan.send(6 * 7));
/// assert_eq!(port.recv(), Ok(42));
/// ```
#[doc(alias = "channel")]
#[inline]
pub fn oneshot<T>() -> (ChanOne<T>, PortOne<T>) {
    let (sender, receiver) = once();
    (ChanOne(sender), PortOne(receiver))
}

/// The sending end of a [`oneshot()`]. Dropping it without sending closes the oneshot.
#[doc(alias = "Sender")]
#[must_use = "dropping a ChanOne closes it"]
pub struct ChanOne<T>(SenderOnce<T>);

/// The receiving end of a [`oneshot()`]. Dropping it closes the oneshot and drops a value that was sent and
/// not received.
#[doc(alias = "Receiver")]
#[must_use = "dropping a PortOne closes it"]
pub struct PortOne<T>(ReceiverOnce<T>);

impl<T> ChanOne<T> {
    /// Sends the value. Never blocks.
    ///
    /// ```
    /// let (chan, port) = pipes::oneshot();
    /// chan.send("hello")?;
    /// assert_eq!(port.recv()?, "hello");
    ///
    /// let (chan, port) = pipes::oneshot();
    /// drop(port);
    /// assert_eq!(chan.send(7).expect_err("the port has gone").into_payload(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the port was dropped; the error contains the value.
    #[inline]
    pub fn send(self, value: T) -> Result<(), SendError<T>> {
        self.0.send(value).map_err(SendError)
    }

    /// Returns `true` if the port was dropped. `true` stays true; `false` may already be stale.
    ///
    /// ```
    /// let (chan, port) = pipes::oneshot::<u32>();
    /// assert!(!chan.is_closed());
    /// drop(port);
    /// assert!(chan.is_closed(), "the result is no longer wanted");
    /// ```
    pub fn is_closed(&self) -> bool {
        self.0.receiver_has_left()
    }
}

impl<T> ChanOne<T> {
    const CLOSE: &'static EndInfo = &EndInfo::sender::<T>("ChanOne", Awaited::Close);
}

impl<T> Closing for ChanOne<T> {
    #[inline]
    fn is_closed(&self) -> bool {
        ChanOne::is_closed(self)
    }

    #[inline]
    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.closing().poll(cx)
    }

    fn closing_end(&self, list: &mut EndList) {
        list.add(Self::CLOSE, self.0.channel());
    }

    #[inline]
    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool {
        self.0.closing().block(deadline, Self::CLOSE, Location::caller())
    }
}

crate::__closing! { impl [T] for ChanOne<T> }

impl<T> PortOne<T> {
    const END: &'static EndInfo = &EndInfo::receiver::<T>("PortOne");

    /// Receives the value, waiting until it is here. `caller` is what other threads see of the wait.
    pub(crate) fn recv_at(mut self, caller: Caller) -> Result<T, RecvError> {
        self.0.waiting().block(None, Self::END, caller);
        self.try_recv().map_err(|_| RecvError)
    }

    /// Receives the value if it is here, and keeps the port. Never blocks.
    ///
    /// [`try_recv`](PortOne::try_recv) consumes the port, as the receiving methods of all endpoints do that
    /// carry one message, and its error returns it. This method is for a port in a place from which it cannot
    /// be moved. When it has returned the value, the port is closed.
    ///
    /// ```
    /// use pipes::TryRecvError;
    ///
    /// let (chan, mut port) = pipes::oneshot();
    /// assert_eq!(port.try_take(), Err(TryRecvError::Empty(())));
    /// chan.send(7)?;
    /// assert_eq!(port.try_take(), Ok(7));
    /// assert_eq!(port.try_take(), Err(TryRecvError::Closed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Empty` if nothing was sent yet; `Closed` if the chan was dropped, or the value was received.
    pub fn try_take(&mut self) -> Result<T, TryRecvError> {
        match self.0.peek() {
            None => Err(TryRecvError::Empty(())),
            Some(false) => Err(TryRecvError::Closed),
            Some(true) => {
                let (_, closed) = oneshot();
                Receive::try_recv(std::mem::replace(self, closed)).map_err(|error| error.map(drop))
            }
        }
    }

    /// Closes the oneshot, and returns the value if it was sent. Never blocks.
    ///
    /// Dropping the port closes it too, but drops the value. If the send has returned `Ok`, the value is
    /// returned; from now on, a send fails.
    ///
    /// ```
    /// let (chan, port) = pipes::oneshot();
    /// chan.send(7)?;
    /// assert_eq!(port.close(), Some(7));
    ///
    /// let (chan, port) = pipes::oneshot();
    /// assert_eq!(port.close(), None);
    /// assert_eq!(chan.send(7).unwrap_err().into_payload(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "the value that was not received is returned; to drop it, drop the port"]
    pub fn close(self) -> Option<T> {
        self.0.leave()
    }
}

impl<T> Receive for PortOne<T> {
    type Message = T;

    #[inline]
    fn try_recv(self) -> Result<T, TryRecvError<Self>> {
        match self.0.take() {
            Received::Message(value) => Ok(value),
            Received::Nothing(receiver) => Err(TryRecvError::Empty(PortOne(receiver))),
            Received::Closed => Err(TryRecvError::Closed),
        }
    }
}

impl<T> Readiness for PortOne<T> {
    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.waiting().poll(cx)
    }

    #[inline]
    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.0.waiting().block(deadline, Self::END, Location::caller())
    }

    fn is_ready(&self) -> bool {
        self.0.peek() == Some(true)
    }

    fn is_closed(&self) -> bool {
        self.0.peek() == Some(false)
    }

    fn would_block(&self) -> bool {
        self.0.peek().is_none()
    }

    fn ends(&self, list: &mut EndList) {
        list.add(Self::END, self.0.channel());
    }
}

impl<T> Sealed for PortOne<T> {}

impl<T> Member for PortOne<T> {
    type Message = T;

    fn turn(place: &mut Option<Self>) -> Option<Result<T, Closed>> {
        turn(place)
    }

    fn register_token(&mut self, token: Token) -> Result<(), Token> {
        register_token(&mut self.0.waiting(), token)
    }

    fn unregister_token(&mut self) -> Option<Token> {
        unregister_token(&mut self.0.waiting())
    }
}

crate::__receive! { impl [T] for PortOne<T>, message T, by value }
crate::endpoint::__from_receiver_errors! { [T] PortOne<T>, closed None, kept |_: &PortOne<T>| None }

impl<T> fmt::Debug for ChanOne<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChanOne").field("closed", &self.is_closed()).finish()
    }
}

impl<T> fmt::Debug for PortOne<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PortOne").field("ready", &self.is_ready()).field("closed", &self.is_closed()).finish()
    }
}
