//! Random programs over every kind of end.
#![cfg(not(pipes_loom))]

mod births;
mod cargo;
mod chans;
mod ends;
mod hear;
mod kinds;
mod ledger;
mod once;
mod ports;
mod program;
mod selects;
mod services;
mod sessions;
mod sets;
mod wakers;
mod watch;
mod worker;

use kinds::Counts;
use std::sync::Arc;
use std::time::{Duration, Instant};
use watch::{Notes, watched};

/// How many programs an ordinary run tries.
const PROGRAMS: u64 = if cfg!(miri) { 3 } else { 300 };

fn told(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn number(name: &str) -> Option<u64> {
    told(name).map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn random_programs() {
    let seed = number("PIPES_PROGRAM_SEED");
    let endless = told("PIPES_PROGRAMS").is_some_and(|count| count == "endless");
    let programs = if endless { u64::MAX } else { number("PIPES_PROGRAMS").unwrap_or(PROGRAMS) };
    let limit = number("PIPES_PROGRAM_SECONDS").map(Duration::from_secs);
    // A run may go on where another one has ended.
    let start = number("PIPES_PROGRAM_START").unwrap_or(0);
    let begin = Instant::now();
    let notes = Arc::new(Notes::default());
    let mut counts = Counts::default();
    let mut run = 0;
    watched(&notes, ends::NOTES, || {
        while run < programs && limit.is_none_or(|limit| begin.elapsed() < limit) {
            run += 1;
            counts.merge(&program::run(seed.unwrap_or(start + run), &notes));
        }
    });
    println!("{run} programs, {} events in {:?}", counts.total(), begin.elapsed());
    if seed.is_none() && run >= PROGRAMS && !cfg!(miri) {
        assert_eq!(counts.missing(), [], "every kind of step occurs");
    }
}
