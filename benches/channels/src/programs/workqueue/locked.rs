//! The port of a library whose channels have one receiver, behind a lock: a consumer that waits for a message
//! holds the lock, and the others wait for the lock.

use std::sync::{Arc, Mutex, PoisonError};

use pipes_benches::links::{BlockingPort, Closed, TaskPort};
use tokio::sync::Mutex as TokioMutex;

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("locked.rs");

/// A port behind a lock.
#[derive(Debug)]
pub struct Locked<M>(Arc<M>);

/// Puts the port behind a lock of the standard library.
pub fn by_std<C, P>((chan, port): (C, P)) -> (C, Locked<Mutex<P>>) {
    (chan, Locked(Arc::new(Mutex::new(port))))
}

/// Puts the port behind a lock of tokio.
pub fn by_tokio<C, P>((chan, port): (C, P)) -> (C, Locked<TokioMutex<P>>) {
    (chan, Locked(Arc::new(TokioMutex::new(port))))
}

// Derived, it would ask for locks that can be cloned.
impl<M> Clone for Locked<M> {
    fn clone(&self) -> Self {
        Locked(self.0.clone())
    }
}

impl<T, P: BlockingPort<T>> BlockingPort<T> for Locked<Mutex<P>> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).recv()
    }
}

impl<T, P: BlockingPort<T>> BlockingPort<T> for Locked<TokioMutex<P>> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        self.0.blocking_lock().recv()
    }
}

impl<T, P: TaskPort<T>> TaskPort<T> for Locked<TokioMutex<P>> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        self.0.lock().await.recv().await
    }
}
