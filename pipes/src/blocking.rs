//! Blocking the thread for anything that can be polled.

use crate::sync::may_block;
use crate::wait::{Other, polled_by_thread, wait_until};
use std::future::{Future, IntoFuture};
use std::panic::Location;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Instant;

/// Waits until `poll` is ready or the deadline has passed. Returns `None` if it has passed and `poll` is not
/// ready.
///
/// Blocks the thread; in a task, poll instead.
///
/// `poll` registers the waker of its context, as a future does. It is called again each time that the waker
/// was called, when the deadline has passed, and sometimes for no reason. `deadline` is called before each
/// sleep, so the deadline may change with what `poll` finds; `None` means that there is none.
///
/// With this, a thread waits for a future, or for several things at once, without a runtime. Both functions
/// may themselves block, park or receive: no wake-up of this wait is lost.
///
/// ```
/// use std::future::Future;
/// use std::pin::pin;
/// use std::time::{Duration, Instant};
///
/// let (chan, mut port) = pipes::oneshot();
/// let mut receiving = pin!(port.recv_async());
/// let soon = Instant::now() + Duration::from_millis(1);
/// let received = pipes::block_until(|| Some(soon), |cx| receiving.as_mut().poll(cx));
/// assert!(received.is_none(), "nothing was sent in time");
///
/// chan.send(7)?;
/// assert_eq!(pipes::block_until(|| None, |cx| receiving.as_mut().poll(cx)), Some(Ok(7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[track_caller]
pub fn block_until<R>(
    deadline: impl FnMut() -> Option<Instant>,
    poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
) -> Option<R> {
    block_until_for("a future", deadline, poll)
}

/// Waits as [`block_until`](crate::block_until()) does, and says for what. A
/// [`snapshot`](crate::inspect::snapshot()) shows it.
///
/// Blocks the thread; in a task, poll instead.
///
/// ```
/// use std::task::Poll;
///
/// let found = pipes::inspect::block_until_for("the moon", || None, |_| Poll::Ready(7));
/// assert_eq!(found, Some(7));
/// ```
#[track_caller]
pub fn block_until_for<R>(
    what: &'static str,
    deadline: impl FnMut() -> Option<Instant>,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
) -> Option<R> {
    let mut waker = None;
    let found = wait_until(Location::caller(), &Other(what), deadline, |cx| {
        waker.get_or_insert_with(|| cx.waker().clone());
        polled_by_thread(|| poll(cx))
    });
    // The waker may have been called, and the deadline may have passed before the next poll.
    found.or_else(|| match poll(&mut Context::from_waker(&waker?)) {
        Poll::Ready(found) => Some(found),
        Poll::Pending => None,
    })
}

/// Waits until the future is ready, and returns its output.
///
/// Blocks the thread; in a task, `await` the future instead.
///
/// So a thread can run a conversation that was written for tasks. A future that needs a runtime, such as a
/// timer of tokio, needs it here as well.
///
/// ```
/// let (chan, port) = pipes::oneshot();
/// std::thread::spawn(move || chan.send("hello"));
/// let length = pipes::block_on(async { port.recv_async().await.map(str::len) });
/// assert_eq!(length, Ok(5));
/// ```
#[track_caller]
pub fn block_on<F: IntoFuture>(future: F) -> F::Output {
    const { may_block() };
    let mut future = pin!(future.into_future());
    match wait_until(
        Location::caller(),
        &Other("a future"),
        || None,
        |cx| polled_by_thread(|| future.as_mut().poll(cx)),
    ) {
        Some(output) => output,
        None => unreachable!("without a deadline, the wait ends when the future is ready"),
    }
}
