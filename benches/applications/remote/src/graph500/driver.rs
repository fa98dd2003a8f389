//! The runtime of a process, which its worker drives itself.
//!
//! The pumps of all sessions run in the worker's thread, while the worker waits. So a message takes no hop
//! between threads: the worker goes on as soon as the bytes are read.

use pipes::{Receive, TryRecvError, oneshot};
use pipes_graph500::workers::{Gone, Wait};
use std::future::Future;
use std::io;
use std::thread;
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;

/// The number of times that a worker goes round its runtime before the thread sleeps until something arrives.
const LOOKS: usize = 2000;
/// The number of rounds after which it lets another process run, in case one shares its core.
const COURTESY: usize = 16;

/// A runtime that runs while the thread waits for something.
#[derive(Debug)]
pub struct Driver(Runtime);

impl Driver {
    /// A runtime of its own for this thread.
    pub fn new() -> io::Result<Driver> {
        Ok(Driver(Builder::new_current_thread().enable_all().build()?))
    }

    /// Runs until the future is done.
    pub fn run<T>(&self, future: impl Future<Output = T>) -> T {
        self.0.block_on(future)
    }

    /// Runs while another thread does some long work, so that the other processes receive heartbeats.
    pub fn beside<T: Send>(&self, work: impl FnOnce() -> T + Send) -> io::Result<T> {
        thread::scope(|scope| {
            let (done, result) = oneshot();
            thread::Builder::new().spawn_scoped(scope, move || drop(done.send(work())))?;
            self.run(result.recv_async()).map_err(|_| io::Error::other("a thread has panicked"))
        })
    }
}

impl Wait for Driver {
    fn soon<R: Receive>(&self, receiver: R) -> Result<R::Message, Gone> {
        let receiver = match receiver.try_recv() {
            Ok(message) => return Ok(message),
            Err(TryRecvError::Closed) => return Err(Gone::Left),
            Err(TryRecvError::Empty(receiver)) => receiver,
        };
        self.run(async {
            for look in 1..=LOOKS {
                if receiver.is_ready() || receiver.is_closed() {
                    break;
                }
                if look % COURTESY == 0 {
                    thread::yield_now();
                }
                yield_now().await;
            }
            receiver.recv_async().await.map_err(Gone::left)
        })
    }

    fn pass(&self) {
        self.run(yield_now());
    }
}
