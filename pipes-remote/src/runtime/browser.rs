//! Tasks and timers of a page.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::task::Poll;
use tokio::sync::oneshot;
use wasm_bindgen_futures::spawn_local;
pub(crate) use wasmtimer::std::Instant;
pub(crate) use wasmtimer::tokio::{Sleep, sleep, sleep_until};

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
    let (handle, mut end) = oneshot::channel();
    spawn_local(async move {
        let mut task = pin!(task);
        poll_fn(|cx| {
            // If the handle was dropped, the task goes on.
            match pin!(&mut end).poll(cx) {
                Poll::Ready(Ok(())) => Poll::Ready(()),
                _ => task.as_mut().poll(cx),
            }
        })
        .await;
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
