use std::sync::Barrier;
use std::sync::atomic::{AtomicPtr, Ordering};

fn main() {
    let mut plain = 7;
    let shared = AtomicPtr::new(&raw mut plain);
    // Both threads live at once: the sanitizer takes one that begins after the other's end for the same thread, if it has its slot.
    let both = Barrier::new(2);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                both.wait();
                // SAFETY: there is none.
                unsafe { *shared.load(Ordering::Relaxed) += 1 };
            });
        }
    });
}
