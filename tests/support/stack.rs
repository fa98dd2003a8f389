//! Threads whose stacks have room for a few large payloads.

use crate::{apart, watched};
use std::thread::Builder;

/// The size of a large payload.
pub const LARGE: usize = 64 << 10;
/// The room for everything else in a stack.
const REST: usize = 64 << 10;
/// A stack for everything else. It is so large that the C library does not use it again for a small one.
pub const AMPLE: usize = 512 * LARGE;

/// A large payload.
#[derive(Debug)]
pub struct Large(pub [u8; LARGE]);

/// A payload on the heap, which was never on the stack of this thread's caller.
pub fn large() -> Box<Large> {
    Box::new(Large([1; LARGE]))
}

/// Runs the function in a thread with an ample stack.
pub fn with_ample_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = Builder::new().stack_size(AMPLE).spawn(run).expect("there is a thread");
    thread.join().expect("nothing panics")
}

/// Calls the function with the name of each way, what runs, and the size of a stack that has room for as many
/// payloads as the way says. If that does not suffice, the process aborts, so this one has its own.
pub fn with_small_stacks<T>(mut ways: Vec<(&'static str, usize, T)>, run: fn(&'static str, T, usize))
where
    T: Send + 'static,
{
    // The C library may use a stack again for a smaller one.
    ways.sort_by_key(|&(_, payloads, _)| payloads);
    apart(move || {
        watched(move || {
            for (name, payloads, way) in ways {
                // An optimised build needs about a third.
                let room = if cfg!(debug_assertions) { payloads } else { payloads.div_ceil(2) + 2 };
                // The sanitizers give each copy a place of its own.
                let room = if cfg!(pipes_no_cache) { 2 * room } else { room };
                run(name, way, room * LARGE + REST);
            }
        });
    });
}
