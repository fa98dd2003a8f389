//! Several wakers at once.

use crate::sync::{discard, panicking};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::task::Waker;

/// Wakes all of them. If one panics, the others are woken nevertheless, and then the panic goes on. Panics of others, and all of them in
/// a thread that panics already, are forgotten: two at once would end the process.
pub(crate) fn wake_all(wakers: impl IntoIterator<Item = Waker>) {
    let mut first = None;
    for waker in wakers {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| waker.wake())) {
            discard(first.replace(panic));
        }
    }
    if let Some(panic) = first {
        if panicking() {
            return discard(panic);
        }
        resume_unwind(panic);
    }
}
