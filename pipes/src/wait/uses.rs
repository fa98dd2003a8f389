//! What happens to the ends of a channel, for [`inspect`](crate::inspect). Only the feature `inspect` records
//! it; without it, the functions here do nothing, and nothing is left of their calls.
//!
//! The owner of an end that lies in a variable cannot be seen. Its last user is the best guess: most ends are
//! used by the thread or the task that owns them.
//!
//! Side 0 of a channel is the client of a session, or the senders; side 1 is the other one.

use super::ends::EndInfo;
use super::living::{Holder, LivingChannel, LivingSide};
#[cfg(feature = "inspect")]
use super::table;
use std::any::type_name;

/// Returns what is known of the ends of a side: nothing without the feature.
pub(crate) fn look(channel: usize, side: usize) -> LivingSide {
    #[cfg(feature = "inspect")]
    return table::look(channel, side).unwrap_or_default();
    #[cfg(not(feature = "inspect"))]
    {
        let _ = (channel, side);
        LivingSide::default()
    }
}

/// Returns all living channels: none without the feature.
pub(crate) fn channels() -> Vec<LivingChannel> {
    #[cfg(feature = "inspect")]
    return table::channels();
    #[cfg(not(feature = "inspect"))]
    Vec::new()
}

/// Calls the function. The thread declares that each end that it uses meanwhile stays with it until the
/// function returns.
pub(crate) fn scope<R>(name: &str, call: impl FnOnce() -> R) -> R {
    #[cfg(feature = "inspect")]
    return table::scope(name, call);
    #[cfg(not(feature = "inspect"))]
    {
        let _ = name;
        call()
    }
}

/// Makes a channel whose ends are held by the library: in a backlog until they are used, in a connection
/// until they are dropped.
#[cfg_attr(not(feature = "proto"), expect(dead_code, reason = "only sessions are held by the library"))]
pub(crate) fn made_for<R>(holders: [Option<Holder>; 2], make: impl FnOnce() -> R) -> R {
    #[cfg(feature = "inspect")]
    return table::made_for(holders, make);
    #[cfg(not(feature = "inspect"))]
    {
        drop(holders);
        make()
    }
}

/// Notes that a channel was made here, with one end at each side. `end` describes one of them.
#[inline(always)]
pub(crate) fn made(channel: usize, end: &'static EndInfo) {
    #[cfg(feature = "inspect")]
    table::made(channel, end);
    let _ = (channel, end);
}

/// Notes that a side may have many ends, also such as become ends later.
#[inline(always)]
pub(crate) fn may_be_many(channel: usize, side: usize) {
    #[cfg(feature = "inspect")]
    table::may_be_many(channel, side);
    let _ = (channel, side);
}

/// Notes that an end is used here.
#[inline(always)]
pub(crate) fn used(channel: usize, side: usize) {
    #[cfg(feature = "inspect")]
    table::with(channel, |it| it.sides[side].used());
    let _ = (channel, side);
}

/// Notes that messages with payloads of this type are sent from this side.
#[inline(always)]
pub(crate) fn sent<T>(channel: usize, side: usize, messages: usize) {
    #[cfg(feature = "inspect")]
    table::with(channel, |it| it.sides[side].sent(messages, type_name::<T>()));
    let _ = (channel, side, messages, type_name::<T>);
}

/// Notes that messages are taken at this side.
#[inline(always)]
pub(crate) fn received(channel: usize, side: usize, messages: usize) {
    #[cfg(feature = "inspect")]
    table::with(channel, |it| it.sides[1 - side].received(messages));
    let _ = (channel, side, messages);
}

/// Notes that there is one end more at a side.
#[inline(always)]
pub(crate) fn joined(channel: usize, side: usize) {
    #[cfg(feature = "inspect")]
    table::with(channel, |it| it.sides[side].joined());
    let _ = (channel, side);
}

/// Notes that one of the ends of a side is dropped here.
#[inline(always)]
pub(crate) fn left(channel: usize, side: usize) {
    #[cfg(feature = "inspect")]
    table::with(channel, |it| it.sides[side].left());
    let _ = (channel, side);
}

/// Notes that the channel is about to be freed.
#[inline(always)]
pub(crate) fn freed(channel: usize) {
    #[cfg(feature = "inspect")]
    table::freed(channel);
    let _ = channel;
}
