//! The flag of a wait; [`park`](super::park) says why each wait has one.

use crate::sync::{Flag, Ordering, Thread, WakeArc};
use std::task::Wake;

/// The flag of a wait, which its waker sets.
pub(super) struct WakeFlag {
    woken: Flag,
    pub(super) thread: Thread,
}

impl WakeFlag {
    /// Creates the flag of a thread.
    pub(super) fn new(thread: Thread) -> WakeArc<Self> {
        WakeArc::new(WakeFlag { woken: Flag::new(), thread })
    }

    /// Clears the flag, before a look.
    pub(super) fn clear(&self) {
        // ORDERING: Acquire pairs with `wake`: the look sees what had come when the waker was called. It is a
        // swap and not a store, because a store could clear the flag without seeing what came before it.
        self.woken.take(Ordering::Acquire);
    }

    /// Returns `true` if the waker was called. The call may belong to an earlier wait, which only costs a
    /// look.
    pub(super) fn is_set(&self) -> bool {
        // ORDERING: Relaxed: if other code of this thread has used the token up, that code has seen the
        // unpark, and with it the flag that was set before; otherwise the token is still there. To a thread
        // that looks from outside, it is a hint.
        self.woken.load(Ordering::Relaxed)
    }
}

impl Wake for WakeFlag {
    fn wake(self: WakeArc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &WakeArc<Self>) {
        // ORDERING: Release pairs with `clear`: the next look sees what has come.
        self.woken.set(Ordering::Release);
        self.thread.unpark();
    }
}
