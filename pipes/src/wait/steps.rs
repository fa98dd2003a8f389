//! What threads do, step by step, for a recorder. Only the feature `inspect` records it; without it, the
//! functions here do nothing, and nothing is left of their calls.
//!
//! A channel is named by the address of its memory, and a slot by its own. Side 0 of a channel is the client
//! of a session, or the senders; side 1 is the other one. What a call passes as a closure is computed only if
//! it is recorded.
//!
//! A send is recorded before the message is published, and a receive before the slot is given free. So the
//! send comes first in time, and no other message is in the slot when the receive is recorded.

use super::ends::{Caller, Ends};
#[cfg(all(feature = "inspect", not(pipes_loom)))]
use super::rings::{self, RawChannel, RawKind, RawMessage};
use crate::state_info::StateInfo;
use std::any::type_name;

/// The most ends of a wait that are recorded.
#[cfg(all(feature = "inspect", not(pipes_loom)))]
const MOST_ENDS: usize = 8;

/// Notes that this thread has made a channel of this kind, such as a stream.
#[inline(always)]
pub(crate) fn made<T>(channel: usize, kind: &'static str) {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    if rings::is_active() {
        rings::push(RawKind::Made { channel, kind: RawChannel::Of(kind, type_name::<T>) });
    }
    let _ = (channel, kind, type_name::<T>);
}

/// Notes that this thread has made a session, which begins in this state.
#[inline(always)]
pub(crate) fn made_session(channel: usize, state: &'static StateInfo) {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    if rings::is_active() {
        rings::push(RawKind::Made { channel, kind: RawChannel::Session(state) });
    }
    let _ = (channel, state);
}

/// Notes that this thread is about to publish a value.
#[inline(always)]
pub(crate) fn sends<T>(channel: usize, side: usize, place: impl FnOnce() -> usize) {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    if rings::is_active() {
        rings::push_sent(channel, side, place(), RawMessage::Value(type_name::<T>));
        return;
    }
    let _ = (channel, side, place, type_name::<T>);
}

/// Notes that this thread is about to publish a message of this state. `F` is the closure with which the
/// method of the message makes what is received.
#[inline(always)]
pub(crate) fn sends_message<F>(
    channel: usize,
    side: usize,
    place: impl FnOnce() -> usize,
    state: &'static StateInfo,
) {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    if rings::is_active() {
        rings::push_sent(channel, side, place(), RawMessage::Of(state, type_name::<F>));
        return;
    }
    let _ = (channel, side, place, state, type_name::<F>);
}

/// Takes back the last notes of this thread, which are about this number of messages: they were not sent, or
/// were taken by a receiver that leaves.
#[inline(always)]
pub(crate) fn take_back(count: usize) {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    if rings::is_active() {
        rings::take_back(count);
    }
    let _ = count;
}

/// Notes that this thread has found a value, and is about to take it.
#[inline(always)]
pub(crate) fn receives<T>(channel: usize, side: usize, place: impl FnOnce() -> usize) {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    if rings::is_active() {
        rings::push_received(channel, side, place(), RawMessage::Value(type_name::<T>));
        return;
    }
    let _ = (channel, side, place, type_name::<T>);
}

/// Notes that this thread has found a message of this state, and is about to take it. `F` is that of
/// [`sends_message`].
#[inline(always)]
pub(crate) fn receives_message<F>(
    channel: usize,
    side: usize,
    place: impl FnOnce() -> usize,
    state: &'static StateInfo,
) {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    if rings::is_active() {
        rings::push_received(channel, side, place(), RawMessage::Of(state, type_name::<F>));
        return;
    }
    let _ = (channel, side, place, state, type_name::<F>);
}

/// Notes that this thread is about to close a side of a channel.
#[inline(always)]
pub(crate) fn closes(channel: usize, side: usize) {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    if rings::is_active() {
        rings::push(RawKind::Closed { channel, side });
    }
    let _ = (channel, side);
}

/// The sleeps of one wait. They are noted as one.
#[derive(Default)]
pub(super) struct Sleeps {
    #[cfg(all(feature = "inspect", not(pipes_loom)))]
    has_slept: bool,
}

impl Sleeps {
    /// Notes that this thread is about to sleep. It runs no code of the user.
    #[inline(always)]
    pub(super) fn begin(&mut self, caller: Caller, ends: &dyn Ends) {
        #[cfg(all(feature = "inspect", not(pipes_loom)))]
        if rings::is_active() && !self.has_slept {
            self.has_slept = true;
            let mut listed = super::ends::EndList::default();
            ends.list(&mut listed);
            listed.ends.truncate(MOST_ENDS);
            rings::push(RawKind::FellAsleep { caller, ends: listed.ends, other: listed.other });
        }
        let _ = (&self, caller, ends);
    }
}

#[cfg(all(feature = "inspect", not(pipes_loom)))]
impl Drop for Sleeps {
    fn drop(&mut self) {
        if self.has_slept {
            rings::push(RawKind::Woke);
        }
    }
}

/// Records a text.
#[cfg(all(feature = "inspect", not(pipes_loom)))]
pub(crate) fn note(text: impl FnOnce() -> String) {
    if rings::is_active() {
        rings::push(RawKind::Noted(text()));
    }
}
