//! Permits: room that is reserved before there is a value.

use super::chan::Chan;
use super::permits::Held;
use super::shared::SharedChan;
use crate::endpoint::SendError;
use crate::slot::SharedSender;
use std::fmt;

/// Room for one value in a stream; see [`SharedChan::reserve`] and [`Chan::reserve`]. Dropping it gives the
/// room back; if it is forgotten, a stream with many senders has less room from then on.
#[must_use = "dropping a permit gives the room back"]
pub struct Permit<'a, T>(pub(super) Room<'a, T>);

/// Who has the room.
pub(super) enum Room<'a, T> {
    /// The only sender, whose room stays as long as it does not send.
    OfAll(&'a mut Chan<T>),
    /// One of many senders. It has no permit in an unbounded stream.
    OfOne(&'a SharedSender<T>, Option<Held<'a>>),
}

impl<T> Permit<'_, T> {
    /// Sends a value. Never blocks.
    ///
    /// ```
    /// let (chan, mut port) = pipes::shared_sync_stream(1);
    /// chan.reserve()?.send(1)?;
    /// assert_eq!(port.recv(), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the error contains the value.
    pub fn send(self, value: T) -> Result<(), SendError<T>> {
        match self.0 {
            Room::OfAll(chan) => chan.send(value),
            Room::OfOne(sender, held) => {
                if let Some(held) = held {
                    held.forget();
                }
                sender.send(value).map_err(SendError)
            }
        }
    }

    /// Keeps the room, for a chan that notes it.
    pub(super) fn keep(self) {
        if let Room::OfOne(_, Some(held)) = self.0 {
            held.forget();
        }
    }
}

impl<T> fmt::Debug for Permit<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_closed = match &self.0 {
            Room::OfAll(chan) => chan.is_closed(),
            Room::OfOne(sender, _) => sender.receiver_has_left(),
        };
        f.debug_struct("Permit").field("closed", &is_closed).finish()
    }
}

/// Room for one value in a stream with many senders, with the chan that has reserved it; see
/// [`SharedChan::reserve_owned`]. Dropping it gives the room back, and drops the chan.
// The chan keeps the room in the way in which it does so as a sink, so it gives it back when it is dropped.
#[must_use = "dropping a permit gives the room back"]
pub struct OwnedPermit<T>(SharedChan<T>);

impl<T> OwnedPermit<T> {
    /// The chan must have reserved room.
    pub(super) fn of(chan: SharedChan<T>) -> Self {
        OwnedPermit(chan)
    }

    /// Sends a value, and returns the chan. Never blocks.
    ///
    /// ```
    /// let (chan, mut port) = pipes::shared_sync_stream(1);
    /// let chan = chan.reserve_owned()?.send(1)?;
    /// assert_eq!(port.recv(), Ok(1));
    /// chan.send(2)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the error contains the value.
    pub fn send(mut self, value: T) -> Result<SharedChan<T>, SendError<T>> {
        self.0.send_reserved(value)?;
        Ok(self.0)
    }

    /// Gives the room back, and returns the chan.
    ///
    /// ```
    /// let (chan, _port) = pipes::shared_sync_stream(1);
    /// let permit = chan.clone().reserve_owned()?;
    /// assert!(chan.try_send(1).is_err(), "the room is reserved");
    /// permit.release().send(1)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn release(mut self) -> SharedChan<T> {
        self.0.release();
        self.0
    }
}

impl<T> fmt::Debug for OwnedPermit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedPermit").field("closed", &self.0.is_closed()).finish()
    }
}
