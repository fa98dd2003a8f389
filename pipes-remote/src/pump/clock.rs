//! When a pump must give a sign of life, when the other side is lost, and when a farewell has taken too long.

use crate::deadline::{FOREVER, Limit};
use std::future::Future;
use std::pin::Pin;
use std::task::Context;
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// What has come to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing was written for too long.
    Beat,
    /// Nothing was read for this time, which is too long.
    Silence(Duration),
    /// The time for the farewell is over.
    Farewell,
}

/// The times of a connection. One timer is enough: it is set to the earliest time at which something can be
/// due, and what has happened since then only makes that later.
pub(super) struct Clock {
    beat: Duration,
    /// The silence after which the other side is lost, but not before two beats. `None` if the engine notices
    /// it.
    lost: Option<Duration>,
    heard: Instant,
    /// When the other side is lost, once that has been asked since it was heard.
    silence: Option<Limit>,
    written: Instant,
    farewell: Option<Limit>,
    /// Nothing has come to pass since the last beat, and the engine gives the signs of life: there is nothing
    /// to wake up for.
    rests: bool,
    timer: Pin<Box<Sleep>>,
}

/// Returns the instant after this time, which may be as long as a user can write it.
fn after(instant: Instant, time: Duration) -> Instant {
    instant + time.min(FOREVER)
}

impl Clock {
    pub(super) fn new(beat: Duration, lost: Option<Duration>) -> Self {
        let now = Instant::now();
        let timer = Box::pin(sleep_until(after(now, beat)));
        Clock { beat, lost, heard: now, silence: None, written: now, farewell: None, rests: false, timer }
    }

    /// Gives a sign of life this often from now on.
    pub(super) fn agree(&mut self, beat: Duration) {
        (self.beat, self.silence) = (beat, None);
        let due = after(self.written, beat);
        if due < self.timer.deadline() {
            self.timer.as_mut().reset(due);
        }
    }

    /// Returns `true` if this side must give signs of life. Otherwise the engine does.
    pub(super) fn beats(&self) -> bool {
        self.lost.is_some()
    }

    pub(super) fn heard(&mut self) {
        (self.heard, self.silence) = (Instant::now(), None);
        self.wake();
    }

    pub(super) fn written(&mut self) {
        self.written = Instant::now();
        self.wake();
    }

    /// Notes that something has come to pass. It does not put off the end of a farewell.
    fn wake(&mut self) {
        if self.rests && self.farewell.is_none() {
            self.rests = false;
            self.timer.as_mut().reset(after(Instant::now(), self.beat));
        }
    }

    /// Ends all times but that of the farewell.
    pub(super) fn part(&mut self, most: Duration) {
        if self.farewell.is_none() {
            let limit = Limit::new(Instant::now(), most);
            self.farewell = Some(limit);
            if limit.first_look() < self.timer.deadline() {
                self.timer.as_mut().reset(limit.first_look());
            }
        }
    }

    /// Returns what is due, if anything is. `listens` is false while the pump does not read, and so cannot
    /// judge.
    pub(super) fn poll(&mut self, listens: bool, cx: &mut Context<'_>) -> Option<Due> {
        while self.timer.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            let lost = self.lost.filter(|_| listens).map(|lost| lost.max(self.beat.saturating_mul(2)));
            let limit = match (&mut self.farewell, lost) {
                (Some(farewell), _) => Some((farewell, Due::Farewell)),
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
            let beat = after(self.written, self.beat);
            let next = if self.farewell.is_some() || self.rests {
                look
            } else if now >= beat {
                (self.written, self.rests) = (now, !self.beats());
                return Some(Due::Beat);
            } else {
                look.min(beat)
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

    const BEAT: Duration = Duration::from_secs(5);
    const HOUR: Duration = Duration::from_secs(3600);

    async fn due(clock: &mut Clock) -> Due {
        poll_fn(|cx| clock.poll(true, cx).map_or(Poll::Pending, Poll::Ready)).await
    }

    #[tokio::test(start_paused = true)]
    async fn where_the_engine_beats_a_clock_rests_until_something_happens() {
        let mut clock = Clock::new(BEAT, None);
        for _ in 0..3 {
            let begin = Instant::now();
            assert_eq!(due(&mut clock).await, Due::Beat);
            assert_eq!(Instant::now() - begin, BEAT);
            assert!(timeout(HOUR, due(&mut clock)).await.is_err(), "it rests");
            clock.heard();
        }
        assert_eq!(due(&mut clock).await, Due::Beat);
        clock.part(BEAT);
        assert_eq!(due(&mut clock).await, Due::Farewell);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_written_does_not_put_off_a_farewell() {
        let mut clock = Clock::new(HOUR, None);
        assert_eq!(due(&mut clock).await, Due::Beat);
        let begin = Instant::now();
        clock.part(BEAT);
        clock.written();
        clock.heard();
        assert_eq!(due(&mut clock).await, Due::Farewell);
        assert!(Instant::now() - begin < 2 * BEAT);
    }

    /// All timers are late: a runtime that is blocked again and again.
    #[tokio::test(start_paused = true)]
    async fn silence_is_noticed_although_every_timer_is_late() {
        let (begin, lost) = (Instant::now(), 3 * BEAT);
        let mut clock = Clock::new(BEAT, Some(lost));
        while poll_fn(|cx| Poll::Ready(clock.poll(true, cx))).await != Some(Due::Silence(lost)) {
            assert!(Instant::now() - begin < 4 * lost);
            advance(BEAT / 2).await;
        }
        clock.part(BEAT);
        let begin = Instant::now();
        while poll_fn(|cx| Poll::Ready(clock.poll(true, cx))).await != Some(Due::Farewell) {
            assert!(Instant::now() - begin < 4 * lost);
            advance(BEAT / 2).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn other_clocks_beat_for_ever() {
        let mut clock = Clock::new(BEAT, Some(HOUR));
        for _ in 0..10 {
            let begin = Instant::now();
            assert_eq!(due(&mut clock).await, Due::Beat);
            assert_eq!(Instant::now() - begin, BEAT);
            clock.heard();
        }
    }
}
