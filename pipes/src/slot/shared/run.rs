//! Several messages in one call.
//!
//! Unlike in the other streams, each message is claimed and published by itself. If one claim gave a sender
//! several slots, the receiver could skip some of them and find later ones full, and the messages of that
//! sender would change their order.

use super::recv::SharedReceiver;
use super::send::SharedSender;
use crate::slot::outgoing::Outgoing;
use crate::slot::received::Received;
use std::num::NonZero;

impl<T> SharedSender<T> {
    /// Sends all of the values, one after the other. Returns `false` if the receiver has left. The values
    /// that are left were not sent then.
    pub(crate) fn send_all(&self, values: &mut Outgoing<'_, T>) -> bool {
        while let Some(value) = values.take() {
            if let Err(value) = self.send(value) {
                values.put_back(value);
                return false;
            }
        }
        true
    }
}

impl<T> SharedReceiver<T> {
    /// Appends the values that are there, but at most `limit` of them.
    pub(crate) fn take_run(&mut self, into: &mut Vec<T>, limit: NonZero<usize>) -> Received<(), ()> {
        for count in 0..limit.get() {
            if into.len() == into.capacity() && self.peek() == Some(true) {
                into.reserve(1);
            }
            match self.take() {
                Received::Message(value) => into.push(value),
                _ if count > 0 => break,
                Received::Nothing(()) => return Received::Nothing(()),
                Received::Closed => return Received::Closed,
            }
        }
        Received::Message(())
    }
}
