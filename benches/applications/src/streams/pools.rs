//! The worker pools of the libraries that have one.

use std::future::Future;
use std::io;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::runtime::{Builder, Runtime};

use pipes_benches::executor::joined;

/// Pools prepared outside the timed part.
#[derive(Debug)]
pub struct Pools {
    /// The pool of `rayon`.
    pub rayon: ThreadPool,
    tokio: Runtime,
}

impl Pools {
    /// Starts the pools, with this many workers for each library.
    pub fn new(workers: usize) -> io::Result<Pools> {
        Ok(Pools {
            rayon: ThreadPoolBuilder::new().num_threads(workers).build().map_err(io::Error::other)?,
            tokio: Builder::new_multi_thread().worker_threads(workers).build()?,
        })
    }

    /// Runs a future as a task of `tokio`, and waits for it.
    pub fn task<F>(&self, future: F) -> F::Output
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.tokio.block_on(joined(Box::pin(future)))
    }
}
