//! Many senders and one receiver.
//!
//! Measures what senders cost each other and the receiver. Each sender numbers its messages from zero; the
//! senders' shares of the messages differ by at most one. Starting and ending the senders is part of the
//! timed run. On threads the caller's thread receives. On tasks a sender yields after every 256 messages, for
//! every contender alike.
//!
//! Most contenders have one queue, whose chan is cloned for each sender; `pipes-set` has a stream for each
//! sender and a set of their ports. A message is one word, with the sender in its upper bits.
//!
//! Verified: 0, 1, 2, … have been received from each sender, in this order and completely.

mod links;

use std::io;
use std::sync::mpsc;

use clap::Args;
use futures::channel::mpsc as futures_mpsc;
use serde::Serialize;
use tokio::sync::mpsc as tokio_mpsc;

use crate::merge::port_set::{self, set};
use crate::merge::queue::{self, shared};
use crate::shares::share;
use links::{on_tasks, on_threads};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::options::{MOST_MESSAGES, MOST_THREADS, up_to};

/// The version of the program over one queue.
const SHARED: &[&str] = &[links::SOURCE, queue::SOURCE];

/// The options of the fan-in.
#[derive(Args, Serialize)]
pub struct Fanin {
    /// Senders
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = up_to(1_000_000))]
    senders: u64,
    /// Messages, over all senders
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = up_to(MOST_MESSAGES))]
    messages: u64,
    /// Where the senders and the receiver run
    #[arg(long, value_name = "PLACE", default_value = "threads", value_parser = On::among(Fanin::PLACES))]
    on: On,
}

impl Fanin {
    /// The number of messages that this sender sends.
    fn share(&self, sender: u64) -> u64 {
        share(self.messages, self.senders, sender)
    }
}

impl Program for Fanin {
    const NAME: &'static str = "fanin";
    const ABOUT: &'static str = "Send numbers from many senders to one receiver; one op is one message";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] = &[&["--on", "threads"], &["--on", "tasks2"]];
    const QUICK: &'static [&'static str] = &["--messages", "100000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", SHARED)
            .on_threads(|fanin, _| on_threads(fanin, shared(fanin.senders, pipes::shared_stream())))
            .on_tasks(|fanin, at| on_tasks(fanin, at, shared(fanin.senders, pipes::shared_stream()))),
        Contender::new("pipes-set", &[links::SOURCE, port_set::SOURCE])
            .on_threads(|fanin, _| on_threads(fanin, set(fanin.senders)))
            .on_tasks(|fanin, at| on_tasks(fanin, at, set(fanin.senders))),
        Contender::new("std", SHARED)
            .on_threads(|fanin, _| on_threads(fanin, shared(fanin.senders, mpsc::channel()))),
        Contender::new("crossbeam", SHARED)
            .on_threads(|fanin, _| on_threads(fanin, shared(fanin.senders, crossbeam_channel::unbounded()))),
        Contender::new("flume", SHARED)
            .on_threads(|fanin, _| on_threads(fanin, shared(fanin.senders, flume::unbounded())))
            .on_tasks(|fanin, at| on_tasks(fanin, at, shared(fanin.senders, flume::unbounded()))),
        Contender::new("kanal", SHARED)
            .on_threads(|fanin, _| on_threads(fanin, shared(fanin.senders, kanal::unbounded())))
            .on_tasks(|fanin, at| on_tasks(fanin, at, shared(fanin.senders, kanal::unbounded_async()))),
        Contender::new("crossfire", SHARED)
            .on_threads(|fanin, _| {
                on_threads(fanin, shared(fanin.senders, crossfire::mpsc::unbounded_blocking()))
            })
            .on_tasks(|fanin, at| {
                on_tasks(fanin, at, shared(fanin.senders, crossfire::mpsc::unbounded_async()))
            }),
        Contender::new("tokio", SHARED)
            .on_threads(|fanin, _| on_threads(fanin, shared(fanin.senders, tokio_mpsc::unbounded_channel())))
            .on_tasks(|fanin, at| {
                on_tasks(fanin, at, shared(fanin.senders, tokio_mpsc::unbounded_channel()))
            }),
        Contender::new("futures", SHARED)
            .on_tasks(|fanin, at| on_tasks(fanin, at, shared(fanin.senders, futures_mpsc::unbounded()))),
    ];

    type Setting = Executor;
    /// What has arrived from each sender.
    type Outcome = Vec<Tally>;

    fn ops(&self, _: &Executor) -> u64 {
        self.messages
    }

    fn on(&self) -> On {
        self.on
    }

    fn check(&self) -> Result<(), String> {
        if self.on == On::Threads && self.senders > MOST_THREADS {
            return Err(format!("{} senders on threads are more than {MOST_THREADS} threads", self.senders));
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, tallies: &Vec<Tally>) -> Result<(), String> {
        (0..).zip(tallies).try_for_each(|(sender, tally)| {
            let due = Tally::of_multiples(1, self.share(sender));
            tally.verify(&format!("from sender {sender}, the receiver"), &due)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_message_is_told_with_its_sender() {
        let at = Executor::new(On::Threads).expect("the executor starts");
        let fanin = Fanin { senders: 2, messages: 5, on: On::Threads };
        let mut tallies = vec![Tally::of_multiples(1, 3), Tally::of_multiples(1, 2)];
        assert_eq!(fanin.verify(&at, &tallies), Ok(()));
        tallies[1] = Tally::of_multiples(1, 1);
        let told = fanin.verify(&at, &tallies);
        assert!(
            told.is_err_and(|difference| difference.starts_with("from sender 1, the receiver received 1"))
        );
    }
}
