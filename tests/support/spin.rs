//! Waiting without sleeping.

use std::{hint, thread};

/// Executes this many instructions. A random number lets two threads meet at different places.
pub fn spin(steps: u64) {
    for step in 0..steps {
        hint::black_box(step);
    }
}

/// Spins while this holds, so that the thread goes on in the moment when it no longer does. Yields now and
/// then, because the thread that it waits for may need the processor.
pub fn spin_while(mut holds: impl FnMut() -> bool) {
    let mut spins = 0_u32;
    while holds() {
        spins = spins.wrapping_add(1);
        if spins.is_multiple_of(256) { thread::yield_now() } else { hint::spin_loop() }
    }
}
