//! The futures that wait, and for what. Only the feature `inspect` records it; without it, a [`PendingWait`]
//! is empty and does nothing.
//!
//! A future that waits is polled with a waker of its own, which notes that it was called and then calls the
//! task's. So a future that was woken and is not polled any more is seen.

use super::ends::{Caller, EndList};
use super::running::Runner;
use std::task::{Context, Poll};
use std::time::Instant;

/// What others see of a future that waits. The future owns it.
#[derive(Debug, Default)]
pub struct PendingWait {
    /// `None` while it is taken out of the future.
    #[cfg(feature = "inspect")]
    recorded: Option<recorded::Recorded>,
}

impl PendingWait {
    /// Creates it for a future that this caller makes.
    #[inline(always)]
    #[cfg_attr(feature = "inspect", track_caller)]
    pub fn new() -> Self {
        PendingWait {
            #[cfg(feature = "inspect")]
            recorded: Some(recorded::Recorded::new(std::panic::Location::caller())),
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
        if let Some(recorded) = &mut self.recorded {
            return recorded.poll(cx, state, list, poll);
        }
        let _ = list;
        poll(state, cx)
    }
}

/// A future that waits, as others see it.
pub(crate) struct SeenPending {
    pub(crate) by: Runner,
    pub(crate) caller: Caller,
    pub(crate) since: Instant,
    pub(crate) ends: EndList,
    /// When its waker was called, if it was not polled since.
    pub(crate) woken: Option<Instant>,
}

/// Returns the futures that wait: none without the feature.
pub(crate) fn look_at_pending() -> Vec<SeenPending> {
    #[cfg(feature = "inspect")]
    return recorded::look_at_all();
    #[cfg(not(feature = "inspect"))]
    Vec::new()
}

#[cfg(feature = "inspect")]
mod recorded {
    use super::{Caller, EndList, Runner, SeenPending};
    use crate::sync::{StaticLock, WakeArc, WakeWeak, lock_soon};
    use std::ops::DerefMut;
    use std::task::{Context, Poll, Wake, Waker};
    use std::time::Instant;

    #[derive(Debug)]
    pub(super) struct Recorded {
        caller: Caller,
        /// It is there from the first poll that was not ready to the last one.
        wait: Option<WakeArc<Wait>>,
    }

    /// A future that waits.
    #[derive(Debug)]
    struct Wait {
        caller: Caller,
        since: Instant,
        polled: StaticLock<Polled>,
    }

    /// The last poll, and what came after it.
    #[derive(Debug)]
    struct Polled {
        by: Runner,
        waker: WakeArc<Waker>,
        /// What it waited for; `None` during the poll.
        ends: Option<EndList>,
        woken: Option<Instant>,
    }

    /// All futures that may wait. Those that have ended are removed when the list grows.
    static WAITS: StaticLock<Vec<WakeWeak<Wait>>> = StaticLock::new(Vec::new());

    impl Recorded {
        pub(super) fn new(caller: Caller) -> Self {
            Recorded { caller, wait: None }
        }

        pub(super) fn poll<S: ?Sized, R>(
            &mut self,
            cx: &Context<'_>,
            state: &mut S,
            list: impl FnOnce(&S, &mut EndList),
            poll: impl FnOnce(&mut S, &mut Context<'_>) -> Poll<R>,
        ) -> Poll<R> {
            let wait = self.wait.get_or_insert_with(|| Wait::new(self.caller, cx.waker()));
            wait.is_polled(cx.waker());
            let polled = poll(state, &mut Context::from_waker(&Waker::from(wait.clone())));
            if polled.is_pending() {
                let mut ends = EndList::default();
                list(state, &mut ends);
                wait.waits_for(Some(ends));
            } else {
                self.wait = None;
            }
            polled
        }
    }

    impl Drop for Recorded {
        fn drop(&mut self) {
            // The channel may keep the waker for a while.
            if let Some(wait) = &self.wait {
                wait.waits_for(None);
            }
        }
    }

    impl Wait {
        fn new(caller: Caller, waker: &Waker) -> WakeArc<Self> {
            let polled = Polled {
                by: Runner::of_poll(waker),
                waker: WakeArc::new(waker.clone()),
                ends: None,
                woken: None,
            };
            let wait = WakeArc::new(Wait { caller, since: Instant::now(), polled: StaticLock::new(polled) });
            if let Some(mut waits) = lock_soon(&WAITS) {
                if waits.len() == waits.capacity() {
                    waits.retain(|it| it.strong_count() > 0);
                    let living = waits.len();
                    waits.reserve(living.max(16));
                }
                waits.push(WakeArc::downgrade(&wait));
            }
            wait
        }

        fn is_polled(&self, waker: &Waker) {
            let by = Runner::of_poll(waker);
            // What belongs to the executor is cloned and dropped without the lock.
            let mut other = None;
            let is_other = self.lock().is_some_and(|polled| !polled.waker.will_wake(waker));
            if is_other {
                other = Some(WakeArc::new(waker.clone()));
            }
            if let Some(mut polled) = self.lock() {
                if let Some(other) = &mut other {
                    std::mem::swap(&mut polled.waker, other);
                }
                (polled.by, polled.ends, polled.woken) = (by, None, None);
            }
        }

        fn waits_for(&self, ends: Option<EndList>) {
            if let Some(mut polled) = self.lock() {
                polled.ends = ends;
            }
        }

        fn look(&self) -> Option<SeenPending> {
            let polled = self.lock()?;
            Some(SeenPending {
                by: polled.by.clone(),
                caller: self.caller,
                since: self.since,
                ends: polled.ends.clone()?,
                woken: polled.woken,
            })
        }

        fn lock(&self) -> Option<impl DerefMut<Target = Polled>> {
            lock_soon(&self.polled)
        }
    }

    impl Wake for Wait {
        fn wake(self: WakeArc<Self>) {
            self.wake_by_ref();
        }

        fn wake_by_ref(self: &WakeArc<Self>) {
            let waker = self.lock().map(|mut polled| {
                polled.woken.get_or_insert_with(Instant::now);
                polled.waker.clone()
            });
            waker.inspect(|waker| waker.wake_by_ref());
        }
    }

    pub(super) fn look_at_all() -> Vec<SeenPending> {
        let Some(waits) = lock_soon(&WAITS) else { return Vec::new() };
        let living: Vec<_> = waits.iter().filter_map(WakeWeak::upgrade).collect();
        drop(waits);
        living.iter().filter_map(|it| it.look()).collect()
    }
}
