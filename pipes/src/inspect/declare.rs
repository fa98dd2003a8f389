//! What a program says of itself: the names of its tasks, and who owns which ends.

use crate::wait::uses;
use std::future::{Future, IntoFuture};

/// Gives a task its name, for [`snapshot`](super::snapshot()): returns a future that does what this one does.
///
/// Use it around the whole future of a task. With the feature `inspect`, the task is listed by this name as
/// long as futures of this library wait in it, and what it uses is known to be used by it. Without the
/// feature, the future is returned as it is.
///
/// ```
/// # futures::executor::block_on(async {
/// let (mut chan, mut port) = pipes::stream();
/// let till = pipes::inspect::named("till 3", async move { port.recv_async().await });
/// // This would be `tokio::spawn(till)`.
/// chan.send(7)?;
/// assert_eq!(till.await, Ok(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "inspect")]
pub fn named<F: IntoFuture>(name: &str, future: F) -> impl Future<Output = F::Output> + use<F> {
    use crate::wait::{Runner, polled_by};
    let (task, future) = (Runner::task(name.into()), future.into_future());
    async move {
        let mut future = std::pin::pin!(future);
        std::future::poll_fn(|cx| polled_by(task.clone(), || future.as_mut().poll(cx))).await
    }
}

/// Gives a task its name, for [`snapshot`](super::snapshot()). Without the feature `inspect`, it returns the
/// future as it is.
///
/// ```
/// # futures::executor::block_on(async {
/// let (mut chan, mut port) = pipes::stream();
/// let till = pipes::inspect::named("till 3", async move { port.recv_async().await });
/// chan.send(7)?;
/// assert_eq!(till.await, Ok(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(not(feature = "inspect"))]
pub fn named<F: IntoFuture>(_name: &str, future: F) -> impl Future<Output = F::Output> + use<F> {
    future.into_future()
}

/// Calls the function. Its thread declares that it owns each end that it uses meanwhile, from that use until
/// the function returns: the end lies in a variable of this thread, and is neither given away nor shared.
///
/// [`deadlocks`](super::deadlocks()) rely on it: a deadlock of threads in which each end is owned in this way
/// is certain, and the report names the scopes. This holds for the ends of sessions, oneshots and streams
/// with one sender and one receiver. Where there may be several, a deadlock remains suspected: another one
/// may have a permit, or be made of a weak one.
///
/// An end that the thread drops, or uses up in a session, is no longer there, so that is no harm. An end that
/// it gives to another thread, puts into a message or lends must not be used in the scope before. A scope
/// inside another one adds nothing. Without the feature `inspect`, this only calls the function.
///
/// ```
/// let (mut chan, mut port) = pipes::stream();
/// pipes::inspect::scope("sending", || chan.send(1))?;
/// assert_eq!(port.recv(), Ok(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scope<R>(name: &str, call: impl FnOnce() -> R) -> R {
    uses::scope(name, call)
}
