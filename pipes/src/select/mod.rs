//! Waiting for the first of a few receivers, of one type or of many.
//!
//! The macros and the functions of 2012 do the same: look at all, from a random one on; if none is ready,
//! register with all and sleep. The registrations stay when the wait is over, which costs the next wait
//! nothing and a sender at most a wake-up that finds nothing to do. The cost grows with the number of
//! receivers; for many there is the [`PortSet`](crate::PortSet), which can be one of them.
//!
//! # Layers
//!
//! Uses `endpoint` and `sync`; used by the macros, through `__private`.

mod functions;
mod macros;

pub use self::functions::{select, select2};
#[cfg(not(feature = "proto"))]
pub use self::macros::at;

use crate::endpoint::Readiness;
use crate::sync::{chance, linger, wait_until};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Receivers to choose from.
pub type Receivers<'a, 'b> = &'a mut [&'b mut dyn Readiness];

/// When a wait of this length would end; none if the clock cannot count that far.
pub fn deadline_after(timeout: Duration) -> Option<Instant> {
    Instant::now().checked_add(timeout)
}

/// One that is enabled and ready, if any is.
pub fn choose_now(receivers: Receivers<'_, '_>, enabled: &[bool]) -> Option<usize> {
    around(enabled).find(|&index| receivers[index].is_certain())
}

/// One that is enabled and ready; blocks the thread until one is, or the deadline has passed.
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
    wait_until(|| deadline, |cx| poll_choose(receivers, enabled, cx))
        .or_else(|| choose_now(receivers, enabled))
}

/// One that is enabled and ready; else the task is woken when one is.
pub fn poll_choose(receivers: Receivers<'_, '_>, enabled: &[bool], cx: &mut Context<'_>) -> Poll<usize> {
    let ready = around(enabled).find(|&index| receivers[index].poll_ready(cx).is_ready());
    ready.map_or(Poll::Pending, Poll::Ready)
}

/// All indices that are enabled, once round from a random one.
fn around(enabled: &[bool]) -> impl Iterator<Item = usize> {
    let first = chance(enabled.len());
    (first..enabled.len()).chain(0..first).filter(|&index| enabled[index])
}
