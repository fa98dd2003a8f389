//! The senders of a stream with many senders that wait until the port is dropped.

use crate::sync::{Arc, Lock};
use crate::wait::{DeferredWakes, WakerList};
use std::task::Waker;

/// The senders that wait until the port is dropped.
pub(super) struct CloseWaiters(Lock<WaitersOrClosed>);

struct WaitersOrClosed {
    wakers: WakerList,
    /// `true` once the port was dropped, with all unread values.
    gone: bool,
}

impl CloseWaiters {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(CloseWaiters(Lock::new(WaitersOrClosed { wakers: WakerList::new(), gone: false })))
    }

    /// Returns `true` if the port was dropped.
    pub(super) fn port_has_left(&self) -> bool {
        self.0.lock().gone
    }

    /// Enters a waker, in the entry of the ticket if there is one. Returns the waker that is no longer
    /// needed, and `true` if the port was dropped.
    pub(super) fn enter(&self, ticket: &mut Option<u64>, waker: Waker) -> (Option<Waker>, bool) {
        let mut watching = self.0.lock();
        if watching.gone { (Some(waker), true) } else { (watching.wakers.enter(ticket, waker, ()), false) }
    }

    /// Takes a waker out, unless it was woken.
    pub(super) fn leave(&self, ticket: u64) -> Option<Waker> {
        self.0.lock().wakers.remove(ticket).map(|(waker, ())| waker)
    }
}

/// Belongs to the port, and wakes the watching senders when it is dropped.
pub(super) struct WakeOnDrop(Arc<CloseWaiters>);

impl WakeOnDrop {
    pub(super) fn new(close_waiters: Arc<CloseWaiters>) -> Self {
        WakeOnDrop(close_waiters)
    }
}

impl Drop for WakeOnDrop {
    fn drop(&mut self) {
        let mut watching = self.0.0.lock();
        watching.gone = true;
        let wakes = DeferredWakes::of(watching.wakers.take());
        drop(watching);
        drop(wakes);
    }
}
