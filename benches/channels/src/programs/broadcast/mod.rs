//! One sender and many receivers, each of which gets every message.
//!
//! There are two kinds of channels. In those of `pipes` and `async-broadcast` the sender waits for the
//! slowest receiver. In those of `pipes-lagging` and `tokio` it overwrites what a receiver has not received.
//! So there the sender waits, after as many messages as the capacity, until each receiver says that it has
//! received them. It says so through a channel of `std` in a thread, and of `tokio` in a task, for both
//! alike. Compare contenders of one kind.
//!
//! Starting and ending the receivers is part of the timed run. On threads the caller's thread sends. On tasks
//! the sender yields after every 256 messages, for every contender alike.
//!
//! Verified: each receiver has received 0, 1, 2, …, in this order and completely.

mod links;

use std::io;

use clap::Args;
use serde::Serialize;

use links::{SOURCE, on_tasks, on_threads};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::options::{MOST_MESSAGES, MOST_THREADS, up_to};

/// The options of the broadcast.
#[derive(Args, Serialize)]
pub struct Broadcast {
    /// Receivers, each of which gets every message
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to(1_000_000))]
    receivers: u64,
    /// Messages that are sent
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = up_to(MOST_MESSAGES))]
    messages: u64,
    /// Where the sender and the receivers run
    #[arg(long, value_name = "PLACE", default_value = "tasks2", value_parser = On::among(Broadcast::PLACES))]
    on: On,
    /// The messages that the channel holds
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = up_to(1_000_000))]
    capacity: u64,
}

impl Program for Broadcast {
    const NAME: &'static str = "broadcast";
    const ABOUT: &'static str =
        "Send numbers from one sender to all of many receivers; one op is one message to all";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--on", "threads", "--receivers", "1"],
        &["--on", "threads", "--receivers", "8"],
        &["--on", "tasks", "--receivers", "8"],
        &["--on", "tasks2", "--receivers", "1"],
        &["--on", "tasks2", "--receivers", "8"],
        &["--on", "tasks2", "--receivers", "1000", "--messages", "2000"],
    ];
    const QUICK: &'static [&'static str] = &["--messages", "2000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", &[SOURCE])
            .on_threads(|broadcast, _| on_threads(broadcast, pipes::broadcast(broadcast.capacity as usize)))
            .on_tasks(|broadcast, at| on_tasks(broadcast, at, pipes::broadcast(broadcast.capacity as usize))),
        Contender::new("pipes-lagging", &[SOURCE])
            .on_threads(|broadcast, _| {
                on_threads(broadcast, pipes::broadcast_lagging(broadcast.capacity as usize))
            })
            .on_tasks(|broadcast, at| {
                on_tasks(broadcast, at, pipes::broadcast_lagging(broadcast.capacity as usize))
            }),
        Contender::new("async-broadcast", &[SOURCE])
            .on_threads(|broadcast, _| {
                on_threads(broadcast, async_broadcast::broadcast(broadcast.capacity as usize))
            })
            .on_tasks(|broadcast, at| {
                on_tasks(broadcast, at, async_broadcast::broadcast(broadcast.capacity as usize))
            }),
        Contender::new("tokio", &[SOURCE])
            .on_threads(|broadcast, _| {
                on_threads(broadcast, tokio::sync::broadcast::channel(broadcast.capacity as usize))
            })
            .on_tasks(|broadcast, at| {
                on_tasks(broadcast, at, tokio::sync::broadcast::channel(broadcast.capacity as usize))
            }),
    ];

    type Setting = Executor;
    /// What each receiver has received.
    type Outcome = Vec<Tally>;

    fn ops(&self, _: &Executor) -> u64 {
        self.messages
    }

    fn on(&self) -> On {
        self.on
    }

    fn check(&self) -> Result<(), String> {
        if self.on == On::Threads && self.receivers > MOST_THREADS {
            return Err(format!(
                "{} receivers on threads are more than {MOST_THREADS} threads",
                self.receivers
            ));
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, tallies: &Vec<Tally>) -> Result<(), String> {
        let due = Tally::of_multiples(1, self.messages);
        (0..).zip(tallies).try_for_each(|(receiver, tally): (u64, _)| {
            tally.verify(&format!("the receiver {receiver}"), &due)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_message_is_told_with_its_receiver() {
        let at = Executor::new(On::Threads).expect("the executor starts");
        let broadcast = Broadcast { receivers: 2, messages: 5, on: On::Threads, capacity: 2 };
        let mut tallies = vec![Tally::of_multiples(1, 5); 2];
        assert_eq!(broadcast.verify(&at, &tallies), Ok(()));
        tallies[1] = Tally::of_multiples(1, 4);
        let told = broadcast.verify(&at, &tallies);
        assert!(told.is_err_and(|difference| difference.starts_with("the receiver 1 received 4")));
    }
}
