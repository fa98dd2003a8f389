//! When a pump must give a sign of life, when the other side is lost, and when a farewell has taken too long.

use std::future::Future;
use std::pin::Pin;
use std::task::Context;
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// Longer than any session.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// What has come to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing was written for too long.
    Beat,
    /// Nothing was read for too long.
    Silence,
    /// The time for the farewell is over.
    Farewell,
}

/// The times of a connection. One timer is enough: it is set to the earliest time at which something can be
/// due, and what has happened since then only makes that later.
pub(super) struct Clock {
    beat: Option<Duration>,
    lost: Duration,
    heard: Instant,
    written: Instant,
    farewell: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

impl Clock {
    pub(super) fn new(beat: Option<Duration>, lost: Duration) -> Self {
        let now = Instant::now();
        let timer = Box::pin(sleep_until(now + beat.map_or(FOREVER, |beat| beat.min(lost))));
        Clock { beat, lost, heard: now, written: now, farewell: None, timer }
    }

    pub(super) fn lost(&self) -> Duration {
        self.lost
    }

    pub(super) fn heard(&mut self) {
        self.heard = Instant::now();
    }

    pub(super) fn written(&mut self) {
        self.written = Instant::now();
    }

    /// From now on only the end of the farewell counts.
    pub(super) fn part(&mut self, most: Duration) {
        let end = Instant::now() + most;
        if self.farewell.is_none() {
            self.farewell = Some(end);
            if end < self.timer.deadline() {
                self.timer.as_mut().reset(end);
            }
        }
    }

    /// What is due, if anything is. `listens` is false while the pump does not read, and so cannot judge.
    pub(super) fn poll(&mut self, listens: bool, cx: &mut Context<'_>) -> Option<Due> {
        while self.timer.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            let next = match (self.farewell, self.beat) {
                (Some(end), _) if now >= end => return Some(Due::Farewell),
                (Some(end), _) => end,
                (None, None) => now + FOREVER,
                (None, Some(_)) if listens && now >= self.heard + self.lost => return Some(Due::Silence),
                (None, Some(beat)) if now >= self.written + beat => {
                    self.written = now;
                    return Some(Due::Beat);
                }
                (None, Some(beat)) if listens => (self.written + beat).min(self.heard + self.lost),
                (None, Some(beat)) => self.written + beat,
            };
            self.timer.as_mut().reset(next);
        }
        None
    }
}
