//! Waiting for the first of a few receivers, of one type or of many, or for the first chan that has room.
//!
//! The macros and the functions of 2012 do the same: they look at all receivers, beginning with a random one;
//! if none is ready, they register with all of them and sleep. The registrations stay when the wait is over,
//! which costs the next wait nothing and a sender at most one needless wake-up. The cost grows with the
//! number of receivers; for many receivers there is the [`PortSet`](crate::PortSet), which can be one of
//! them.
//!
//! An arm that sends waits with a [`SendRequest`](crate::endpoint::SendRequest), which the macro makes of the
//! chan for the time of the wait. To these functions it is a [`Readiness`] like the receivers: ready when
//! there is room. One that has said so is chosen, because they stop there; so it may reserve the room.
//!
//! # Layers
//!
//! Uses `endpoint` and `sync`; used by the macros, through `__private`.

mod functions;
mod generated;
mod macros;

pub use self::functions::{select, select2};
#[cfg(not(feature = "proto"))]
pub use self::generated::at;

use crate::endpoint::{Readiness, budget, would_complete};
use crate::sync::{chance, linger, wait_until};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Receivers to choose from, and requests for room.
pub type Receivers<'a, 'b> = &'a mut [&'b mut dyn Readiness];

/// The deadline of a wait of this length that begins now; None if the clock cannot represent it.
pub fn deadline_after(timeout: Duration) -> Option<Instant> {
    Instant::now().checked_add(timeout)
}

/// Chooses a receiver that is enabled and ready, if there is one.
pub fn choose_now(receivers: Receivers<'_, '_>, enabled: &[bool]) -> Option<usize> {
    around(enabled).find(|&index| receivers[index].is_certain())
}

/// Chooses a receiver that is enabled and ready; blocks the thread until there is one, or the deadline has
/// passed.
pub fn choose(receivers: Receivers<'_, '_>, enabled: &[bool], deadline: Option<Instant>) -> Option<usize> {
    let mut chosen = choose_now(receivers, enabled);
    if chosen.is_some() || deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        return chosen;
    }
    linger(false, || {
        chosen = choose_now(receivers, enabled);
        chosen.is_some()
    });
    if chosen.is_some() {
        return chosen;
    }
    wait_until(|| deadline, |cx| poll_first(receivers, enabled, cx))
        .or_else(|| choose_now(receivers, enabled))
}

/// Chooses a receiver that is enabled and ready; otherwise, or if it gives way, the task is woken.
pub fn poll_choose(mut receivers: Receivers<'_, '_>, enabled: &[bool], cx: &mut Context<'_>) -> Poll<usize> {
    let any_would_complete = |receivers: &mut Receivers<'_, '_>| {
        around(enabled).any(|index| would_complete(&mut *receivers[index]))
    };
    budget::receive(&mut receivers, cx, any_would_complete, |receivers, cx| {
        poll_first(receivers, enabled, cx)
    })
}

/// Chooses a receiver that is enabled and ready; otherwise the task is woken when there is one.
fn poll_first(receivers: Receivers<'_, '_>, enabled: &[bool], cx: &mut Context<'_>) -> Poll<usize> {
    let ready = around(enabled).find(|&index| receivers[index].poll_ready(cx).is_ready());
    ready.map_or(Poll::Pending, Poll::Ready)
}

/// All enabled indices in order, beginning at a random one.
fn around(enabled: &[bool]) -> impl Iterator<Item = usize> {
    let first = chance(enabled.len());
    (first..enabled.len()).chain(0..first).filter(|&index| enabled[index])
}
