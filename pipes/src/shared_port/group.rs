//! What the receivers of a shared port share.

use super::line::Line;
use crate::endpoint::{Later, Readiness, TryRecvError};
use crate::slot::Tray;
use crate::stream::{Ahead, Port};
use crate::sync::WakeArc;
use std::collections::VecDeque;
use std::task::{Context, Waker};

/// The state that the receivers share.
pub(super) struct Group<T> {
    /// The stock, and values that were received ahead. Its lock is taken before that of the line, never
    /// after it.
    pub(super) tray: Tray<T, Stock<T>>,
    /// What a receiver owes for a value from the tray.
    pub(super) ahead: Ahead,
    pub(super) line: WakeArc<Line>,
    /// The line's waker. It is made once, because wakers are compared by addresses, and two wakers of one
    /// line need not have the same.
    waker: Waker,
}

/// Where the messages come from that are not in the tray.
pub(super) struct Stock<T> {
    /// Messages that were kept for a receiver which was dropped.
    given_back: VecDeque<T>,
    /// The number of messages that are kept. Each of them may still be given back, so while there are any,
    /// no other receiver finds the end.
    kept: usize,
    /// The number of messages that were taken out, also into the tray.
    taken: usize,
    port: Port<T>,
}

impl<T> Stock<T> {
    /// Takes a message into `into`, if there is one. Adds the senders that are to be woken to `senders`.
    pub(super) fn take(&mut self, into: &mut Option<T>, senders: &mut Later) -> Result<(), TryRecvError> {
        let looked = if self.given_back.is_empty() {
            self.port.try_recv_quietly(into, senders)
        } else {
            *into = self.given_back.pop_front();
            Ok(())
        };
        self.taken = self.taken.wrapping_add(usize::from(looked.is_ok()));
        match looked {
            Err(TryRecvError::Closed) if self.kept > 0 => Err(TryRecvError::Empty(())),
            looked => looked,
        }
    }

    /// Takes a message for the tray.
    pub(super) fn take_ahead(&mut self) -> Option<T> {
        let message = self.port.take_ahead();
        self.taken = self.taken.wrapping_add(usize::from(message.is_some()));
        message
    }

    /// The number of messages that were taken out, or that a sender has withdrawn.
    pub(super) fn losses(&mut self) -> usize {
        self.taken.wrapping_add(self.port.losses().unwrap_or(0))
    }

    /// A receiver keeps the message that it has taken.
    pub(super) fn keep(&mut self) {
        self.kept += 1;
    }

    /// A receiver no longer keeps its message: it has received it, or gives it back.
    pub(super) fn release(&mut self, message: Option<T>) {
        self.kept -= 1;
        if let Some(message) = message {
            self.given_back.push_back(message);
        }
    }

    /// Is a message here?
    pub(super) fn is_ready(&self) -> bool {
        !self.given_back.is_empty() || self.port.is_ready()
    }

    /// Has the sender left, with no message here or kept?
    pub(super) fn is_closed(&self) -> bool {
        self.kept == 0 && self.given_back.is_empty() && self.port.is_closed()
    }

    pub(super) fn capacity(&self) -> Option<usize> {
        self.port.capacity()
    }
}

impl<T> Group<T> {
    pub(super) fn new(port: Port<T>) -> Self {
        let line = WakeArc::new(Line::new());
        let waker = line.clone().into();
        let ahead = port.ahead();
        let stock = Stock { given_back: VecDeque::new(), kept: 0, taken: 0, port };
        Group { tray: Tray::new(stock), ahead, line, waker }
    }

    /// After any look at the stock: takes the receivers out of the line that are to be woken because there
    /// are more messages. If there are none, registers the line's waker.
    pub(super) fn look_after_the_rest(&self, stock: &mut Stock<T>) -> Later {
        if self.line.is_empty() {
            return Later::default();
        }
        if !self.tray.is_empty() || !stock.given_back.is_empty() {
            return self.line.call();
        }
        let ready = stock.port.poll_ready(&mut Context::from_waker(&self.waker)).is_ready();
        if ready && !stock.port.is_closed() {
            self.line.call()
        } else if ready && stock.kept == 0 {
            self.line.call_all()
        } else {
            // The line's waker is registered, or the last receiver that keeps a message looks here again.
            Later::default()
        }
    }
}

impl<T> Drop for Group<T> {
    fn drop(&mut self) {
        self.tray.lock().port.refuse();
    }
}
