//! The sending ends.

use super::port::{BroadcastPort, LaggingPort};
use super::send::BroadcastSendFuture;
use crate::endpoint::{SendError, SendTimeoutError, TrySendError};
use crate::slot::{BroadcastReceiver, BroadcastRing, Claimed, Locked};
use crate::sync::Arc;
use std::fmt;
use std::panic::Location;
use std::time::{Duration, Instant};

/// One of the sending ends of a [`broadcast()`](crate::broadcast()). Dropping the last one closes the
/// channel; what was sent can still be received.
#[doc(alias = "Sender")]
#[must_use = "dropping the last BroadcastChan closes it"]
pub struct BroadcastChan<T>(Arc<BroadcastRing<Claimed<T>>>);

/// One of the sending ends of a [`broadcast_lagging()`](crate::broadcast_lagging()). Dropping the last one
/// closes the channel; what was sent can still be received.
#[doc(alias = "Sender")]
#[must_use = "dropping the last LaggingChan closes it"]
pub struct LaggingChan<T>(Arc<BroadcastRing<Locked<T>>>);

impl<T> BroadcastChan<T> {
    /// Sends a value to all receivers, waiting for room.
    ///
    /// Blocks the thread; in a task, use [`send_async`](BroadcastChan::send_async) instead.
    ///
    /// ```
    /// let (chan, mut port) = pipes::broadcast(1);
    /// let receiving = std::thread::spawn(move || port.iter().sum::<i32>());
    /// (1..=3).try_for_each(|number| chan.send(number))?;
    /// drop(chan);
    /// assert_eq!(receiving.join().expect("it does not panic"), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no receiver; the error contains the value. A later send succeeds if there is one again.
    #[track_caller]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        let sent = BroadcastSendFuture::new(&self.0, value).block(Location::caller(), || None);
        // Without a deadline there is no timeout.
        sent.map_err(|error| SendError(error.into_payload()))
    }

    /// Sends a value to all receivers if there is room now. Never blocks.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (chan, port) = pipes::broadcast(1);
    /// assert_eq!(chan.try_send(1), Ok(()));
    /// assert_eq!(chan.try_send(2), Err(TrySendError::Full(2)));
    /// drop(port);
    /// assert_eq!(chan.try_send(3), Err(TrySendError::Closed(3)));
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is no room, or other senders wait for it; `Closed` if there is no receiver. The error
    /// contains the value.
    pub fn try_send(&self, value: T) -> Result<(), TrySendError<T>> {
        self.0.send(value, &mut None).or(TrySendError::Full, TrySendError::Closed)
    }

    /// Sends a value to all receivers, waiting for room for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`send_async`](BroadcastChan::send_async) under a timeout instead.
    ///
    /// A timeout too long for the clock waits forever.
    ///
    /// ```
    /// use pipes::SendTimeoutError;
    /// use std::time::Duration;
    ///
    /// let (chan, _port) = pipes::broadcast(1);
    /// chan.send(1)?;
    /// let late = chan.send_timeout(2, Duration::from_millis(1));
    /// assert_eq!(late, Err(SendTimeoutError::Timeout(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if there was no room in time; `Closed` if there is no receiver. The error contains the
    /// value.
    #[track_caller]
    pub fn send_timeout(&self, value: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        BroadcastSendFuture::new(&self.0, value)
            .block(Location::caller(), || Instant::now().checked_add(timeout))
    }

    /// Sends a value to all receivers, waiting for room until the deadline at the latest.
    ///
    /// Blocks the thread; in a task, use [`send_async`](BroadcastChan::send_async) under a timeout instead.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let (chan, _port) = pipes::broadcast(1);
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// chan.send_deadline(1, deadline)?;
    /// assert!(chan.send_deadline(2, deadline).is_err(), "there is no room");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Timeout` if there was no room in time; `Closed` if there is no receiver. The error contains the
    /// value.
    #[track_caller]
    pub fn send_deadline(&self, value: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        BroadcastSendFuture::new(&self.0, value).block(Location::caller(), || Some(deadline))
    }

    /// Sends a value to all receivers, in a task, when there is room.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::broadcast(1);
    /// chan.send_async("hello").await?;
    /// assert_eq!(port.recv_async().await?, "hello");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Dropping the future before it completes sends nothing and drops the value; see
    /// [`BroadcastSendFuture::into_inner`]. A future that was polled and is neither polled again nor dropped
    /// keeps its place in the line, and those behind it wait.
    #[track_caller]
    pub fn send_async(&self, value: T) -> BroadcastSendFuture<'_, T> {
        BroadcastSendFuture::new(&self.0, value)
    }
}

impl<T> LaggingChan<T> {
    /// Sends a value to all receivers. Never waits for them.
    ///
    /// ```
    /// let (chan, mut port) = pipes::broadcast_lagging(1);
    /// chan.send("overwritten")?;
    /// chan.send("there")?;
    /// assert_eq!(port.recv()?, Err(pipes::Lagged(1)));
    /// assert_eq!(port.recv()?, Ok("there"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no receiver; the error contains the value. A later send succeeds if there is one again.
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        self.0.send(value, &mut None).or(SendError, SendError)
    }
}

/// Implements what both kinds of chans have.
macro_rules! chans {
    ($($chan:ident, $name:literal, $place:ident, $port:ident, $channel:literal;)*) => {
        $(impl<T> $chan<T> {
            /// Returns the sender that the ring has from the beginning.
            pub(super) fn new(ring: Arc<BroadcastRing<$place<T>>>) -> Self {
                $chan(ring)
            }

            pub(super) fn ring(&self) -> &BroadcastRing<$place<T>> {
                &self.0
            }

            /// Returns a new receiver, which gets the messages that are sent from now on.
            ///
            /// ```
            #[doc = concat!("let (chan, port) = pipes::", $channel, "::<u32>(1);")]
            /// drop(port);
            /// assert!(chan.send(1).is_err(), "there is no receiver");
            /// let port = chan.subscribe();
            /// assert!(chan.send(2).is_ok());
            /// # drop(port);
            /// ```
            pub fn subscribe(&self) -> $port<T> {
                $port::new(BroadcastReceiver::subscribe(&self.0))
            }

            /// Returns `true` if there is no receiver, so that a send would fail. Both answers may already be
            /// stale, because receivers come and go.
            ///
            /// ```
            #[doc = concat!("let (chan, port) = pipes::", $channel, "::<u32>(1);")]
            /// assert!(!chan.is_closed());
            /// drop(port);
            /// assert!(chan.is_closed());
            /// ```
            pub fn is_closed(&self) -> bool {
                self.0.has_no_receiver()
            }

            /// Returns the number of messages that the channel holds.
            ///
            /// ```
            #[doc = concat!("assert_eq!(pipes::", $channel, "::<u32>(8).0.capacity(), 8);")]
            /// ```
            pub fn capacity(&self) -> usize {
                self.0.capacity()
            }
        }

        impl<T> Clone for $chan<T> {
            fn clone(&self) -> Self {
                self.0.add_sender();
                $chan(self.0.clone())
            }
        }

        impl<T> Drop for $chan<T> {
            fn drop(&mut self) {
                self.0.remove_sender();
            }
        }

        impl<T> fmt::Debug for $chan<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct($name).field("closed", &self.is_closed()).finish()
            }
        })*
    };
}

chans! {
    BroadcastChan, "BroadcastChan", Claimed, BroadcastPort, "broadcast";
    LaggingChan, "LaggingChan", Locked, LaggingPort, "broadcast_lagging";
}
