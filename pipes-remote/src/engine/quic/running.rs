//! The time of QUIC connections: a clock that stands still while this program does not run.
//!
//! The library compares the clock with the time at which it last received something on a connection. After a
//! process was stopped or its runtime was blocked for too long, it would take all connections for lost before
//! it has read the heartbeats from the socket. So the clock leaves such times out. A task reads it once per
//! [`TICK`], and if the gap between two reads is longer than two ticks, only one tick counts.

use quinn::{AsyncTimer, AsyncUdpSocket, Runtime, TokioRuntime};
use std::future::Future;
use std::io;
use std::net::UdpSocket;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::time::{Instant as TokioInstant, Sleep, sleep, sleep_until};

/// How often the clock is read, at least. A gap of up to two ticks counts in full.
const TICK: Duration = Duration::from_secs(2);

/// The runtime of an endpoint.
#[derive(Debug)]
pub(super) struct Running(Arc<Clock>);

#[derive(Debug)]
struct Clock(Mutex<Readings>);

#[derive(Debug)]
struct Readings {
    last: Instant,
    /// The total time that was left out.
    left_out: Duration,
}

impl Running {
    /// Creates a clock in the current runtime.
    pub(super) fn new() -> Arc<Self> {
        let clock = Arc::new(Clock(Mutex::new(Readings { last: system_time(), left_out: Duration::ZERO })));
        let watched = Arc::downgrade(&clock);
        tokio::spawn(async move {
            while let Some(clock) = watched.upgrade() {
                clock.now();
                drop(clock);
                sleep(TICK).await;
            }
        });
        Arc::new(Running(clock))
    }
}

fn system_time() -> Instant {
    TokioInstant::now().into_std()
}

impl Clock {
    /// Locks the readings. Nothing panics while it holds the lock.
    fn readings(&self) -> MutexGuard<'_, Readings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Instant {
        let mut readings = self.readings();
        let now = system_time();
        let gap = now.saturating_duration_since(readings.last);
        if gap > 2 * TICK {
            readings.left_out += gap - TICK;
        }
        readings.last = now;
        now - readings.left_out
    }

    /// Converts an instant of this clock to the time of the system, if the program runs until then.
    fn timer_at(&self, instant: Instant) -> TokioInstant {
        (instant + self.readings().left_out).into()
    }
}

impl Runtime for Running {
    fn new_timer(&self, instant: Instant) -> Pin<Box<dyn AsyncTimer>> {
        let sleep = Box::pin(sleep_until(self.0.timer_at(instant)));
        Box::pin(Timer { clock: self.0.clone(), instant, sleep })
    }

    fn spawn(&self, future: Pin<Box<dyn Future<Output = ()> + Send>>) {
        tokio::spawn(future);
    }

    fn wrap_udp_socket(&self, socket: UdpSocket) -> io::Result<Arc<dyn AsyncUdpSocket>> {
        TokioRuntime.wrap_udp_socket(socket)
    }

    fn now(&self) -> Instant {
        self.0.now()
    }
}

/// A timer that uses this clock.
#[derive(Debug)]
struct Timer {
    clock: Arc<Clock>,
    instant: Instant,
    sleep: Pin<Box<Sleep>>,
}

impl AsyncTimer for Timer {
    fn reset(mut self: Pin<&mut Self>, instant: Instant) {
        let at = self.clock.timer_at(instant);
        self.instant = instant;
        self.sleep.as_mut().reset(at);
    }

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(Future::poll(self.sleep.as_mut(), cx));
            if self.clock.now() >= self.instant {
                return Poll::Ready(());
            }
            let instant = self.instant;
            self.as_mut().reset(instant);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use tokio::time::advance;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_clock_goes_while_the_program_runs() {
        let running = Running::new();
        let (begin, real) = (running.now(), TokioInstant::now());
        sleep(3600 * SECOND).await;
        assert_eq!(running.now() - begin, 3600 * SECOND);
        let mut timer = running.new_timer(running.now() + 60 * SECOND);
        poll_fn(|cx| timer.as_mut().poll(cx)).await;
        assert_eq!(TokioInstant::now() - real, 3660 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_stands_still_while_the_program_is_stopped() {
        let running = Running::new();
        tokio::task::yield_now().await;
        let begin = running.now();
        let mut timer = running.new_timer(begin + 10 * SECOND);
        assert!(poll_fn(|cx| Poll::Ready(timer.as_mut().poll(cx))).await.is_pending());
        advance(3600 * SECOND).await;
        assert!(poll_fn(|cx| Poll::Ready(timer.as_mut().poll(cx))).await.is_pending());
        assert_eq!(running.now() - begin, TICK);
        let real = TokioInstant::now();
        poll_fn(|cx| timer.as_mut().poll(cx)).await;
        assert_eq!(TokioInstant::now() - real, 10 * SECOND - TICK);
    }
}
