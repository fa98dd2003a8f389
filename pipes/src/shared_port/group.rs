//! What the receivers of a shared port share.

use super::line::Line;
use crate::endpoint::Readiness;
use crate::slot::Tray;
use crate::stream::{Ahead, Port};
use crate::sync::WakeArc;
use crate::wait::Later;
use std::task::{Context, Waker};

/// The state that the receivers share.
pub(super) struct Group<T> {
    /// The port, and values that were received ahead. Its lock is taken before that of the line, never after
    /// it.
    pub(super) tray: Tray<T, Port<T>>,
    /// What a receiver owes for a value from the tray.
    pub(super) ahead: Ahead,
    pub(super) line: WakeArc<Line>,
    /// The line's waker. It is made once, because wakers are compared by addresses, and two wakers of one
    /// line need not have the same.
    waker: Waker,
}

impl<T> Group<T> {
    pub(super) fn new(port: Port<T>) -> Self {
        let line = WakeArc::new(Line::new());
        let waker = line.clone().into();
        let ahead = port.ahead();
        Group { tray: Tray::new(port), ahead, line, waker }
    }

    /// After any look at the port: takes the receiver out of the line that is to be woken because there are
    /// more messages. If there are none, registers the line's waker.
    pub(super) fn look_after_the_rest(&self, port: &mut Port<T>) -> Later {
        if self.line.is_empty() {
            return Later::default();
        }
        if !self.tray.is_empty() {
            return self.line.call();
        }
        let ready = port.poll_ready(&mut Context::from_waker(&self.waker)).is_ready();
        if !ready {
            Later::default()
        } else if port.is_closed() {
            self.line.call_all()
        } else {
            self.line.call()
        }
    }
}

impl<T> Drop for Group<T> {
    fn drop(&mut self) {
        self.tray.lock().refuse();
    }
}
