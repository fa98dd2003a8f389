use std::sync::Barrier;
use std::sync::atomic::{AtomicPtr, Ordering};

fn main() {
    let mut plain = 7;
    let shared = AtomicPtr::new(&raw mut plain);
    // Both threads must run at the same time: the sanitizer may reuse the slot of a thread that has ended for
    // one that begins later, and then takes the two for the same thread.
    let both = Barrier::new(2);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                both.wait();
                // SAFETY: this is unsound on purpose. Both threads write `plain` without synchronization, and
                // the tool must report it.
                unsafe { *shared.load(Ordering::Relaxed) += 1 };
            });
        }
    });
}
