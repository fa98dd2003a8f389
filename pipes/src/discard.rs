//! Drops a value of the user's, whatever its destructor does.

use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Drops a value that may be the user's. Ignores a panic of its destructor, so that the caller can go on.
pub(crate) fn discard(value: impl Sized) {
    // The payload of the panic may itself panic when it is dropped, so it is forgotten.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value))).map_err(forget);
}
