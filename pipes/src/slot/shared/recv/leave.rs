//! How the receiver leaves: it rejects all further sends, and takes the messages that it has not received, to
//! drop or to keep them.

use super::SharedReceiver;
use crate::slot::impossible::impossible;
use crate::slot::shared::state::SlotState;
use crate::slot::shared::tail::At;
use crate::wait::{Party, Waitable, steps};
use std::mem::forget;

impl<T> SharedReceiver<T> {
    /// Makes all sends fail from now on, because the receiver is about to leave.
    pub(crate) fn reject_sends(&mut self) {
        self.queue.tail.close();
    }

    /// Appends the values that were sent and not received. From now on no send succeeds, because the receiver
    /// is about to leave.
    pub(crate) fn drain(&mut self, into: &mut Vec<T>) {
        let _waiter = self.unregister();
        let end = self.queue.tail.close();
        while let Some(value) = self.take_rest(end) {
            into.push(value);
        }
    }

    /// Takes the next message that was not received, when no more slots are claimed; skips the slots that
    /// are not published.
    fn take_rest(&mut self, end: At<T>) -> Option<T> {
        loop {
            if self.block == end.block() && self.index == end.claimed() {
                return None;
            }
            if let Some(value) = self.take_here() {
                steps::take_back(1);
                return Some(value);
            }
            match self.look() {
                SlotState::Closed => return None,
                SlotState::Full => self.follow_link(),
                SlotState::Empty => self.skip(),
                found @ (SlotState::Waiting | SlotState::Skipped) => impossible(found),
            }
        }
    }

    /// Drops the messages that were not received, one after the other. If a destructor panics, the others
    /// still run.
    fn drop_rest(&mut self, end: At<T>) {
        struct Unwinding<'a, T>(&'a mut SharedReceiver<T>, At<T>);
        impl<T> Drop for Unwinding<'_, T> {
            fn drop(&mut self) {
                self.0.drop_rest(self.1);
            }
        }
        while let Some(value) = self.take_rest(end) {
            let unwinding = Unwinding(self, end);
            drop(value);
            forget(unwinding);
        }
    }
}

impl<T> Drop for SharedReceiver<T> {
    fn drop(&mut self) {
        steps::closes(self.channel(), Party::Receiver as usize);
        // Dropped last: a waker's destructor is its executor's code, and may panic.
        let _waiter = self.unregister();
        // The tail may have been closed before, by `reject_sends`. Then it may also count senders that were
        // refused in between. Their slots, in the last block, are empty, and are skipped.
        let end = self.queue.tail.close();
        self.drop_rest(end);
    }
}
