//! Random programs over every kind of end: ends lie in a table, and workers take them out, use them, and put them back.
//!
//! A seed decides a program, though not how its threads take turns. A failure names the seed. `PIPES_PROGRAM_SEED=n` runs that one
//! alone, again and again; `PIPES_PROGRAMS=count` (or `endless`), `PIPES_PROGRAM_START=n` and `PIPES_PROGRAM_SECONDS=s` say how many
//! programs run, from which seed on, and for how long. If nothing moves for `PIPES_PROGRAM_PATIENCE` seconds, the process aborts.
//!
//! # What orders what
//!
//! The library alone is to order what the two sides of a pipe do. So a worker keeps an end for a burst of operations, and touches
//! nothing meanwhile that others touch, but relaxed counters; the table has a lock for each cell. The payloads are plain data on the
//! heap, which a thread sanitizer watches.
//!
//! # Why no program hangs
//!
//! - A wait without a limit is for a message or for room in some pipes, for the close in others, and in the rest there is none
//!   (`ledger::Patience`). Both sides of a pipe never wait for each other.
//! - A worker that waits without a limit holds the receivers that it waits with; or one sender, of a full stream, and the message. Each
//!   end is otherwise in the table, in a message, in a waker, or with a worker that does not wait.
//! - A message that lies in a pipe brings only ends of pipes whose own messages bring none (`End::carries`), so no pipe is kept alive
//!   by itself. A waker holds only ends of pipes that were made for it, on which nobody waits without a limit.
//! - The first worker never waits without a limit. When its steps are done it drops all that comes to lie in the table, until the
//!   others have ended. Each drop lets somebody go: whoever waits for a message, whose senders are dropped, and whoever waits
//!   for room or for the close, whose receivers are. They put back what they hold, and that is dropped as well.
//! - A shared port that was told of a message, and does not look, keeps others from it until it is dropped, which the first
//!   worker does.

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
mod rounds;
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
