//! One sender changes a value, and many receivers wait for each change.
//!
//! A receiver waits until the value has changed, borrows it, and tells the sender through a channel of
//! `tokio`, for every contender alike. The sender changes the value again when all receivers have told it. So
//! each receiver sees each value, and what is measured is the wake-up of all receivers. Starting and ending
//! the receivers is part of the timed run.
//!
//! Verified: each receiver has seen 1, 2, 3, …, in this order and completely.

mod links;

use std::io;

use clap::Args;
use serde::Serialize;

use links::{SOURCE, on_tasks};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::options::{MOST_MESSAGES, up_to};

/// The options of the watch.
#[derive(Args, Serialize)]
pub struct Watch {
    /// Receivers, each of which sees every change
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to(1_000_000))]
    receivers: u64,
    /// Changes of the value
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = up_to(MOST_MESSAGES))]
    changes: u64,
    /// Where the sender and the receivers run
    #[arg(long, value_name = "PLACE", default_value = "tasks2", value_parser = On::among(Watch::PLACES))]
    on: On,
}

impl Program for Watch {
    const NAME: &'static str = "watch";
    const ABOUT: &'static str =
        "Change a value that many receivers wait for; one op is one change, seen by all";
    const UNIT: &'static str = "changes";
    const PLACES: &'static [On] = &[On::Tasks, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--on", "tasks", "--receivers", "8"],
        &["--on", "tasks2", "--receivers", "1"],
        &["--on", "tasks2", "--receivers", "8"],
        &["--on", "tasks2", "--receivers", "1000", "--changes", "1000"],
    ];
    const QUICK: &'static [&'static str] = &["--changes", "1000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", &[SOURCE]).on_tasks(|watch, at| on_tasks(watch, at, pipes::watch(0))),
        Contender::new("tokio", &[SOURCE])
            .on_tasks(|watch, at| on_tasks(watch, at, tokio::sync::watch::channel(0))),
    ];

    type Setting = Executor;
    /// What each receiver has seen.
    type Outcome = Vec<Tally>;

    fn ops(&self, _: &Executor) -> u64 {
        self.changes
    }

    fn on(&self) -> On {
        self.on
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, tallies: &Vec<Tally>) -> Result<(), String> {
        let due = Tally::of_multiples(1, self.changes);
        (0..).zip(tallies).try_for_each(|(receiver, tally): (u64, _)| {
            tally.verify(&format!("the receiver {receiver}"), &due)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_was_not_seen_is_told_with_its_receiver() {
        let at = Executor::new(On::Tasks).expect("the executor starts");
        let watch = Watch { receivers: 2, changes: 5, on: On::Tasks };
        let mut tallies = vec![Tally::of_multiples(1, 5); 2];
        assert_eq!(watch.verify(&at, &tallies), Ok(()));
        tallies[0] = Tally::of_multiples(1, 4);
        let told = watch.verify(&at, &tallies);
        assert!(told.is_err_and(|difference| difference.starts_with("the receiver 0 received 4")));
    }
}
