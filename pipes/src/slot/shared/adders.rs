//! The threads that may add to a word that can overflow.
//!
//! A word may hold a count in a few bits. A thread that does not know yet that the count has reached its end
//! adds once more than it should. As long as at most [`MOST_ADDERS`] threads do that, the count cannot
//! overflow. So a thread asks for a permit when it first wants to add to such a word, and keeps it until the
//! thread ends. A thread that asks when all permits are held uses compare-and-exchange instead, which takes
//! longer under contention.
//!
//! A thread has looked at the word before it asks. That look is older than the permit: earlier holders of the
//! permit may have added since then, and ended. So the step for which the thread asks is not an addition
//! either. Each addition follows a look that the thread took while it held the permit, and that look sees
//! everything that earlier holders have added.

#[cfg(test)]
mod tests;

use super::semaphore::Semaphore;
use crate::sync::AtomicUsize;
use std::cell::Cell;

/// The number of threads of a process that may add at the same time.
pub(super) const MOST_ADDERS: usize = if cfg!(test) { 2 } else { 1024 };

static SEMAPHORE: Semaphore = Semaphore(AtomicUsize::new(0));

/// What a thread knows about its own permit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    NotAsked,
    Yes,
    No,
}

thread_local! {
    static ANSWER: Cell<Answer> = const { Cell::new(Answer::NotAsked) };
    static PERMIT: Permit = const { Permit(Cell::new(false)) };
}

/// A thread's permit, if it has one. It is released when the thread ends.
struct Permit(Cell<bool>);

impl Drop for Permit {
    fn drop(&mut self) {
        // Destructors that run after this one send without the permit.
        ANSWER.set(Answer::No);
        if self.0.get() {
            SEMAPHORE.release();
        }
    }
}

/// Returns `true` if the calling thread may add to a word at which it has looked since its last call of this
/// function. The first answer to a thread is always no.
#[inline(always)]
pub(super) fn may_add() -> bool {
    match ANSWER.get() {
        Answer::Yes => true,
        Answer::No => false,
        Answer::NotAsked => ask(),
    }
}

/// Asks for a permit for the next time.
#[cold]
fn ask() -> bool {
    // A thread that is ending could not release it.
    let given = PERMIT.try_with(|permit| {
        permit.0.set(SEMAPHORE.try_acquire(MOST_ADDERS));
        permit.0.get()
    });
    ANSWER.set(if given.unwrap_or(false) { Answer::Yes } else { Answer::No });
    false
}
