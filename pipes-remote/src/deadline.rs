//! Time limits that pass only while the program runs.
//!
//! A timer that fires proves that time has passed. It does not prove that this program ran. The process may
//! have been stopped by a signal or a debugger, the machine may have been suspended, or the runtime may have
//! been blocked. Then timers fire before the sockets are read, although the other side may have sent
//! something meanwhile.
//!
//! So the last part of a limit is a *grace period*, and the limit passes only if the program ran during this
//! period: a timer that was set when it began has fired when it ended, and on time. The runtime has served
//! its sockets in between. If the timer fires late, the grace period begins again. This happens only a few
//! times, because in a runtime that is blocked again and again, all timers are late, and a side that has gone
//! must be noticed there, too. In a program that runs all the time, a limit passes exactly at its end.
//!
//! # Layers
//!
//! Uses `runtime`; used by everything that waits for the other side with a time limit.

use crate::runtime::{Instant, Sleep, sleep_until};
use std::future::{Future, IntoFuture, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// Longer than any session.
pub(crate) const FOREVER: Duration = Duration::from_secs(1 << 30);

/// The grace period is a fourth of the time, within these bounds. It is long enough for timers to be precise,
/// and for data that passes through other tasks before the pump reads it.
const LEAST_GRACE: Duration = Duration::from_millis(10);
const MOST_GRACE: Duration = Duration::from_secs(1);

/// How often the grace period can begin again. Each time, the runtime has served its sockets, unless the
/// program was stopped again at once.
const LATE: u32 = 4;

/// A time limit without a timer of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    end: Instant,
    grace: Duration,
    /// How often the timer was late.
    late: u32,
}

impl Limit {
    /// Creates a limit that passes this time after `begin`.
    pub(crate) fn new(begin: Instant, time: Duration) -> Self {
        let time = time.min(FOREVER);
        Limit { end: begin + time, grace: (time / 4).clamp(LEAST_GRACE, MOST_GRACE), late: 0 }
    }

    /// Returns when a timer must fire at the latest: when the grace period begins.
    pub(crate) fn first_look(&self) -> Instant {
        self.end.checked_sub(self.grace).unwrap_or(self.end)
    }

    /// Must be called when the timer fires that was set to `due`. Returns `Ok` if the limit has passed.
    ///
    /// # Errors
    ///
    /// The limit has not passed. Contains the time at which the timer must fire next, at the latest.
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

/// A future that is ready when a time limit has passed.
#[derive(Debug)]
pub(crate) struct Deadline {
    limit: Limit,
    timer: Pin<Box<Sleep>>,
}

impl Deadline {
    /// Creates a limit that passes after this time.
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

/// Waits for a future, for at most this time. Returns `None` if the time has passed.
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

    /// Polls the deadline once.
    async fn has_passed(deadline: &mut Deadline) -> bool {
        poll_fn(|cx| Poll::Ready(Pin::new(&mut *deadline).poll(cx).is_ready())).await
    }

    /// The clock jumps, as it does when a process was stopped.
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

    /// The grace period is not shorter if the program was stopped for only a part of the time.
    #[tokio::test(start_paused = true)]
    async fn the_grace_is_spent_running() {
        let mut deadline = Deadline::after(20 * SECOND);
        assert!(!has_passed(&mut deadline).await);
        advance(20 * SECOND - SECOND / 10).await;
        let begin = Instant::now();
        deadline.await;
        assert_eq!(Instant::now() - begin, SECOND);
    }

    /// In a runtime that is blocked all the time, for longer than a grace period, all timers are late.
    #[tokio::test(start_paused = true)]
    async fn a_limit_passes_although_every_timer_is_late() {
        let (begin, mut deadline) = (Instant::now(), Deadline::after(20 * SECOND));
        while !has_passed(&mut deadline).await {
            assert!(Instant::now() - begin < 60 * SECOND);
            advance(3 * SECOND).await;
        }
    }

    /// What came while the program was stopped is received shortly after the timer has fired.
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
