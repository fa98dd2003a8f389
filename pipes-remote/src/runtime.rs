//! The runtime of pumps.

use std::future::Future;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use tokio::runtime::{Builder, Handle};
use tokio::task::JoinHandle;

/// A thread with a runtime, for programs that have none. It is started when it is first needed, and lives as
/// long as the program.
static BACKGROUND: OnceLock<Handle> = OnceLock::new();
static STARTING: Mutex<()> = Mutex::new(());

/// The background runtime. To use resources of tokio that need a runtime from a thread outside of one, such
/// as an engine over a child process, enter it.
///
/// # Errors
///
/// The system cannot start a thread or a poller.
pub fn background() -> io::Result<Handle> {
    if let Some(handle) = BACKGROUND.get() {
        return Ok(handle.clone());
    }
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = BACKGROUND.get() {
        return Ok(handle.clone());
    }
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let forever = move || runtime.block_on(std::future::pending::<()>());
    thread::Builder::new().name(String::from("pipes-remote")).spawn(forever)?;
    Ok(BACKGROUND.get_or_init(|| handle).clone())
}

/// Runs a task in the runtime that the caller is in, or else in the background runtime. If the future is
/// dropped, so is the task.
pub(crate) async fn spawn<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
) -> io::Result<T> {
    spawn_in(Handle::try_current().or_else(|_| background())?, task).await
}

/// Runs a task in this runtime. If the future is dropped, so is the task.
pub(crate) async fn spawn_in<T: Send + 'static>(
    runtime: Handle,
    task: impl Future<Output = T> + Send + 'static,
) -> io::Result<T> {
    let mut running = Running(runtime.spawn(task));
    (&mut running.0).await.map_err(io::Error::other)
}

/// A task that ends when this is dropped.
struct Running<T>(JoinHandle<T>);

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Runs a task in the background runtime, and blocks the thread until it is done. Not `block_on`, which
/// panics inside of another runtime.
pub(crate) fn block_on<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> io::Result<T> {
    let (done, result) = pipes::oneshot();
    background()?.spawn(async move {
        // If the waiting thread is gone, so is the program.
        let _ = done.send(task.await);
    });
    result.recv().map_err(|_| io::Error::other("the task has panicked"))
}
