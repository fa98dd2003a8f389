//! The receiving ends.

use crate::endpoint::{
    Closed, Member, Readiness, Receive, Sealed, TryRecvError, turn_of_port, would_complete,
};
use crate::slot::{BroadcastReceiver, Claimed, Locked, Received, Token, register_token, unregister_token};
use crate::wait::{Caller, EndInfo, EndList, Look, Waitable, budget};
use futures_core::{FusedStream, Stream};
use std::fmt;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

/// One of the receiving ends of a [`broadcast()`](crate::broadcast()). It gets every message.
///
/// A clone is at the same position: it receives what this one has not received yet. It takes O(unread
/// messages) steps with the senders' lock. So does a drop, which has the lock for a moment only.
#[doc(alias = "Receiver")]
#[must_use = "dropping a BroadcastPort gives up what it has not received"]
pub struct BroadcastPort<T>(BroadcastReceiver<Claimed<T>>);

/// One of the receiving ends of a [`broadcast_lagging()`](crate::broadcast_lagging()). It gets every message
/// that it receives before it is overwritten, and otherwise [`Lagged`].
///
/// A clone is at the same position: it receives what this one has not received yet. It takes O(unread
/// messages) steps with the senders' lock. So does a drop, which has the lock for a moment only, unless it is
/// that of the last receiver: this one empties the channel, in O(capacity) steps with the lock.
///
/// What it receives is a `Result` of its own, inside that of the receive:
///
/// ```
/// use pipes::Lagged;
///
/// let (chan, mut port) = pipes::broadcast_lagging(2);
/// (1..=3).try_for_each(|number| chan.send(number))?;
/// drop(chan);
/// let (mut received, mut missed) = (Vec::new(), 0);
/// while let Ok(next) = port.recv() {
///     match next {
///         Ok(number) => received.push(number),
///         Err(Lagged(count)) => missed += count,
///     }
/// }
/// assert_eq!((received, missed), (vec![2, 3], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "Receiver")]
#[must_use = "dropping a LaggingPort gives up what it has not received"]
pub struct LaggingPort<T>(BroadcastReceiver<Locked<T>>);

/// This receiver was too slow: this number of messages was overwritten before it received them. Its next
/// receive gets the oldest message that is there. See [`broadcast_lagging()`](crate::broadcast_lagging()).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lagged(pub u64);

impl fmt::Display for Lagged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} messages were missed", self.0)
    }
}

impl std::error::Error for Lagged {}

/// The message of a channel whose sender waits for each receiver.
#[inline(always)]
fn not_missed<T>(received: Result<T, u64>) -> T {
    received.unwrap_or_else(|_| unreachable!("the senders wait for each receiver"))
}

/// The message of a channel whose sender does not wait, or the number of those that were missed.
#[inline(always)]
fn or_lagged<T>(received: Result<T, u64>) -> Result<T, Lagged> {
    received.map_err(Lagged)
}

