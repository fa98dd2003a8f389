//! One random protocol, its sessions, and what is known of it.

use crate::endings::{Sums, assert_fit};
use crate::local::Nothing;
use crate::player::{Player, Walk};
use pipes::Bound;
use pipes_tests::{DropCounter, OnPanic};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

/// The most messages of a session.
const BUDGET: u64 = 40;

/// A random protocol, with what is known of it.
pub struct Case {
    pub name: &'static str,
    /// The protocol's text, as the macro read it.
    pub text: &'static str,
    /// The bound that the macro computed.
    pub bound: Bound,
    /// The bound that a plain search found.
    pub expected: Option<usize>,
    /// The steps after which the same side sends again.
    pub one_sided: &'static [(&'static str, &'static str)],
    /// Starts a session; returns the walks of its two sides.
    pub start: fn() -> (Walk, Walk),
}

/// The number of the session that runs.
#[derive(Clone, Default)]
pub struct Running(Arc<AtomicU64>);

impl Case {
    /// From now on a failure is reported as this protocol's, and as the running session's.
    pub fn tell(&'static self) -> (Running, OnPanic<impl Fn()>) {
        // Shown only if the output of tests is shown, to find the protocol whose session aborted the process.
        println!("{}", self.name);
        let running = Running::default();
        let session = running.clone();
        let report = move || {
            eprintln!("in session {} of {}:\n{}", session.0.load(Ordering::Relaxed), self.name, self.text);
        };
        (running, OnPanic(report))
    }

    /// Runs one session on two threads.
    pub fn run(&self, seed: u64) -> Sums {
        let drops = DropCounter::new();
        let (client, server) = (self.start)();
        let together = Barrier::new(2);
        let id = seed + 1;
        let play = |seed: u64, walk: Walk| {
            together.wait();
            let records = Player::new(seed, &drops).play(id, BUDGET, walk);
            (records, Nothing::left())
        };
        let ((client, one), (server, other)) = thread::scope(|scope| {
            let server = scope.spawn(|| play(2 * seed + 1, server));
            let client = play(2 * seed, client);
            (client, server.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        assert_fit(&client, &server);
        drops.assert_all_dropped();
        assert_eq!(one + other, 0, "what has no size is gone as well");
        let mut sums = Sums::default();
        client.values().chain(server.values()).for_each(|record| sums.add(record));
        sums
    }

    /// Asserts that the macro's bound is the one that the plain search found.
    pub fn check_bound(&self) {
        match self.bound {
            Bound::Messages(most) => assert_eq!(Some(most), self.expected),
            Bound::Unbounded { cycle } => {
                assert_eq!(self.expected, None);
                assert!(!cycle.is_empty());
                let next = cycle.iter().cycle().skip(1);
                for step in cycle.iter().copied().zip(next.copied()) {
                    assert!(self.one_sided.contains(&step), "{step:?} in {cycle:?}");
                }
            }
        }
    }
}

impl Running {
    /// Sets the number of the running session.
    pub fn begin(&self, number: u64) -> u64 {
        self.0.store(number, Ordering::Relaxed);
        number
    }
}
