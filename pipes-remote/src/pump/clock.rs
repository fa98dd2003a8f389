//! When a pump must send a heartbeat, when the other side is lost, and when the closing handshake has taken
//! too long.

use crate::deadline::{FOREVER, Limit};
use crate::runtime::{Instant, Sleep, sleep_until};
use std::future::Future;
use std::pin::Pin;
use std::task::Context;
use std::time::Duration;

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing was written for the heartbeat interval.
    Heartbeat,
    /// Nothing was read for this time, which is too long.
    Silence(Duration),
    /// The time for the closing handshake is over.
    ClosingTimeout,
}

/// The timeouts of a connection.
///
/// One timer is enough. It is set to the earliest time at which something can be due, and what has happened
/// since then only makes that later.
pub(super) struct Clock {
    heartbeat: Duration,
    /// The silence after which the other side is lost, but at least two heartbeat intervals. `None` if the
    /// engine notices silence.
    lost: Option<Duration>,
    heard: Instant,
    /// When the other side is lost. Set when it is first needed after the other side was heard.
    silence: Option<Limit>,
    written: Instant,
    closing: Option<Limit>,
    /// Nothing was read or written since the last heartbeat was due, and the engine sends the heartbeats, so
    /// the timer need not fire.
    is_idle: bool,
    timer: Pin<Box<Sleep>>,
}

/// Returns the instant after this time. The time may be as long as `Duration` allows.
fn after(instant: Instant, time: Duration) -> Instant {
    instant + time.min(FOREVER)
}

impl Clock {
    pub(super) fn new(heartbeat: Duration, lost: Option<Duration>) -> Self {
        let now = Instant::now();
        let timer = Box::pin(sleep_until(after(now, heartbeat)));
        Clock {
            heartbeat,
            lost,
            heard: now,
            silence: None,
            written: now,
            closing: None,
            is_idle: false,
            timer,
        }
    }

    /// Changes the heartbeat interval.
    pub(super) fn set_heartbeat(&mut self, heartbeat: Duration) {
        (self.heartbeat, self.silence) = (heartbeat, None);
        let due = after(self.written, heartbeat);
        if due < self.timer.deadline() {
            self.timer.as_mut().reset(due);
        }
    }

    /// Returns `true` if this side must send heartbeats. Otherwise, the engine does.
    pub(super) fn sends_heartbeats(&self) -> bool {
        self.lost.is_some()
    }

    /// Notes that something was read.
    pub(super) fn heard(&mut self) {
        (self.heard, self.silence) = (Instant::now(), None);
        self.wake();
    }

    /// Notes that something was written.
    pub(super) fn written(&mut self) {
        self.written = Instant::now();
        self.wake();
    }

    /// Starts the timer again if the clock was idle. This does not put off the closing timeout.
    fn wake(&mut self) {
        if self.is_idle && self.closing.is_none() {
            self.is_idle = false;
            self.timer.as_mut().reset(after(Instant::now(), self.heartbeat));
        }
    }

    /// Begins the closing handshake. From now on, only its timeout counts.
    pub(super) fn begin_closing(&mut self, most: Duration) {
        if self.closing.is_none() {
            let limit = Limit::new(Instant::now(), most);
            self.closing = Some(limit);
            if limit.first_look() < self.timer.deadline() {
                self.timer.as_mut().reset(limit.first_look());
            }
        }
    }

    /// Returns what is due, if anything is.
    ///
    /// `listens` is `false` while the pump does not read. Then it cannot tell whether the other side is
    /// silent.
    pub(super) fn poll(&mut self, listens: bool, cx: &mut Context<'_>) -> Option<Due> {
        while self.timer.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            let lost = self.lost.filter(|_| listens).map(|lost| lost.max(self.heartbeat.saturating_mul(2)));
            let limit = match (&mut self.closing, lost) {
                (Some(closing), _) => Some((closing, Due::ClosingTimeout)),
                (None, Some(lost)) => {
                    let silence = self.silence.get_or_insert_with(|| Limit::new(self.heard, lost));
                    Some((silence, Due::Silence(lost)))
                }
                (None, None) => None,
            };
            let look = match limit.map(|(limit, due)| (limit.look(self.timer.deadline(), now), due)) {
                Some((Ok(()), due)) => return Some(due),
                Some((Err(next), _)) => next,
                None => after(now, FOREVER),
            };
            let heartbeat = after(self.written, self.heartbeat);
            let next = if self.closing.is_some() || self.is_idle {
                look
            } else if now >= heartbeat {
                (self.written, self.is_idle) = (now, !self.sends_heartbeats());
                return Some(Due::Heartbeat);
            } else {
                look.min(heartbeat)
            };
            self.timer.as_mut().reset(next);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::task::Poll;
    use tokio::time::{advance, timeout};

    const HEARTBEAT: Duration = Duration::from_secs(5);
    const HOUR: Duration = Duration::from_secs(3600);

    async fn due(clock: &mut Clock) -> Due {
        poll_fn(|cx| clock.poll(true, cx).map_or(Poll::Pending, Poll::Ready)).await
    }

    #[tokio::test(start_paused = true)]
    async fn where_the_engine_sends_heartbeats_a_clock_is_idle_until_something_happens() {
        let mut clock = Clock::new(HEARTBEAT, None);
        for _ in 0..3 {
            let begin = Instant::now();
            assert_eq!(due(&mut clock).await, Due::Heartbeat);
            assert_eq!(Instant::now() - begin, HEARTBEAT);
            assert!(timeout(HOUR, due(&mut clock)).await.is_err(), "it is idle");
            clock.heard();
        }
        assert_eq!(due(&mut clock).await, Due::Heartbeat);
        clock.begin_closing(HEARTBEAT);
        assert_eq!(due(&mut clock).await, Due::ClosingTimeout);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_written_does_not_put_off_the_closing_timeout() {
        let mut clock = Clock::new(HOUR, None);
        assert_eq!(due(&mut clock).await, Due::Heartbeat);
        let begin = Instant::now();
        clock.begin_closing(HEARTBEAT);
        clock.written();
        clock.heard();
        assert_eq!(due(&mut clock).await, Due::ClosingTimeout);
        assert!(Instant::now() - begin < 2 * HEARTBEAT);
    }

    /// A runtime that is blocked again and again, so that all timers are late.
    #[tokio::test(start_paused = true)]
    async fn silence_is_noticed_although_every_timer_is_late() {
        let (begin, lost) = (Instant::now(), 3 * HEARTBEAT);
        let mut clock = Clock::new(HEARTBEAT, Some(lost));
        while poll_fn(|cx| Poll::Ready(clock.poll(true, cx))).await != Some(Due::Silence(lost)) {
            assert!(Instant::now() - begin < 4 * lost);
            advance(HEARTBEAT / 2).await;
        }
        clock.begin_closing(HEARTBEAT);
        let begin = Instant::now();
        while poll_fn(|cx| Poll::Ready(clock.poll(true, cx))).await != Some(Due::ClosingTimeout) {
            assert!(Instant::now() - begin < 4 * lost);
            advance(HEARTBEAT / 2).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn other_clocks_send_heartbeats_for_ever() {
        let mut clock = Clock::new(HEARTBEAT, Some(HOUR));
        for _ in 0..10 {
            let begin = Instant::now();
            assert_eq!(due(&mut clock).await, Due::Heartbeat);
            assert_eq!(Instant::now() - begin, HEARTBEAT);
            clock.heard();
        }
    }
}
