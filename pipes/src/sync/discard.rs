//! Dropping what is the user's without being disturbed.

use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Drops what may be the user's, who must not disturb what goes on.
pub(crate) fn discard(value: impl Sized) {
    // What it panics with may panic when it is dropped.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value))).map_err(forget);
}
