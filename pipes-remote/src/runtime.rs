//! The runtime of pumps.

use once_cell::race::OnceBox;
use pipes::ChanOne;
use std::cell::Cell;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::panic::catch_unwind;
use std::process;
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Id};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// A thread with a runtime, for programs that have none. It is started when it is first needed, and lives as
/// long as the process.
///
/// A child of `fork` inherits this memory, but not the thread, so each process adds an entry of its own to
/// the list. There is no lock: at the moment of the fork another thread could have it, and in the child it
/// would never be released. Entries are never dropped: that would close what still belongs to the parent.
static BACKGROUND: OnceBox<Background> = OnceBox::new();

struct Background {
    process: u32,
    handle: Handle,
    /// The thread ends when this is dropped.
    _lasts: ChanOne<()>,
    next: OnceBox<Background>,
}

/// Returns the background runtime. To use resources of tokio that need a runtime from a thread outside of
/// one, such as an engine over a child process, enter it.
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
            // If another thread is faster, this one's thread ends again.
            None => drop(place.set(Background::start(process)?)),
        }
    }
}

impl Background {
    fn start(process: u32) -> io::Result<Box<Background>> {
        let (started, handle) = pipes::oneshot();
        let (lasts, end) = pipes::oneshot();
        let run = move || {
            // Here, because a runtime may not be dropped in a task, should the thread not start.
            let runtime = match Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(started.send(Err(error))),
            };
            let _ = started.send(Ok(runtime.handle().clone()));
            let _ = runtime.block_on(end.into_future());
        };
        thread::Builder::new().name(String::from("pipes-remote")).spawn(run)?;
        let handle = handle.recv().map_err(io::Error::other)??;
        Ok(Box::new(Background { process, handle, _lasts: lasts, next: OnceBox::new() }))
    }
}

/// Returns `true` inside of a runtime with drivers for sockets and timers, in which pumps can run.
pub(crate) fn is_inside() -> bool {
    thread_local! {
        /// The last answer.
        static LAST: Cell<Option<(Id, bool)>> = const { Cell::new(None) };
    }
    let Ok(id) = Handle::try_current().map(|runtime| runtime.id()) else { return false };
    if let Some((last, has_drivers)) = LAST.get()
        && last == id
    {
        return has_drivers;
    }
    // Tokio does not tell which drivers a runtime has. It panics where one is missing; if a panic would end
    // the process, there is no way to ask.
    let has_drivers = cfg!(panic = "abort")
        || match catch_unwind(use_drivers) {
            Ok(Ok(())) => true,
            // Too many open files, perhaps; this is not about the runtime.
            Ok(Err(_)) => return true,
            Err(_) => false,
        };
    LAST.set(Some((id, has_drivers)));
    has_drivers
}

/// Panics if the current runtime has no driver for timers, or none for sockets.
fn use_drivers() -> io::Result<()> {
    drop(sleep(Duration::ZERO));
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.set_nonblocking(true)?;
    tokio::net::UdpSocket::from_std(socket).map(drop)
}

/// Runs a task in the runtime that the caller is in, if it has all drivers, or else in the background
/// runtime. If the future is dropped, so is the task.
pub(crate) async fn spawn<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
) -> io::Result<T> {
    spawn_in(if is_inside() { Handle::current() } else { background()? }, task).await
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

/// Runs a task in the background runtime, and waits until it is done.
///
/// Blocks the thread. Not `block_on`, which panics inside of another runtime.
pub(crate) fn block_on<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> io::Result<T> {
    let (done, result) = pipes::oneshot();
    background()?.spawn(async move {
        // If the waiting thread is gone, so is the program.
        let _ = done.send(task.await);
    });
    result.recv().map_err(|_| io::Error::other("the task has panicked"))
}
