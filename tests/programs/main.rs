//! Random programs over every kind of end: ends lie in a table, and workers take them out, use them, and put
//! them back.
//!
//! A seed decides a program, but not how its threads are scheduled. A failure names the seed.
//! `PIPES_PROGRAM_SEED=n` runs that one program again and again; `PIPES_PROGRAMS=count` (or `endless`),
//! `PIPES_PROGRAM_START=n` and `PIPES_PROGRAM_SECONDS=s` set how many programs run, from which seed on, and
//! for how long. If there is no progress for `PIPES_PATIENCE` seconds, the process aborts.
//!
//! # What orders what
//!
//! Only the library may order what the two sides of a pipe do. So a worker keeps an end for a burst of
//! operations, and until the burst is over it touches nothing that other workers touch, except for relaxed
//! counters. The table has a lock for each cell. The payloads are plain data on the heap, which a thread
//! sanitizer checks.
//!
//! # Why no program hangs
//!
//! - In some pipes a wait without a limit is for a message or for room, in others for the close, and in the
//!   rest there are no such waits (`ledger::Patience`). Both sides of a pipe never wait for each other.
//! - A worker that waits without a limit holds the receivers that it waits with, or one sender of a full
//!   stream and the message. Each other end is in the table, in a message, in a waker, or with a worker that
//!   does not wait.
//! - A future that is forgotten in the line for room keeps the room that it is granted. This is done only
//!   where no receiver waits for a message without a limit, because it would wait in vain.
//! - A message in a pipe carries only ends of pipes whose own messages carry none (`End::carries`), so no
//!   pipe keeps itself alive. A waker or a message that does something owns only ends of pipes that were made
//!   for it, and no worker waits on those without a limit. It may drop ends that are in the table, which
//!   only lets others go on.
//! - The first worker never waits without a limit. When its steps are done, it drops everything that is put
//!   into the table, until the other workers have ended. Each drop lets a worker go on: dropped senders end a
//!   wait for a message, dropped receivers a wait for room or for the close. The worker then puts back what
//!   it holds, and that is dropped as well.
//! - A shared port that was called for a message, and does not look, keeps it from the other receivers until
//!   it is dropped, which the first worker does. This also holds for one that was polled as a stream.

mod arms;
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
mod reserves;
mod rounds;
mod runs;
mod selects;
mod services;
mod sessions;
mod sets;
mod wakers;
mod watch;
mod worker;

use kinds::Counts;
use pipes::inspect::{Verdict, deadlocks};
use pipes_tests::watch_progress;
use std::sync::Arc;
use std::thread::{spawn, yield_now};
use std::time::{Duration, Instant};
use watch::Notes;

/// How many programs an ordinary run tries.
const PROGRAMS: u64 = if cfg!(miri) { 3 } else { 300 };

fn told(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn number(name: &str) -> Option<u64> {
    told(name).map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Looks at several moments of a program. None of them has a deadlock.
fn look_for_deadlocks() {
    for _ in 0..10 {
        for found in deadlocks() {
            assert_ne!(found.verdict, Verdict::Certain, "{found}");
        }
        yield_now();
    }
}

#[test]
fn random_programs() {
    let seed = number("PIPES_PROGRAM_SEED");
    let endless = told("PIPES_PROGRAMS").is_some_and(|count| count == "endless");
    let programs = if endless { u64::MAX } else { number("PIPES_PROGRAMS").unwrap_or(PROGRAMS) };
    let limit = number("PIPES_PROGRAM_SECONDS").map(Duration::from_secs);
    // So that a run can continue where another one ended.
    let start = number("PIPES_PROGRAM_START").unwrap_or(0);
    let begin = Instant::now();
    let notes = Arc::new(Notes::default());
    let mut counts = Counts::default();
    let mut run = 0;
    let [seen, described] = [notes.clone(), notes.clone()];
    watch_progress(
        move || seen.words(),
        move || described.describe(),
        || {
            while run < programs && limit.is_none_or(|limit| begin.elapsed() < limit) {
                run += 1;
                let looking = spawn(look_for_deadlocks);
                counts.merge(&program::run(seed.unwrap_or(start + run), &notes));
                looking.join().expect("there is no deadlock");
            }
        },
    );
    println!("{run} programs, {} events in {:?}", counts.total(), begin.elapsed());
    if seed.is_none() && run >= PROGRAMS && !cfg!(miri) {
        assert_eq!(counts.missing(), [], "every kind of step occurs");
    }
}
