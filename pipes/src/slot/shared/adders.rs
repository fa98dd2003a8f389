//! The threads that may add to a word that can overflow.
//!
//! A word may hold a count in a few bits. A thread that does not know yet that the count has reached its end
//! adds once more than it should. As long as at most [`MOST_ADDERS`] threads do that, the count cannot
//! overflow. So a thread asks for the right to add when it first wants to add to such a word, and keeps the
//! right until it ends. A thread that asks when all rights are given uses compare-and-exchange instead, which
//! takes longer under contention.
//!
//! A thread has looked at the word before it asks. That look is older than the right: earlier holders of the
//! right may have added since then, and ended. So the step for which the thread asks is not an addition
//! either. Each addition follows a look that the thread took while it held the right, and that look sees
//! everything that earlier holders have added.

#[cfg(test)]
mod tests;

use super::rights::Rights;
use crate::sync::AtomicUsize;
use std::cell::Cell;

/// The number of threads of a process that may add at the same time.
pub(super) const MOST_ADDERS: usize = if cfg!(test) { 2 } else { 1024 };

static RIGHTS: Rights = Rights(AtomicUsize::new(0));

/// What a thread knows about its own right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    NotAsked,
    Yes,
    No,
}

thread_local! {
    static ANSWER: Cell<Answer> = const { Cell::new(Answer::NotAsked) };
    static RIGHT: Right = const { Right(Cell::new(false)) };
}

/// A thread's right, which is given back when the thread ends.
struct Right(Cell<bool>);

impl Drop for Right {
    fn drop(&mut self) {
        // Destructors that run after this one send without the right.
        ANSWER.set(Answer::No);
        if self.0.get() {
            RIGHTS.take_back();
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

/// Asks for the right for the next time.
#[cold]
fn ask() -> bool {
    // A thread that is ending could not give it back.
    let given = RIGHT.try_with(|right| {
        right.0.set(RIGHTS.give(MOST_ADDERS));
        right.0.get()
    });
    ANSWER.set(if given.unwrap_or(false) { Answer::Yes } else { Answer::No });
    false
}
