//! A set of endpoints, any of which may be the next with a message.
//!
//! Messages are sent one at a time to one of the endpoints, in a pseudorandom order that is the same for
//! every contender and every run; one receiver takes each message through the set. Measures what a receive
//! through a set costs, how that grows with `--endpoints`, and that it does not grow with `--idle` endpoints,
//! which receive no messages. Creating them is part of the timed run: use enough messages.
//!
//! `--arrival ready`: one thread sends a message, then receives it, and so on. Nothing ever waits, and one
//! endpoint is ready at a time. `--arrival remote`: another thread sends, at most 64 messages ahead of the
//! receiver, for every contender alike. At 64 it waits until half of them have been received; it polls the
//! number that the receiver keeps, with the backoff of `crossbeam-utils`, and never sleeps. Without that
//! limit most endpoints would have a backlog, and finding a ready one would be trivial. In both cases the
//! channels are created within the timed run, and are closed only after the last receive.
//!
//! The sets of futures run in one future under `futures::executor::block_on`, from the first message to the
//! last. `tagged` is a lower bound rather than a rival: one queue of pairs, for which all senders must agree
//! on a type, and which no endpoint ever leaves.
//!
//! Verified: endpoint k has received 0, k + 1, 2(k + 1), … in this order and completely, as often as it was
//! chosen.

mod chosen;
mod heard;
mod set;
mod sets;
mod tasks;
mod threads;
mod window;

use std::io;

use clap::{Args, ValueEnum, value_parser};
use serde::Serialize;

use chosen::Chosen;
use pipes_benches::executor::On;
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::options::{MOST_MESSAGES, up_to};
use sets::{crossbeam, futures as unordered, pipes, tagged, tokio as stream_map};

/// The options of the selection.
#[derive(Args, Serialize)]
pub struct Select {
    /// Endpoints in the set
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = up_to(100_000))]
    endpoints: u64,
    /// Additional endpoints in the set, which receive no messages
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(..=100_000))]
    idle: u64,
    /// Messages, over all endpoints
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = up_to(MOST_MESSAGES))]
    messages: u64,
    /// Whether the receiving thread itself sends each message, or another one
    #[arg(long, value_name = "ARRIVAL", value_enum, default_value = "ready")]
    arrival: Arrival,
}

/// Where messages come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Arrival {
    /// From the receiving thread, one at a time.
    Ready,
    /// From another thread, in flight.
    Remote,
}

impl Select {
    /// The number of endpoints in the set; the idle ones are the last.
    fn all(&self) -> u64 {
        self.endpoints + self.idle
    }
}

impl Program for Select {
    const NAME: &'static str = "select";
    const ABOUT: &'static str =
        "Receive from whichever of many endpoints has a message; one op is one receive";
    const UNIT: &'static str = "receives";
    const PLACES: &'static [On] = &[On::Same, On::Threads];
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--arrival", "ready"],
        &["--arrival", "ready", "--endpoints", "256"],
        &["--arrival", "remote"],
        &["--arrival", "remote", "--endpoints", "256"],
    ];
    const QUICK: &'static [&'static str] = &["--messages", "10000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::ON_THREADS)
            .in_one_thread(|select, _| threads::ready(select, pipes::set(select)))
            .on_threads(|select, _| threads::remote(select, pipes::set(select))),
        Contender::new("pipes-async", pipes::IN_FUTURES)
            .in_one_thread(|select, _| tasks::ready(select, pipes::set(select)))
            .on_threads(|select, _| tasks::remote(select, pipes::set(select))),
        Contender::new("crossbeam", crossbeam::SOURCES)
            .in_one_thread(|select, _| crossbeam::with_set(select, |select, set| threads::ready(select, set)))
            .on_threads(|select, _| crossbeam::with_set(select, |select, set| threads::remote(select, set))),
        Contender::new("futures-selectall", unordered::SOURCES)
            .in_one_thread(|select, _| tasks::ready(select, unordered::select_all(select)))
            .on_threads(|select, _| tasks::remote(select, unordered::select_all(select))),
        Contender::new("futures-unordered", unordered::SOURCES)
            .in_one_thread(|select, _| tasks::ready(select, unordered::unordered(select)))
            .on_threads(|select, _| tasks::remote(select, unordered::unordered(select))),
        Contender::new("tokio-streammap", stream_map::SOURCES)
            .in_one_thread(|select, _| tasks::ready(select, stream_map::stream_map(select)))
            .on_threads(|select, _| tasks::remote(select, stream_map::stream_map(select))),
        Contender::new("tagged", tagged::SOURCES)
            .in_one_thread(|select, _| threads::ready(select, tagged::set(select)))
            .on_threads(|select, _| threads::remote(select, tagged::set(select))),
    ];

    type Setting = ();
    /// What each endpoint has received.
    type Outcome = Vec<Tally>;

    fn ops(&self, _: &()) -> u64 {
        self.messages
    }

    fn on(&self) -> On {
        match self.arrival {
            Arrival::Ready => On::Same,
            Arrival::Remote => On::Threads,
        }
    }

    fn setting(&self) -> io::Result<()> {
        Ok(())
    }

    fn verify(&self, _: &(), heard: &Vec<Tally>) -> Result<(), String> {
        let mut counts = vec![0; self.endpoints as usize];
        Chosen::new(self).for_each(|(endpoint, _)| counts[endpoint] += 1);
        counts.into_iter().zip(heard).enumerate().try_for_each(|(endpoint, (count, tally))| {
            let due = Tally::of_multiples(endpoint as u64 + 1, count);
            tally.verify(&format!("endpoint {endpoint}"), &due)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_at_another_endpoint_is_told() {
        let select = Select { endpoints: 3, idle: 0, messages: 30, arrival: Arrival::Ready };
        let mut heard = heard::Heard::new(&select);
        Chosen::new(&select).for_each(|(endpoint, value)| heard.note(endpoint, value));
        assert_eq!(select.verify(&(), &heard.0), Ok(()));
        heard.note(2, 0);
        assert!(
            select
                .verify(&(), &heard.0)
                .is_err_and(|difference| difference.starts_with("endpoint 2 received"))
        );
    }
}
