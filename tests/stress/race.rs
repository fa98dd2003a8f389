//! Two threads that do one thing each to the two ends of a pipe, at the same moment, again and again.

use pipes_tests::{DropCounter, Rng, effort, spin, spin_while, watched};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Runs a test while no other one runs. Its threads race each other only while each has a processor, and
/// threads that spin would take the processors of another test's threads.
pub fn alone(test: impl FnOnce() + Send + 'static) {
    static TURN: Mutex<()> = Mutex::new(());
    // A failed test leaves nothing behind, so poison is ignored.
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    watched(test);
}

/// How many pipes are made at a time.
const BATCH: usize = 1000;

/// A point where two threads wait for each other.
#[derive(Default)]
struct Meeting([AtomicUsize; 2]);

impl Meeting {
    /// Returns when both threads have called it equally often. Spins, so that both go on at the same moment.
    fn meet(&self, side: usize) {
        let mine = self.0[side].fetch_add(1, Ordering::AcqRel) + 1;
        spin_while(|| self.0[1 - side].load(Ordering::Acquire) < mine);
    }

    /// A thread that fails lets the other one go.
    fn forgo(&self, side: usize) {
        self.0[side].store(usize::MAX / 2, Ordering::Release);
    }
}

struct Forgo<'a>(&'a Meeting, usize);

impl Drop for Forgo<'_> {
    fn drop(&mut self) {
        self.0.forgo(self.1);
    }
}

/// Makes pairs of ends, and calls `left` with one and `right` with the other, each in a thread of its own.
/// The two calls begin at the same moment, apart from some random instructions. Repeats this `effort(rounds)`
/// times.
pub fn race<A: Send, B: Send>(
    rounds: usize,
    mut make: impl FnMut(usize) -> (A, B) + Send,
    left: impl Fn(A) + Sync,
    right: impl Fn(B) + Sync,
) {
    let meeting = Meeting::default();
    let (hand_over, handed_over) = channel::<Vec<B>>();
    thread::scope(|scope| {
        scope.spawn(|| {
            let _forgo = Forgo(&meeting, 1);
            let mut random = Rng::with_seed(2);
            for end in handed_over.into_iter().flatten() {
                meeting.meet(1);
                spin(random.u64(..20));
                right(end);
            }
        });
        let _forgo = Forgo(&meeting, 0);
        let hand_over = hand_over;
        let mut random = Rng::with_seed(1);
        // If only some of the rounds run, they are spread over all of them.
        let (mut round, all) = (0, effort(rounds));
        let stride = if all < rounds { (rounds / all) | 1 } else { 1 };
        while round < all {
            let batch = (round..all.min(round + BATCH)).map(|round| make(round * stride));
            let (mine, theirs): (Vec<A>, Vec<B>) = batch.unzip();
            round += mine.len();
            hand_over.send(theirs).expect("the other thread has not failed");
            for end in mine {
                meeting.meet(0);
                spin(random.u64(..20));
                left(end);
            }
        }
    });
}

/// The same with payloads of a counter: in the end, each of them was dropped once.
pub fn counted_race<A: Send, B: Send>(
    rounds: usize,
    mut make: impl FnMut(usize, &DropCounter) -> (A, B) + Send,
    left: impl Fn(A) + Sync,
    right: impl Fn(B) + Sync,
) {
    let drops = DropCounter::new();
    race(rounds, |round| make(round, &drops), left, right);
    drops.assert_all_dropped();
}
