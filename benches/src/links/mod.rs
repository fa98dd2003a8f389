//! A common interface to the channels of all libraries, so a program's loop is written once.
//!
//! The traits are implemented on the libraries' own endpoint types and used only through generics, so a call
//! through them compiles to the library's own call. There is one file per library; receivers from many chans
//! are in `merge`.

pub mod crossbeam;
pub mod crossfire;
pub mod flume;
pub mod futures;
pub mod kanal;
pub mod oneshot;
pub mod pipes;
pub mod rtrb;
pub mod std_mpsc;
pub mod tokio;

use ::std::future::Future;

/// The other end has closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

impl Closed {
    /// The common form of every library's own error.
    #[inline]
    pub fn from_any<E>(_: E) -> Closed {
        Closed
    }
}

/// A chan that sends from a thread, waiting for room if it has a capacity.
pub trait BlockingChan<T>: Send + 'static {
    /// Sends, or reports that the port has closed.
    fn send(&mut self, value: T) -> Result<(), Closed>;
}

/// A port that receives by blocking the thread.
pub trait BlockingPort<T>: Send + 'static {
    /// Receives, or reports that the chan has closed and nothing is left.
    fn recv(&mut self) -> Result<T, Closed>;
}

/// A chan that sends from a task, waiting for room if it has a capacity.
pub trait TaskChan<T>: Send + 'static {
    /// Sends, or reports that the port has closed.
    fn send(&mut self, value: T) -> impl Future<Output = Result<(), Closed>> + Send;
}

/// A port that receives by suspending the task.
pub trait TaskPort<T>: Send + 'static {
    /// Receives, or reports that the chan has closed and nothing is left.
    fn recv(&mut self) -> impl Future<Output = Result<T, Closed>> + Send;
}

/// A chan for one message, which never waits.
pub trait OneshotChan<T>: Send + 'static {
    /// Sends, or reports that the port has closed.
    fn send(self, value: T) -> Result<(), Closed>;
}

/// A port for one message, which blocks the thread.
pub trait OneshotPort<T>: Send + 'static {
    /// Receives, or reports that the chan has closed.
    fn recv(self) -> Result<T, Closed>;
}

/// One side of a conversation over two links.
#[derive(Debug)]
pub struct Side<C, P> {
    /// To the other side.
    pub chan: C,
    /// From the other side.
    pub port: P,
}

/// Makes a conversation of two links.
pub fn both_ways<C, P>(link: impl Fn() -> (C, P)) -> (Side<C, P>, Side<C, P>) {
    let (there, at_server) = link();
    let (back, at_client) = link();
    (Side { chan: there, port: at_client }, Side { chan: back, port: at_server })
}
