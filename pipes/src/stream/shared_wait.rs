//! How one of many senders waits, until there is room or its value is taken.

use super::permits::Permits;
use super::shared::{SharedChan, SharedFlavor};
use crate::endpoint::{Closing, SendError};
use crate::slot::SharedSender;
use crate::wait::{Awaited, AwaitedEnd, Caller, EndInfo, EndList, wait_until};
use std::time::Instant;

impl<T> SharedChan<T> {
    /// Describes a sender that waits for room.
    pub(super) const ROOM: &'static EndInfo = &EndInfo::sender::<T>("SharedChan", Awaited::Room);

    /// Describes a sender that waits for the port to leave.
    pub(super) const CLOSE: &'static EndInfo = &EndInfo::sender::<T>("SharedChan", Awaited::Close);

    /// Says what a send waits for.
    pub(super) fn room_end(&self, list: &mut EndList) {
        list.add(Self::ROOM, self.channel());
    }

    /// Takes a permit for a message that is about to be sent, waiting until there is one.
    #[cold]
    pub(super) fn wait_to_send(&self, caller: Caller) {
        if let SharedFlavor::Bounded(sender, permits) = &self.flavor {
            let held = permits.take(|| None, room_of(sender), caller);
            held.expect("without a deadline it waits until there is one").forget();
        }
    }

    /// Waits until the port has left. Returns `false` if the deadline passed first. To other threads, the
    /// chan is this end.
    pub(super) fn wait_closed_as(
        &mut self,
        deadline: Option<Instant>,
        end: &'static EndInfo,
        caller: Caller,
    ) -> bool {
        if deadline.is_none_or(|deadline| deadline > Instant::now()) {
            let awaited = AwaitedEnd { end, channel: self.channel() };
            wait_until(caller, &awaited, || deadline, |cx| Closing::poll_closed(self, cx));
        }
        self.close_waiters.port_has_left()
    }

    /// Sends into a stream of capacity 0. This is a separate function, so that it does not slow down the
    /// other kinds.
    #[inline(never)]
    pub(super) fn offer(&self, value: T, end: &'static EndInfo, caller: Caller) -> Result<(), SendError<T>> {
        match &self.flavor {
            SharedFlavor::Rendezvous(sender) => {
                sender.send(value, || None, end, caller).or(SendError, SendError)
            }
            SharedFlavor::Unbounded(_) | SharedFlavor::Bounded(..) => unreachable!("it has a capacity"),
        }
    }
}

/// Takes a permit for a message that is about to be sent, if there is one. This is a separate function, so
/// that bounded streams do not slow down the others.
#[inline(never)]
pub(super) fn take_to_send(permits: &Permits) -> bool {
    match permits.try_take(1) {
        Some(held) => {
            held.forget();
            true
        }
        None => false,
    }
}

/// What a sender waits for that needs room.
pub(super) fn room_of<T>(sender: &SharedSender<T>) -> AwaitedEnd {
    AwaitedEnd { end: SharedChan::<T>::ROOM, channel: sender.channel() }
}
