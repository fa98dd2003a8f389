//! A program: a table of ends, workers that use them, and what must be true when all workers have ended.

use crate::births::{Birth, birth};
use crate::cargo::Totals;
use crate::ends::End;
use crate::kinds::{Counts, Kind};
use crate::rounds::Meeting;
use crate::wakers;
use crate::watch::Notes;
use crate::worker::Worker;
use pipes_tests::Rng;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

/// What a seed decides, besides the choices of each worker.
pub struct Shape {
    pub workers: usize,
    /// How many rounds all workers begin together, before they act independently.
    pub rounds: u64,
    /// The steps of each worker when it acts independently.
    pub steps: u64,
    /// The most operations on an end between two visits to the table.
    pub burst: u64,
    /// How many pipes each worker may make. It makes one in one of `birth_rate` steps, and whenever it finds
    /// no end.
    pub births: u64,
    pub birth_rate: u64,
    /// One in `drop_rate` operations drops a receiver, and one in eight times that number drops a sender.
    pub drop_rate: u64,
    /// Percentages: how often a worker takes from its own cell, waits without a limit, and has a waker that
    /// does something.
    pub home: u64,
    pub block: u64,
    pub hostile: u64,
    /// What all such wakers do, if it is the same for all.
    pub deeds: Option<u64>,
    pub kinds: &'static [Birth],
    first: u64,
    cells: usize,
    panicky: bool,
}

impl Shape {
    fn of(random: &mut Rng) -> Shape {
        let small = cfg!(miri);
        let workers = if small { 2 + random.u64(..2) } else { 3 + random.u64(..2) } as usize;
        let panicky = random.u64(..4) == 0;
        let deeds = if random.u64(..3) == 0 { Some(random.u64(..wakers::DEEDS)) } else { None };
        if random.u64(..3) == 0 {
            // Rounds: the two sides of fresh pipes race, again and again.
            let crew = (workers - random.usize(..2)).max(2);
            return Shape {
                workers: crew,
                rounds: if small { 4 } else { 100 },
                steps: 0,
                burst: [1, 4, 16][random.usize(..3)],
                births: 0,
                birth_rate: 0,
                drop_rate: [2, 8, 40][random.usize(..3)],
                home: 100,
                block: [0, 20, 80][random.usize(..3)],
                hostile: [0, 0, 20][random.usize(..3)],
                deeds,
                kinds: Birth::ALL,
                first: 0,
                cells: crew,
                panicky,
            };
        }
        if random.bool() {
            // A duel: a few pipes of one kind, whose ends stay with their workers for long.
            let kind = random.usize(..Birth::ALL.len());
            return Shape {
                workers,
                rounds: 0,
                steps: if small { 4 } else { 40 },
                burst: if small { 8 } else { [8, 64, 1024][random.usize(..3)] },
                births: 12,
                birth_rate: 4,
                drop_rate: [20, 100, 400][random.usize(..3)],
                home: 90,
                block: [0, 20, 80][random.usize(..3)],
                hostile: [0, 0, 50][random.usize(..3)],
                deeds,
                kinds: &Birth::ALL[kind..=kind],
                first: 1 + random.u64(..2),
                cells: workers,
                panicky,
            };
        }
        Shape {
            workers,
            rounds: 0,
            steps: if small { 6 } else { 120 },
            burst: [1, 8, 32][random.usize(..3)],
            births: 30,
            birth_rate: 3,
            drop_rate: [10, 40, 200][random.usize(..3)],
            home: 30,
            block: [0, 10, 50][random.usize(..3)],
            hostile: [0, 20, 90][random.usize(..3)],
            deeds,
            kinds: Birth::ALL,
            first: 4,
            cells: 2 * workers,
            panicky,
        }
    }
}

/// What the workers share. While a worker acts on an end, it touches only the relaxed counters of this.
pub struct Program {
    pub seed: u64,
    pub shape: Shape,
    pub table: Vec<Mutex<Vec<End>>>,
    pub totals: Arc<Totals>,
    pub notes: Arc<Notes>,
    /// The first worker is done, and drops everything in the table.
    pub closing: AtomicBool,
    /// The number of workers that are not done.
    pub running: AtomicUsize,
    pub meeting: Meeting,
    failure: OnceLock<String>,
}

impl Program {
    /// Takes an end out of a cell of the table.
    pub fn take_from(&self, cell: usize) -> Option<End> {
        self.table[cell].lock().expect("only moves happen in a cell").pop()
    }

    /// Records that a step has failed; the first failure is reported.
    pub fn fail(&self, text: String) {
        // Only the first failure is kept.
        let _ = self.failure.set(text);
        self.closing.store(true, Relaxed);
    }
}

/// Runs the program of a seed; panics if something was wrong.
pub fn run(seed: u64, notes: &Arc<Notes>) -> Counts {
    notes.begin(seed);
    let mut random = Rng::with_seed(seed);
    let shape = Shape::of(&mut random);
    let program = Arc::new(Program {
        seed,
        table: (0..shape.cells).map(|_| Mutex::default()).collect(),
        totals: Arc::new(Totals { panicky: shape.panicky, ..Totals::default() }),
        notes: notes.clone(),
        closing: AtomicBool::new(false),
        running: AtomicUsize::new(shape.workers),
        meeting: Meeting::default(),
        failure: OnceLock::new(),
        shape,
    });
    let mut first = Worker::new(program.clone(), 0);
    (0..program.shape.first).for_each(|_| birth(&mut first));
    let others = (1..program.shape.workers).map(|number| {
        let worker = Worker::new(program.clone(), number);
        thread::spawn(move || worker.run())
    });
    let others: Vec<_> = others.collect();
    let mut counts = first.run();
    for other in others {
        counts.merge(&other.join().expect("a worker catches what its steps panic with"));
    }
    let mut last = Worker::new(program.clone(), 0);
    last.clear();
    wakers::count(&mut last);
    counts.merge(&last.counts);
    let totals = &program.totals;
    let [made, gone, forgotten] =
        [&totals.made, &totals.gone, &totals.forgotten].map(|counter| counter.load(Relaxed));
    if let Some(failure) = program.failure.get() {
        panic!("PIPES_PROGRAM_SEED={seed}: {failure}");
    }
    assert!(gone <= made, "PIPES_PROGRAM_SEED={seed}: {gone} messages are gone, {made} were made");
    assert!(
        made - gone <= forgotten,
        "PIPES_PROGRAM_SEED={seed}: {made} messages were made, {gone} are gone, {forgotten} were forgotten"
    );
    assert!(counts.missing().len() < Kind::ALL.len(), "PIPES_PROGRAM_SEED={seed}: nothing was done");
    counts
}
