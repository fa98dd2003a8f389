//! Channels for one message each: created, used once, dropped.
//!
//! `--on same`: one thread creates a channel, sends, receives, and so on; nothing ever waits, so this is the
//! cost of the channel itself. `--on threads`: this thread creates a batch of 128 channels, hands over the
//! sending ends to a second thread and then receives from all channels in order; the second thread sends on
//! each as it arrives. The batches travel through one `std` channel, the same for every contender, so a
//! hand-over adds little to each op.
//!
//! Verified: the message of channel k is k, and all messages have arrived.

mod links;

use std::io;
use std::sync::mpsc;

use clap::Args;
use serde::Serialize;

use links::{in_one_thread, on_threads};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::options::{MOST_MESSAGES, up_to};

/// The options of the oneshots.
#[derive(Args, Serialize)]
pub struct Oneshot {
    /// Channels, one after another
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = up_to(MOST_MESSAGES))]
    rounds: u64,
    /// Where the sending and the receiving side run
    #[arg(long, value_name = "PLACE", default_value = "same", value_parser = On::among(Oneshot::PLACES))]
    on: On,
}

impl Program for Oneshot {
    const NAME: &'static str = "oneshot";
    const ABOUT: &'static str = "Use a channel for one message; one op is to create it, send and receive";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = &[On::Same, On::Threads];
    const VARIANTS: &'static [&'static [&'static str]] = &[&["--on", "same"], &["--on", "threads"]];
    const QUICK: &'static [&'static str] = &["--rounds", "50000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", links::SOURCES)
            .in_one_thread(|oneshot, _| in_one_thread(oneshot, pipes::oneshot))
            .on_threads(|oneshot, _| on_threads(oneshot, pipes::oneshot)),
        Contender::new("oneshot", links::SOURCES)
            .in_one_thread(|oneshot, _| in_one_thread(oneshot, ::oneshot::channel))
            .on_threads(|oneshot, _| on_threads(oneshot, ::oneshot::channel)),
        Contender::new("tokio", links::SOURCES)
            .in_one_thread(|oneshot, _| in_one_thread(oneshot, tokio::sync::oneshot::channel))
            .on_threads(|oneshot, _| on_threads(oneshot, tokio::sync::oneshot::channel)),
        Contender::new("futures", links::SOURCES)
            .in_one_thread(|oneshot, _| in_one_thread(oneshot, futures::channel::oneshot::channel))
            .on_threads(|oneshot, _| on_threads(oneshot, futures::channel::oneshot::channel)),
        Contender::new("crossfire", links::SOURCES)
            .in_one_thread(|oneshot, _| in_one_thread(oneshot, crossfire::oneshot::oneshot))
            .on_threads(|oneshot, _| on_threads(oneshot, crossfire::oneshot::oneshot)),
        Contender::new("std", links::SOURCES)
            .in_one_thread(|oneshot, _| in_one_thread(oneshot, mpsc::channel))
            .on_threads(|oneshot, _| on_threads(oneshot, mpsc::channel)),
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
        tally.verify("the receiver", &Tally::of_multiples(1, self.rounds))
    }
}
