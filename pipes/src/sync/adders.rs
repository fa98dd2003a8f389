//! Which threads may add to a word that can run over.
//!
//! A word may hold a count in a few bits, to which each thread adds once more than it should if it did not
//! know that there is nothing left to count. As long as no more than [`MOST_ADDERS`] threads do that, there
//! is an end to the count. So a thread asks once, when it first wants to add to such a word, and keeps the
//! right to it until it ends. Those that come when all rights are given have to look and change the word by
//! one step, which takes longer where threads meet.
//!
//! A thread has looked at the word before it asks. That look is older than the right: holders of the right
//! that have ended may have added since. So the step for which the thread asks is not an addition either;
//! each addition follows a look that the thread took with the right in its hands, which sees all that earlier
//! holders have added.

use super::AtomicUsize;
use super::rights::Rights;
use std::cell::Cell;

/// How many threads of a process may add at the same time.
pub(crate) const MOST_ADDERS: usize = if cfg!(test) { 2 } else { 1024 };

static RIGHTS: Rights = Rights(AtomicUsize::new(0));

/// What a thread knows of itself.
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

/// Given back when the thread ends.
struct Right(Cell<bool>);

impl Drop for Right {
    fn drop(&mut self) {
        // What is sent by the destructors behind this one is sent without the right.
        ANSWER.set(Answer::No);
        if self.0.get() {
            RIGHTS.take_back();
        }
    }
}

/// May the calling thread add to a word at which it has looked since it last asked this? The first time it
/// may not.
#[inline(always)]
pub(crate) fn may_add() -> bool {
    match ANSWER.get() {
        Answer::Yes => true,
        Answer::No => false,
        Answer::NotAsked => ask(),
    }
}

/// Asks for the right, for the next time.
#[cold]
fn ask() -> bool {
    // A thread that is being torn down could not give it back.
    let given = RIGHT.try_with(|right| {
        right.0.set(RIGHTS.give(MOST_ADDERS));
        right.0.get()
    });
    ANSWER.set(if given.unwrap_or(false) { Answer::Yes } else { Answer::No });
    false
}

#[cfg(test)]
mod tests {
    use super::may_add;

    /// The first answer is no: what the thread has looked at until then may be older than the right.
    #[test]
    fn a_thread_asks_once() {
        let asked = || std::thread::spawn(|| [may_add(), may_add(), may_add()]);
        for _ in 0..100 {
            let [first, second, third] = asked().join().expect("it does not panic");
            assert!(!first);
            assert_eq!(second, third);
        }
    }
}
