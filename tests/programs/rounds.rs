//! Rounds: all workers begin at the same moment, each with ends of a fresh pipe, and drop them when they are
//! done.
//!
//! They meet between two rounds. This orders the rounds, but nothing within a round.

use crate::births;
use crate::kinds::Kind;
use crate::worker::{Worker, guarded};
use pipes_tests::spin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::yield_now;

/// The meeting point of the workers.
#[derive(Default)]
pub struct Meeting {
    /// How many times a worker has ended a round, in all rounds together; and the last round that has begun.
    arrived: AtomicU64,
    begun: AtomicU64,
}

/// Spins, so that all workers go on at the same moment.
fn until(happened: impl Fn() -> bool, mut meanwhile: impl FnMut()) {
    let mut spins = 0;
    while !happened() {
        spins += 1;
        if spins % 32 == 0 {
            meanwhile();
            yield_now();
        } else {
            std::hint::spin_loop();
        }
    }
}

impl Worker {
    /// Runs all rounds of the program.
    pub fn rounds(&mut self) {
        let program = self.program.clone();
        let (meeting, others) = (&program.meeting, program.shape.workers as u64 - 1);
        for round in 1..=program.shape.rounds {
            if self.number == 0 {
                // A worker that waits without a limit waits for an end that is in the table, or will be when
                // another worker is done.
                until(|| meeting.arrived.load(Ordering::Acquire) == others * (round - 1), || self.clear());
                self.clear();
                self.did(Kind::Birth);
                guarded(self, births::birth);
                meeting.begun.store(round, Ordering::Release);
            } else {
                until(|| meeting.begun.load(Ordering::Acquire) == round, || {});
            }
            while guarded(self, Worker::turn) == Some(true) {}
            if self.number != 0 {
                meeting.arrived.fetch_add(1, Ordering::Release);
            }
        }
        if self.number == 0 {
            let rounds = program.shape.rounds;
            until(|| meeting.arrived.load(Ordering::Acquire) == others * rounds, || self.clear());
        }
    }

    /// Uses an end of its own cell. Returns `false` if there is none.
    fn turn(&mut self) -> bool {
        let own = self.program.table[self.number].lock().expect("only moves happen in a cell").pop();
        let Some(end) = own else { return false };
        spin(self.random.u64(..50));
        drop(self.burst(end));
        true
    }
}
