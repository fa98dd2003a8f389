//! Waiting for the first of a few receivers, of one type or of many, or for the first chan that has room.
//!
//! The macros and the functions `select` and `select2` do the same: they look at the receivers in random
//! order, up to one that is ready; if none is, they register with all of them and sleep. The registrations
//! stay when the wait is over, which costs the next wait nothing and a sender at most one needless wake-up.
//! The cost grows with the number of receivers; for many receivers there is the [`PortSet`](crate::PortSet),
//! which can be one of them.
//!
//! An arm that sends waits with a [`SendRequest`](crate::endpoint::SendRequest), which the macro makes of the
//! chan for the time of the wait. To these functions it is a [`Readiness`] like the receivers: ready when
//! there is room. A request that is found ready is the one that is chosen, because the functions stop there;
//! so it may reserve the room.
//!
//! # When none is ready
//!
//! What a receiver has stays there until this selection receives it. So the answer that none is ready, for
//! `default` or a deadline, is true at the moment at which the first one was looked at. Room is different,
//! because other senders may take it: of an arm that sends, the answer only says that there was none when
//! the selection looked.
//!
//! # Layers
//!
//! Uses `wait` and `endpoint`; used by the macros, through `__private`.

mod enabled;
mod functions;
mod generated;
mod macros;

pub use self::enabled::Enabled;
pub use self::functions::{select, select2};
#[cfg(not(feature = "proto"))]
pub use self::generated::at;

use self::enabled::first;
use crate::endpoint::{Readiness, would_complete};
use crate::wait::{budget, spin_then_yield, wait_until};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Receivers to choose from, and requests for room.
pub type Receivers<'a, 'b> = &'a mut [&'b mut dyn Readiness];

/// Returns the deadline of a wait of this length that begins now; `None` if the clock cannot represent it.
pub fn deadline_after(timeout: Duration) -> Option<Instant> {
    Instant::now().checked_add(timeout)
}

/// Chooses a receiver that is enabled and ready. Returns `None` if none of them was when it was looked at.
pub fn choose_now(receivers: Receivers<'_, '_>, enabled: &mut [usize]) -> Option<usize> {
    look(receivers, enabled)
}

#[inline]
fn look(receivers: Receivers<'_, '_>, enabled: &mut [usize]) -> Option<usize> {
    first(enabled, |index| !receivers[index].would_block())
}

/// Chooses a receiver that is enabled and ready, waiting until there is one, or until the deadline has
/// passed. Returns `None` if after that none of them was ready when it was looked at.
pub fn choose(
    receivers: Receivers<'_, '_>,
    enabled: &mut [usize],
    deadline: Option<Instant>,
) -> Option<usize> {
    let mut chosen = look(receivers, enabled);
    if chosen.is_some() {
        return chosen;
    }
    if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        return None;
    }
    let arrived = || {
        chosen = look(receivers, enabled);
        chosen.is_some()
    };
    spin_then_yield(1, arrived, |_| false);
    if chosen.is_some() {
        return chosen;
    }
    wait_until(|| deadline, |cx| poll_first(receivers, enabled, cx)).or_else(|| look(receivers, enabled))
}

/// Chooses a receiver that is enabled and ready; otherwise, or if it gives way, the task is woken.
pub fn poll_choose(receivers: Receivers<'_, '_>, enabled: &mut [usize], cx: &mut Context<'_>) -> Poll<usize> {
    let mut arms = (receivers, enabled);
    budget::receive(
        &mut arms,
        cx,
        |(receivers, enabled)| enabled.iter().any(|&index| would_complete(&mut *receivers[index])),
        |(receivers, enabled), cx| poll_first(receivers, enabled, cx),
    )
}

/// Chooses a receiver that is enabled and ready; otherwise the task is woken when there is one.
fn poll_first(receivers: Receivers<'_, '_>, enabled: &mut [usize], cx: &mut Context<'_>) -> Poll<usize> {
    let ready = first(enabled, |index| receivers[index].poll_ready(cx).is_ready());
    ready.map_or(Poll::Pending, Poll::Ready)
}