/// Implements what both kinds of ports have.
macro_rules! ports {
    ($(
        $port:ident, $name:literal, $place:ident, $message:ty, $map:expr, $channel:literal, $ok:literal;
    )*) => {
        $(impl<T> $port<T> {
            const END: &'static EndInfo = &EndInfo::receiver::<T>($name);

            pub(super) fn new(receiver: BroadcastReceiver<$place<T>>) -> Self {
                $port(receiver)
            }

            /// Returns a new receiver, which gets the messages that are sent from now on. For one that gets
            /// what this one has not received yet, clone it.
            ///
            /// ```
            #[doc = concat!("let (chan, mut port) = pipes::", $channel, "(8);")]
            /// chan.send(1)?;
            /// let mut later = port.subscribe();
            /// chan.send(2)?;
            #[doc = concat!("assert_eq!(later.recv()?, ", $ok, "(2));")]
            #[doc = concat!("assert_eq!(port.recv()?, ", $ok, "(1));")]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn subscribe(&self) -> Self {
                $port(BroadcastReceiver::subscribe(self.0.ring()))
            }

            /// Returns the number of messages that the channel holds.
            ///
            /// ```
            #[doc = concat!("assert_eq!(pipes::", $channel, "::<u32>(8).1.capacity(), 8);")]
            /// ```
            pub fn capacity(&self) -> usize {
                self.0.ring().capacity()
            }
        }

        impl<T: Clone> $port<T> {
            /// Returns an iterator over the messages, until the last sender is dropped.
            ///
            /// Blocks the thread; in a task, use the port as a stream instead.
            ///
            /// ```
            #[doc = concat!("let (chan, mut port) = pipes::", $channel, "(8);")]
            /// (1..=3).try_for_each(|number| chan.send(number))?;
            /// drop(chan);
            /// assert_eq!(port.iter().count(), 3);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[track_caller]
            pub fn iter(&mut self) -> impl Iterator<Item = $message> {
                let caller = Location::caller();
                std::iter::from_fn(move || self.next(caller))
            }

            /// Waits for a message. Returns `None` if all senders have left.
            #[inline]
            fn next(&mut self, caller: Caller) -> Option<$message> {
                loop {
                    match self.0.take() {
                        Received::Message(message) => return Some($map(message)),
                        Received::Closed => return None,
                        Received::Nothing(()) => self.0.waiting().block(None, Self::END, caller),
                    };
                }
            }
        }

        impl<T: Clone> Receive for &mut $port<T> {
            type Message = $message;

            #[inline]
            fn try_recv(self) -> Result<$message, TryRecvError<Self>> {
                match self.0.take() {
                    Received::Message(message) => Ok($map(message)),
                    Received::Nothing(()) => Err(TryRecvError::Empty(self)),
                    Received::Closed => Err(TryRecvError::Closed),
                }
            }
        }

        impl<T> Readiness for $port<T> {
            #[inline]
            fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
                self.0.waiting().poll(cx)
            }

            #[inline]
            fn wait(&mut self, deadline: Option<Instant>) -> bool {
                self.0.waiting().block(deadline, Self::END, Location::caller())
            }

            fn is_ready(&self) -> bool {
                self.0.look() == Look::Event
            }

            fn is_closed(&self) -> bool {
                self.0.look() == Look::Closed
            }

            fn would_block(&self) -> bool {
                self.0.look() == Look::Nothing
            }

            fn ends(&self, list: &mut EndList) {
                list.add(Self::END, self.0.ring().channel());
            }
        }

        impl<T> Sealed for $port<T> {}

        impl<T: Clone> Member for $port<T> {
            type Message = $message;

            fn turn(place: &mut Option<Self>) -> Option<Result<$message, Closed>> {
                turn_of_port(place, $port::try_recv)
            }

            fn register_token(&mut self, token: Token) -> Result<(), Token> {
                register_token(&mut self.0.waiting(), token)
            }

            fn unregister_token(&mut self) -> Option<Token> {
                unregister_token(&mut self.0.waiting())
            }
        }

        crate::endpoint::__port_verbs! { impl [T: Clone] for $port<T>, message $message, all }

        /// Gives way to other tasks as [`recv_async`](Self::recv_async) does.
        impl<T: Clone> Stream for $port<T> {
            type Item = $message;

            fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<$message>> {
                let poll = |port: &mut Self, cx: &mut Context<'_>| {
                    ready!(port.poll_ready(cx));
                    Poll::Ready(port.try_recv().ok())
                };
                budget::receive(&mut *self, cx, would_complete, poll)
            }
        }

        impl<T: Clone> FusedStream for $port<T> {
            fn is_terminated(&self) -> bool {
                self.is_closed()
            }
        }

        impl<T> Clone for $port<T> {
            fn clone(&self) -> Self {
                $port(self.0.clone())
            }
        }

        impl<T> fmt::Debug for $port<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let look = self.0.look();
                f.debug_struct($name)
                    .field("ready", &(look == Look::Event))
                    .field("closed", &(look == Look::Closed))
                    .finish()
            }
        })*
    };
}

ports! {
    BroadcastPort, "BroadcastPort", Claimed, T, not_missed, "broadcast", "";
    LaggingPort, "LaggingPort", Locked, Result<T, Lagged>, or_lagged, "broadcast_lagging", "Ok";
}
