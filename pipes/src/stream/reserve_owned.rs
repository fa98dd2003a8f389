//! Reserving room in a stream with many senders for a chan that moves with it.

use super::permit::{OwnedPermit, Permit};
use super::shared::SharedChan;
use super::sink::Reserved;
use crate::endpoint::{SendError, TrySendError};
use crate::wait::PendingWait;
use std::future::{Future, poll_fn};

impl<T> SharedChan<T> {
    /// Reserves room for one value, waiting until there is room, and returns it with this chan, which it
    /// contains. So it can be moved to another thread or task.
    ///
    /// Blocks the thread; in a task, use [`reserve_owned_async`](SharedChan::reserve_owned_async) instead.
    ///
    /// ```
    /// let (chan, mut port) = pipes::shared_sync_stream(1);
    /// let permit = chan.clone().reserve_owned()?;
    /// std::thread::spawn(move || permit.send(1).is_ok());
    /// assert_eq!(port.recv(), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The port was dropped; the error contains the chan.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve_owned(mut self) -> Result<OwnedPermit<T>, SendError<SharedChan<T>>> {
        self.release();
        if self.reserve().map(Permit::keep).is_err() {
            return Err(SendError(self));
        }
        self.reserved = Reserved::Room;
        Ok(OwnedPermit::of(self))
    }

    /// Reserves room for one value if there is room now, and returns it with this chan. Never blocks.
    ///
    /// ```
    /// use pipes::TrySendError;
    ///
    /// let (chan, _port) = pipes::shared_sync_stream(1);
    /// chan.send(1)?;
    /// let Err(TrySendError::Full(chan)) = chan.try_reserve_owned() else {
    ///     panic!("there is room")
    /// };
    /// assert_eq!(chan.try_send(2), Err(TrySendError::Full(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Full` if there is no room, or other senders wait for it; `Closed` if the port was dropped. The error
    /// contains the chan.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn try_reserve_owned(mut self) -> Result<OwnedPermit<T>, TrySendError<SharedChan<T>>> {
        self.release();
        let reserved = self.try_reserve().map(Permit::keep);
        match reserved {
            Ok(()) => {}
            Err(TrySendError::Full(())) => return Err(TrySendError::Full(self)),
            Err(TrySendError::Closed(())) => return Err(TrySendError::Closed(self)),
        }
        self.reserved = Reserved::Room;
        Ok(OwnedPermit::of(self))
    }

    /// Reserves room for one value, in a task, and returns it with this chan.
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::shared_sync_stream(1);
    /// let permit = chan.reserve_owned_async().await?;
    /// permit.send("hello")?;
    /// assert_eq!(port.recv_async().await, Ok("hello"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Cancel safety
    ///
    /// As for [`reserve_async`](SharedChan::reserve_async), but the future owns the chan: if it is dropped,
    /// so is the chan.
    ///
    /// # Errors
    ///
    /// The port was dropped; the error contains the chan.
    ///
    /// # Panics
    ///
    /// Panics if the capacity is 0.
    #[track_caller]
    pub fn reserve_owned_async(
        mut self,
    ) -> impl Future<Output = Result<OwnedPermit<T>, SendError<SharedChan<T>>>> {
        self.room();
        let mut wait = PendingWait::new();
        async move {
            poll_fn(|cx| wait.poll(cx, &mut self, Self::room_end, Self::poll_room)).await;
            if self.is_closed() { Err(SendError(self)) } else { Ok(OwnedPermit::of(self)) }
        }
    }
}
