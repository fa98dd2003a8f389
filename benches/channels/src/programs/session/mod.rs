//! The shortest possible sessions: a pipe is created, carries one message, and is closed.
//!
//! `--on same`: all in one thread, so nothing ever waits. `--on threads` and `--on tasks`: a client creates
//! the pipe, hands over its receiving end, sends, and drops its own end; a server takes each receiving end,
//! receives and drops it. The receiving ends travel through a bounded queue of 1024, the same for every
//! contender: `std`'s between threads, `tokio`'s between tasks. Its cost is part of each op, so the ratios
//! between contenders are smaller than with `same`.
//!
//! Verified: session k has sent k, and all messages have been received.

mod by_hand;
mod links;
mod par;
mod pipes;
mod sides;
mod wiring;

use std::io;
use std::sync::mpsc;

use clap::Args;
use serde::Serialize;

use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::options::{MOST_MESSAGES, up_to};
use wiring::{in_one_thread, on_tasks, on_threads};

/// The options of the sessions.
#[derive(Args, Serialize)]
pub struct Session {
    /// Sessions, one after another
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = up_to(MOST_MESSAGES))]
    rounds: u64,
    /// Where the client and the server run
    #[arg(long, value_name = "PLACE", default_value = "same", value_parser = On::among(Session::PLACES))]
    on: On,
}

impl Program for Session {
    const NAME: &'static str = "session";
    const ABOUT: &'static str = "Run short sessions; one op is to create a pipe, send one message and close";
    const UNIT: &'static str = "sessions";
    const PLACES: &'static [On] = &[On::Same, On::Tasks, On::Threads];
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--on", "same"], &["--on", "tasks"], &["--on", "threads"]];
    const QUICK: &'static [&'static str] = &["--rounds", "20000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .in_one_thread(|session, _| in_one_thread(session, pipes::pipe, pipes::say, pipes::hear))
            .on_threads(|session, _| on_threads(session, pipes::pipe, pipes::say, pipes::hear))
            .on_tasks(|session, at| on_tasks(session, at, pipes::pipe, pipes::say, pipes::hear_task)),
        Contender::new("pipes-by-hand", by_hand::SOURCES)
            .in_one_thread(|session, _| in_one_thread(session, by_hand::pipe, by_hand::say, by_hand::hear))
            .on_threads(|session, _| on_threads(session, by_hand::pipe, by_hand::say, by_hand::hear))
            .on_tasks(|session, at| on_tasks(session, at, by_hand::pipe, by_hand::say, by_hand::hear_task)),
        Contender::new("std", links::SOURCES)
            .in_one_thread(|session, _| in_one_thread(session, mpsc::channel, links::say, links::hear))
            .on_threads(|session, _| on_threads(session, mpsc::channel, links::say, links::hear)),
        Contender::new("crossbeam", links::SOURCES)
            .in_one_thread(|session, _| {
                in_one_thread(session, crossbeam_channel::unbounded, links::say, links::hear)
            })
            .on_threads(|session, _| {
                on_threads(session, crossbeam_channel::unbounded, links::say, links::hear)
            }),
        Contender::new("tokio", links::SOURCES)
            .in_one_thread(|session, _| {
                in_one_thread(session, tokio::sync::mpsc::unbounded_channel, links::say, links::hear)
            })
            .on_threads(|session, _| {
                on_threads(session, tokio::sync::mpsc::unbounded_channel, links::say, links::hear)
            })
            .on_tasks(|session, at| {
                on_tasks(session, at, tokio::sync::mpsc::unbounded_channel, links::say, links::hear_task)
            }),
        Contender::new("par", par::SOURCES)
            .in_one_thread(|session, _| in_one_thread(session, par::pipe, par::say, par::hear))
            .on_tasks(|session, at| on_tasks(session, at, par::pipe, par::say, par::hear_task)),
    ];

    type Setting = Executor;
    type Outcome = Tally;

    fn ops(&self, _: &Executor) -> u64 {
        self.rounds
    }

    fn on(&self) -> On {
        self.on
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, tally: &Tally) -> Result<(), String> {
        tally.verify("the server", &Tally::of_multiples(1, self.rounds))
    }
}
