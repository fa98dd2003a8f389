//! The futures that wait, and for what. Only the feature `inspect` records it; without it, a [`PendingWait`]
//! is empty and does nothing.
//!
//! A future that waits is polled with a waker of its own, which notes that it was called and then calls the
//! task's. So a future that was woken and is not polled any more is seen.

use super::ends::EndList;
#[cfg(feature = "inspect")]
use super::noted_polls::{NotedPolls, look_at_all};
#[cfg(feature = "inspect")]
use super::polled::polled_by;
#[cfg(feature = "inspect")]
use super::running::Runner;
use super::running::SeenPending;
use std::task::{Context, Poll};

/// What others see of a future that waits. The future owns it.
#[derive(Debug, Default)]
pub struct PendingWait {
    /// `None` while it is taken out of the future.
    #[cfg(feature = "inspect")]
    noted: Option<NotedPolls>,
}

impl PendingWait {
    /// Creates it for a future that this caller makes.
    #[inline(always)]
    #[cfg_attr(feature = "inspect", track_caller)]
    pub fn new() -> Self {
        PendingWait {
            #[cfg(feature = "inspect")]
            noted: Some(NotedPolls::new(std::panic::Location::caller())),
        }
    }

    /// Polls. `list` says what the future waits for if it is not ready.
    #[inline(always)]
    pub(crate) fn poll<S: ?Sized, R>(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut S,
        list: impl FnOnce(&S, &mut EndList),
        poll: impl FnOnce(&mut S, &mut Context<'_>) -> Poll<R>,
    ) -> Poll<R> {
        #[cfg(feature = "inspect")]
        if let Some(noted) = &mut self.noted {
            return noted.poll(cx, state, list, poll);
        }
        let _ = list;
        poll(state, cx)
    }
}

/// Returns the futures that wait: none without the feature.
pub(crate) fn look_at_pending() -> Vec<SeenPending> {
    #[cfg(feature = "inspect")]
    return look_at_all();
    #[cfg(not(feature = "inspect"))]
    Vec::new()
}

/// Polls a future for the thread that waits for it.
#[inline(always)]
pub(crate) fn polled_by_thread<R>(poll: impl FnOnce() -> R) -> R {
    #[cfg(feature = "inspect")]
    return polled_by(Runner::this_thread(), poll);
    #[cfg(not(feature = "inspect"))]
    poll()
}
