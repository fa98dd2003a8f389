//! Tasks and timers of a page.

use futures_timer::Delay;
use std::future::{Future, pending};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::oneshot;
use wasm_bindgen_futures::spawn_local;
pub(crate) use web_time::Instant;

/// Returns `true`: a task that connects is on the page's thread, and so is its pump.
pub(crate) fn is_inside() -> bool {
    true
}

/// Runs a task.
pub(crate) async fn spawn<T>(task: impl Future<Output = T>) -> io::Result<T> {
    Ok(task.await)
}

/// Refuses to compile, because a page must not block.
pub(crate) fn block_on<T>(_task: impl Future<Output = T>) -> io::Result<T> {
    const { panic!("a web page must not block its thread: use `connect_async` or `listen_async`") }
}

/// Runs a function that may block. In a page it must not.
pub(crate) fn spawn_blocking(run: impl FnOnce() + 'static) {
    spawn_local(async { run() });
}

/// Begins a task.
pub(crate) fn spawn_task(task: impl Future<Output = ()> + 'static) -> AbortHandle {
    let (handle, aborted) = oneshot::channel();
    spawn_local(async move {
        let aborted = async {
            if aborted.await.is_err() {
                // The handle was dropped, and the task goes on.
                pending().await
            }
        };
        tokio::select! {
            // In turn, because a choice by chance makes the page larger.
            biased;
            () = task => {}
            () = aborted => {}
        }
    });
    AbortHandle(handle)
}

/// Ends a task.
pub(crate) struct AbortHandle(oneshot::Sender<()>);

impl AbortHandle {
    pub(crate) fn abort(self) {
        // If it cannot be sent, the task has ended.
        let _ = self.0.send(());
    }
}

/// The longest time for which a browser's timer is set. Its limit is a number of milliseconds in 31 bits.
const LONGEST: Duration = Duration::from_secs(3600);

/// A future that is ready at an instant.
#[derive(Debug)]
pub(crate) struct Sleep {
    deadline: Instant,
    /// Is ready at the instant, or when it is time to set it again.
    timer: Delay,
}

pub(crate) fn sleep(time: Duration) -> Sleep {
    sleep_until(Instant::now() + time)
}

pub(crate) fn sleep_until(deadline: Instant) -> Sleep {
    Sleep { deadline, timer: Delay::new(timer(left(deadline))) }
}

/// Returns the time until the deadline.
fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Returns for how long a timer is set: a browser drops the part of a millisecond.
fn timer(left: Duration) -> Duration {
    (left + Duration::from_millis(1)).min(LONGEST)
}

impl Sleep {
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    pub(crate) fn reset(mut self: Pin<&mut Self>, deadline: Instant) {
        self.deadline = deadline;
        self.timer.reset(timer(left(deadline)));
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let left = left(self.deadline);
            if left.is_zero() {
                return Poll::Ready(());
            }
            ready!(Pin::new(&mut self.timer).poll(cx));
            self.timer.reset(timer(left));
        }
    }
}
