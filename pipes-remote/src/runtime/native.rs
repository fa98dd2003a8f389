//! Tasks and timers of tokio, and the runtime in which pumps run.

use once_cell::race::OnceBox;
use pipes::inspect::block_until_for;
use std::cell::Cell;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::panic::catch_unwind;
use std::pin::Pin;
use std::process;
use std::task::Context;
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Id};
use tokio::sync::oneshot;
pub(crate) use tokio::task::AbortHandle;
use tokio::task::{JoinHandle, unconstrained};
pub(crate) use tokio::time::{Instant, Sleep, sleep, sleep_until};

/// A thread with a runtime, for programs that have no runtime. It is started when it is first needed, and
/// lives as long as the process.
///
/// A child of `fork` inherits this memory, but not the thread, so each process adds an entry of its own to
/// the list. There is no lock. If another thread held it at the time of the fork, it would never be released
/// in the child. Entries are never dropped, because this would close resources that belong to the parent.
static BACKGROUND: OnceBox<Background> = OnceBox::new();

struct Background {
    process: u32,
    handle: Handle,
    /// The thread ends when this is dropped.
    _lasts: oneshot::Sender<()>,
    next: OnceBox<Background>,
}

/// Returns the background runtime.
///
/// Enter it to use resources of tokio that need a runtime, such as an engine over a child process, from a
/// thread outside of a runtime.
///
/// A child of `fork` has a background runtime of its own.
///
/// # Errors
///
/// The system cannot start a thread or a poller.
pub fn background() -> io::Result<Handle> {
    let process = process::id();
    let mut place = &BACKGROUND;
    loop {
        match place.get() {
            Some(background) if background.process == process => return Ok(background.handle.clone()),
            Some(of_another_process) => place = &of_another_process.next,
            // If another thread has been faster, the new runtime ends again.
            None => drop(place.set(Background::start(process)?)),
        }
    }
}

impl Background {
    fn start(process: u32) -> io::Result<Box<Background>> {
        let (started, handle) = oneshot::channel();
        let (lasts, end) = oneshot::channel();
        let run = move || {
            // The runtime is created in its own thread. If it were created before and the thread did not
            // start, it could be dropped inside of a task, which panics.
            let runtime = match Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(started.send(Err(error))),
            };
            let _ = started.send(Ok(runtime.handle().clone()));
            let _ = runtime.block_on(end);
        };
        thread::Builder::new().name(String::from("pipes-remote")).spawn(run)?;
        let handle =
            wait_for(handle).ok_or_else(|| io::Error::other("the thread of the runtime has panicked"))??;
        Ok(Box::new(Background { process, handle, _lasts: lasts, next: OnceBox::new() }))
    }
}

/// Returns `true` if the caller is inside of a runtime with drivers for sockets and timers. Pumps can run
/// there.
pub(crate) fn is_inside() -> bool {
    thread_local! {
        /// The last runtime, and the result for it.
        static LAST: Cell<Option<(Id, bool)>> = const { Cell::new(None) };
    }
    let Ok(id) = Handle::try_current().map(|runtime| runtime.id()) else { return false };
    if let Some((last, has_drivers)) = LAST.get()
        && last == id
    {
        return has_drivers;
    }
    // Tokio does not tell which drivers a runtime has. It panics if one is missing. If a panic would end the
    // process, there is no way to find out.
    let has_drivers = cfg!(panic = "abort")
        || match catch_unwind(use_drivers) {
            Ok(Ok(())) => true,
            // Perhaps there are too many open files. This says nothing about the runtime.
            Ok(Err(_)) => return true,
            Err(_) => false,
        };
    LAST.set(Some((id, has_drivers)));
    has_drivers
}

/// Panics if the current runtime has no driver for timers or no driver for sockets.
fn use_drivers() -> io::Result<()> {
    drop(sleep(Duration::ZERO));
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.set_nonblocking(true)?;
    tokio::net::UdpSocket::from_std(socket).map(drop)
}

/// Begins a task in the current runtime.
pub(crate) fn spawn_task(task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
    tokio::spawn(task).abort_handle()
}

/// Runs a function that may block, in a thread for such functions.
pub(crate) fn spawn_blocking(run: impl FnOnce() + Send + 'static) {
    drop(tokio::task::spawn_blocking(run));
}

/// Runs a task in the current runtime, if it has all drivers. Otherwise, runs it in the background runtime.
/// If the returned future is dropped, so is the task.
pub(crate) async fn spawn<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
) -> io::Result<T> {
    spawn_in(if is_inside() { Handle::current() } else { background()? }, task).await
}

/// Runs a task in this runtime. If the returned future is dropped, so is the task.
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

/// Runs a task in the background runtime, and blocks until it is done.
///
/// Does not use `Runtime::block_on`, which panics inside of another runtime.
pub(crate) fn block_on<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> io::Result<T> {
    let (done, result) = oneshot::channel();
    background()?.spawn(async move {
        // This fails only if the program is about to end.
        let _ = done.send(task.await);
    });
    wait_for(result).ok_or_else(|| io::Error::other("the task has panicked"))
}

/// Blocks until the result of a task is there. Returns `None` if the task has panicked.
///
/// The result does not come through a channel of `pipes`, whose sender [`pipes::inspect`] would take for one
/// of this thread, which has made it.
fn wait_for<T>(result: oneshot::Receiver<T>) -> Option<T> {
    // Without this, a task that blocks here and has used up its budget of tokio would wait for ever.
    let mut result = unconstrained(result);
    let poll = |cx: &mut Context<'_>| Pin::new(&mut result).poll(cx);
    block_until_for("a task of pipes-remote", || None, poll)?.ok()
}
