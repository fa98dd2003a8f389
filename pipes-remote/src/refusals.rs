//! Tells a program which clients were refused.
//!
//! # Layers
//!
//! Uses `runtime` and the errors; used by `site`.

use crate::error::AcceptError;
use crate::runtime::spawn_blocking;
use pipes::remote::Peer;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// A function that is called with each client that was refused.
type OnRefused = dyn Fn(Peer, AcceptError) + Send + Sync;

/// The most calls that are under way or wait for a thread. A stranger may connect faster than the function
/// returns, so further clients are not reported.
const CALLS: usize = 128;

/// The function that is called for the clients of an address that were refused, if there is one.
pub(crate) struct Refusals {
    on_refused: Mutex<Option<Arc<OnRefused>>>,
    calls: Arc<Semaphore>,
}

impl Refusals {
    pub(crate) fn new() -> Self {
        Refusals { on_refused: Mutex::new(None), calls: Arc::new(Semaphore::new(CALLS)) }
    }

    /// Sets the function.
    pub(crate) fn set(&self, on_refused: impl Fn(Peer, AcceptError) + Send + Sync + 'static) {
        let new: Arc<OnRefused> = Arc::new(on_refused);
        let before = self.lock().replace(new);
        drop(before);
    }

    /// Calls the function in a thread of the runtime for code that blocks. A panic ends only the call.
    pub(crate) fn report(&self, peer: Peer, why: AcceptError) {
        let on_refused = self.lock().clone();
        if let Some(on_refused) = on_refused
            && let Ok(call) = self.calls.clone().try_acquire_owned()
        {
            spawn_blocking(move || {
                let _call = call;
                on_refused(peer, why);
            });
        }
    }

    /// Locks the function. Nothing panics while it holds the lock.
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<OnRefused>>> {
        self.on_refused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
