//! Waiting for the first of a few receivers, of one type or of many, or for the first chan that has room.
//!
//! The macros, the functions `select` and `select2`, and [`Select`] do the same: they look at the receivers
//! in random order, or if they are biased in the order in which these are written, up to one that is ready;
//! if none is, they register with all of them and sleep. The registrations stay when the wait is over, which
//! costs the next wait nothing and a sender at most one needless wake-up. The cost grows with the number of
//! receivers; for many receivers there is the [`PortSet`](crate::PortSet), which can be one of them.
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
mod run_time;

pub use self::enabled::Enabled;
pub use self::functions::{select, select2};
#[cfg(not(feature = "proto"))]
pub use self::generated::at;
pub use self::run_time::Select;

use self::enabled::first;
use crate::endpoint::{Readiness, would_complete};
use crate::sync::may_block;
use crate::wait::{EndList, PendingWait, budget, spin_then_yield, wait_until};
use std::panic::Location;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Returns the deadline of a wait of this length that begins now; `None` if the clock cannot represent it.
pub fn deadline_after(timeout: Duration) -> Option<Instant> {
    Instant::now().checked_add(timeout)
}

/// Chooses a receiver that is enabled and ready. Returns `None` if none of them was when it was looked at.
pub fn choose_now<const BIASED: bool, R: Readiness + ?Sized>(
    receivers: &mut [&mut R],
    enabled: &mut [usize],
) -> Option<usize> {
    look::<BIASED, R>(receivers, enabled)
}

#[inline]
fn look<const BIASED: bool, R: Readiness + ?Sized>(
    receivers: &mut [&mut R],
    enabled: &mut [usize],
) -> Option<usize> {
    first::<BIASED>(enabled, |index| !receivers[index].would_block())
}

/// Chooses a receiver that is enabled and ready, waiting until there is one, or until the deadline has
/// passed. Returns `None` if after that none of them was ready when it was looked at.
#[track_caller]
pub fn choose<const BIASED: bool, R: Readiness + ?Sized>(
    receivers: &mut [&mut R],
    enabled: &mut [usize],
    deadline: Option<Instant>,
) -> Option<usize> {
    const { may_block() };
    choose_until::<BIASED, R>(receivers, enabled, deadline)
}

#[track_caller]
fn choose_until<const BIASED: bool, R: Readiness + ?Sized>(
    receivers: &mut [&mut R],
    enabled: &mut [usize],
    deadline: Option<Instant>,
) -> Option<usize> {
    let mut chosen = look::<BIASED, R>(receivers, enabled);
    if chosen.is_some() {
        return chosen;
    }
    if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        return None;
    }
    let arrived = || {
        chosen = look::<BIASED, R>(receivers, enabled);
        chosen.is_some()
    };
    spin_then_yield(1, arrived, |_| false);
    if chosen.is_some() {
        return chosen;
    }
    let mut ends = EndList::default();
    list_arms(receivers, enabled, &mut ends);
    wait_until(Location::caller(), &ends, || deadline, |cx| poll_first::<BIASED, R>(receivers, enabled, cx))
        .or_else(|| look::<BIASED, R>(receivers, enabled))
}

/// Chooses a receiver that is enabled and ready; otherwise, or if it gives way, the task is woken.
pub fn poll_choose<const BIASED: bool, R: Readiness + ?Sized>(
    receivers: &mut [&mut R],
    enabled: &mut [usize],
    wait: &mut PendingWait,
    cx: &mut Context<'_>,
) -> Poll<usize> {
    let mut arms = (receivers, enabled);
    wait.poll(
        cx,
        &mut arms,
        |(receivers, enabled), list| list_arms(receivers, enabled, list),
        |arms, cx| {
            budget::receive(
                arms,
                cx,
                |(receivers, enabled)| enabled.iter().any(|&index| would_complete(&mut *receivers[index])),
                |(receivers, enabled), cx| poll_first::<BIASED, R>(receivers, enabled, cx),
            )
        },
    )
}

/// Lists what a selection waits for, in the order of its arms. They are enabled in random order.
fn list_arms<R: Readiness + ?Sized>(receivers: &[&mut R], enabled: &[usize], list: &mut EndList) {
    let mut order = enabled.to_vec();
    order.sort_unstable();
    order.into_iter().for_each(|index| receivers[index].ends(list));
}

/// Chooses a receiver that is enabled and ready; otherwise the task is woken when there is one.
fn poll_first<const BIASED: bool, R: Readiness + ?Sized>(
    receivers: &mut [&mut R],
    enabled: &mut [usize],
    cx: &mut Context<'_>,
) -> Poll<usize> {
    let ready = first::<BIASED>(enabled, |index| receivers[index].poll_ready(cx).is_ready());
    ready.map_or(Poll::Pending, Poll::Ready)
}
