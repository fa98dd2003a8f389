//! When a time limit has passed.
//!
//! A timer that fires proves that time has passed, and not that this program ran. A process that was stopped
//! by a signal or a debugger, a machine that was suspended, and a runtime that was blocked find their timers
//! expired before they have looked at their sockets, where all may lie that the other side has said
//! meanwhile.
//!
//! So a limit has a *grace*, the last part of its time, and passes only if the program ran during the grace:
//! a timer that was set at its beginning has fired at its end, and on time. The runtime has served its
//! sockets in between. If the timer fires late, the grace begins anew, but not for ever: in a runtime whose
//! tasks block it again and again, all timers are late, and a side that has gone must be lost there, too. In
//! a program that runs all the time, a limit passes at its end and not later.
//!
//! # Layers
//!
//! Uses nothing of the crate; used by all that judges the other side by its silence.

use std::future::{Future, IntoFuture, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// Longer than any session.
pub(crate) const FOREVER: Duration = Duration::from_secs(1 << 30);

/// The grace is a fourth of the time, within these bounds: long enough for timers to be precise, and for data
/// that passes through other tasks before it is heard.
const LEAST_GRACE: Duration = Duration::from_millis(10);
const MOST_GRACE: Duration = Duration::from_secs(1);

/// How often the grace begins anew. Each time the runtime has served its sockets, unless the program was
/// stopped again at once.
const LATE: u32 = 4;

/// A time limit, for those that have a timer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    end: Instant,
    grace: Duration,
    /// How often a timer was late.
    late: u32,
}

impl Limit {
    /// Creates the limit that passes this time after `begin`.
    pub(crate) fn new(begin: Instant, time: Duration) -> Self {
        let time = time.min(FOREVER);
        Limit { end: begin + time, grace: (time / 4).clamp(LEAST_GRACE, MOST_GRACE), late: 0 }
    }

    /// Returns when a timer must fire, at the latest: at the beginning of the grace.
    pub(crate) fn first_look(&self) -> Instant {
        self.end.checked_sub(self.grace).unwrap_or(self.end)
    }

    /// Judges when a timer fires that was set to `due`. Returns when it must fire next, at the latest, if the
    /// limit has not passed.
    pub(crate) fn look(&mut self, due: Instant, now: Instant) -> Result<(), Instant> {
        if now < self.first_look() {
            Err(self.first_look())
        } else if now > due + self.grace / 2 && self.late < LATE {
            self.late += 1;
            self.end = self.end.max(now + self.grace);
            Err(self.end)
        } else if due < self.end {
            Err(self.end)
        } else {
            Ok(())
        }
    }
}

/// Waits until a time limit has passed.
#[derive(Debug)]
pub(crate) struct Deadline {
    limit: Limit,
    timer: Pin<Box<Sleep>>,
}

impl Deadline {
    /// Creates the limit that passes in this time.
    pub(crate) fn after(time: Duration) -> Self {
        let limit = Limit::new(Instant::now(), time);
        Deadline { limit, timer: Box::pin(sleep_until(limit.first_look())) }
    }
}

impl Future for Deadline {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.timer.as_mut().poll(cx));
            let due = self.timer.deadline();
            match self.limit.look(due, Instant::now()) {
                Ok(()) => return Poll::Ready(()),
                Err(next) => self.timer.as_mut().reset(next),
            }
        }
    }
}

/// Waits for a future, but not longer than this time. Returns `None` if the time has passed.
pub(crate) async fn within<F: IntoFuture>(time: Duration, future: F) -> Option<F::Output> {
    let (mut future, mut deadline) = (pin!(future.into_future()), Deadline::after(time));
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => Pin::new(&mut deadline).poll(cx).map(|()| None),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;
    use tokio::time::{advance, sleep};

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_limit_passes_at_its_end() {
        for time in [SECOND / 100, SECOND / 5, 5 * SECOND, 3600 * SECOND] {
            let begin = Instant::now();
            Deadline::after(time).await;
            assert_eq!(Instant::now() - begin, time);
        }
    }

    /// Polls the deadline once, as a runtime does that finds the timer expired.
    async fn has_passed(deadline: &mut Deadline) -> bool {
        poll_fn(|cx| Poll::Ready(Pin::new(&mut *deadline).poll(cx).is_ready())).await
    }

    /// The clock jumps, as it does for a process that was stopped.
    #[tokio::test(start_paused = true)]
    async fn a_limit_is_put_off_if_the_program_did_not_run() {
        let mut deadline = Deadline::after(20 * SECOND);
        assert!(!has_passed(&mut deadline).await);
        for stopped in [3600, 19, 2] {
            advance(stopped * SECOND).await;
            assert!(!has_passed(&mut deadline).await, "{stopped} s");
        }
        let begin = Instant::now();
        deadline.await;
        assert_eq!(Instant::now() - begin, SECOND, "the grace");
    }

    /// Also if it was stopped for only a part of the time, the grace is not cut short.
    #[tokio::test(start_paused = true)]
    async fn the_grace_is_spent_running() {
        let mut deadline = Deadline::after(20 * SECOND);
        assert!(!has_passed(&mut deadline).await);
        advance(20 * SECOND - SECOND / 10).await;
        let begin = Instant::now();
        deadline.await;
        assert_eq!(Instant::now() - begin, SECOND);
    }

    /// A runtime that is blocked all the time, for longer than a grace, has only late timers.
    #[tokio::test(start_paused = true)]
    async fn a_limit_passes_although_every_timer_is_late() {
        let (begin, mut deadline) = (Instant::now(), Deadline::after(20 * SECOND));
        while !has_passed(&mut deadline).await {
            assert!(Instant::now() - begin < 60 * SECOND);
            advance(3 * SECOND).await;
        }
    }

    /// What came while the program was stopped is heard a moment after the timer has fired.
    #[tokio::test(start_paused = true)]
    async fn what_has_come_meanwhile_counts() {
        let (heard, hears) = tokio::sync::oneshot::channel();
        let waiting = tokio::spawn(within(SECOND, hears));
        tokio::task::yield_now().await;
        advance(60 * SECOND).await;
        tokio::task::yield_now().await;
        sleep(SECOND / 10).await;
        heard.send(7).expect("it waits");
        assert_eq!(waiting.await.expect("it does not panic"), Some(Ok(7)));
        assert_eq!(within(SECOND, pending::<()>()).await, None);
    }
}
