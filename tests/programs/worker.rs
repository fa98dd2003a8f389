//! A worker: takes ends out of the table, uses each for a burst of operations, and puts back what is left.

use crate::births;
use crate::cargo::Totals;
use crate::ends::End;
use crate::kinds::{Counts, Kind};
use crate::program::Program;
use crate::watch::Notes;
use pipes_tests::{Rng, spin};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Waker;
use std::time::Duration;

/// The payload of a planned panic. It is raised without the panic hook, so nothing is printed.
pub struct Planned;

/// A worker's own state; nothing here is shared while it acts on an end.
pub struct Worker {
    pub program: Arc<Program>,
    pub number: usize,
    pub random: Rng,
    pub counts: Counts,
    senders: u64,
    births: u64,
    steps: u64,
    /// The verb of this burst, if the burst uses only one.
    mood: u64,
    /// Clones of the wakers of this operation.
    pub spent: Vec<Waker>,
}

impl Worker {
    pub fn new(program: Arc<Program>, number: usize) -> Self {
        let random = Rng::with_seed(program.seed.wrapping_mul(16).wrapping_add(number as u64 + 1));
        let births = program.shape.births;
        Worker {
            program,
            number,
            random,
            counts: Counts::default(),
            senders: 0,
            births,
            steps: 0,
            mood: 64,
            spent: Vec::new(),
        }
    }

    pub fn totals(&self) -> &Arc<Totals> {
        &self.program.totals
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.random.u64(..limit)
    }

    /// Returns `true` once in `times` times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub fn did(&mut self, kind: Kind) {
        self.counts.add(kind, 1);
    }

    /// Counts one of two kinds.
    pub fn did_either(&mut self, first: bool, then: Kind, otherwise: Kind) {
        self.did(if first { then } else { otherwise });
    }

    /// A name for a new sender.
    pub fn name(&mut self) -> u64 {
        self.senders += 1;
        ((self.number as u64 + 1) << 32) | self.senders
    }

    /// Returns `true` if this worker may wait without a limit. The first one never does: it ends the program.
    pub fn may_block(&self) -> bool {
        self.number != 0 && !self.program.closing.load(Relaxed)
    }

    /// Whether to wait without a limit this time.
    pub fn blocks(&mut self) -> bool {
        self.program.shape.block > self.random.u64(..100)
    }

    /// A verb out of `verbs`; in some bursts always the same one.
    pub fn verb(&mut self, verbs: u64) -> u64 {
        let mood = self.mood;
        if mood < 32 { mood % verbs } else { self.below(verbs) }
    }

    /// A short wait.
    pub fn moment(&mut self) -> Duration {
        Duration::from_micros(self.random.u64(..30))
    }

    /// Puts an end where the other workers find it.
    pub fn put(&mut self, end: End) {
        let cells = self.program.table.len() as u64;
        let cell = self.below(cells) as usize;
        self.put_at(cell, end);
    }

    pub fn put_at(&self, cell: usize, end: End) {
        self.program.table[cell].lock().expect("only moves happen in a cell").push(end);
    }

    /// Takes an end out of the table: often out of its own cell, which the others leave alone more often.
    pub fn take(&mut self) -> Option<(usize, End)> {
        let cells = self.program.table.len();
        let home = self.program.shape.home > self.below(100);
        let first = if home { self.number % cells } else { self.below(cells as u64) as usize };
        let tries = if home { 1 } else { cells };
        for cell in (0..tries).map(|step| (first + step) % cells) {
            let mut ends = self.program.table[cell].lock().expect("only moves happen in a cell");
            if !ends.is_empty() {
                let index = self.random.usize(..ends.len());
                return Some((cell, ends.swap_remove(index)));
            }
        }
        None
    }

    /// Runs all steps; the first worker then ends the program.
    pub fn run(mut self) -> Counts {
        self.rounds();
        while self.steps < self.program.shape.steps && !self.program.closing.load(Relaxed) {
            self.steps += 1;
            self.program.notes.note(self.number, self.steps, Notes::SEARCHING);
            guarded(&mut self, Self::step);
        }
        if self.number == 0 {
            self.program.closing.store(true, Relaxed);
            // A worker that blocks waits for an end that is here, or that another worker is about to put
            // here.
            while self.program.running.load(Relaxed) > 1 {
                self.clear();
                std::thread::yield_now();
            }
            self.clear();
        }
        guarded(&mut self, |worker| worker.spent.clear());
        self.program.running.fetch_sub(1, Relaxed);
        self.program.notes.note(self.number, self.steps, Notes::DONE);
        self.counts
    }

    /// Drops everything in the table.
    pub fn clear(&mut self) {
        for cell in 0..self.program.table.len() {
            loop {
                let end = self.program.table[cell].lock().expect("only moves happen in a cell").pop();
                let Some(end) = end else { break };
                self.steps += 1;
                self.program.notes.note(self.number, self.steps, Notes::CLEARING);
                guarded(self, |_| drop(end));
            }
        }
    }

    fn birth(&mut self) {
        if self.births > 0 {
            self.births -= 1;
            self.did(Kind::Birth);
            births::birth(self);
        }
    }

    /// Uses an end again and again, and returns what is left.
    pub fn burst(&mut self, end: End) -> Option<End> {
        self.steps += 1;
        self.program.notes.note(self.number, self.steps, end.note());
        let length = 1 + self.below(self.program.shape.burst);
        self.mood = self.below(64);
        // In some bursts the worker is slow, so that the others wait for it.
        let pace = [0, 0, 0, 100, 1000][self.below(5) as usize];
        let drop_rate = self.program.shape.drop_rate * if end.sends() { 8 } else { 1 };
        (0..length).try_fold(end, |end, _| {
            self.spent.clear();
            if pace > 0 {
                spin(self.random.u64(..pace));
            }
            if self.once_in(drop_rate) {
                self.did(Kind::DropEnd);
                drop(end);
                return None;
            }
            if self.program.closing.load(Relaxed) { Some(end) } else { end.act(self) }
        })
    }

    fn step(&mut self) {
        let rate = self.program.shape.birth_rate;
        if rate > 0 && self.once_in(rate) {
            self.birth();
        }
        let Some((cell, end)) = self.take() else {
            self.did(Kind::Idle);
            return self.birth();
        };
        let Some(end) = self.burst(end) else { return };
        if self.once_in(10) { self.put(end) } else { self.put_at(cell, end) }
    }
}

/// Runs a step that may panic as planned; what the step held is then lost.
pub fn guarded<T>(worker: &mut Worker, step: impl FnOnce(&mut Worker) -> T) -> Option<T> {
    let outcome = catch_unwind(AssertUnwindSafe(|| step(worker)));
    match &outcome {
        Ok(_) => {}
        Err(panic) if panic.is::<Planned>() => worker.did(Kind::Planned),
        Err(panic) => worker.program.fail(describe(&**panic)),
    }
    outcome.ok()
}

fn describe(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}
