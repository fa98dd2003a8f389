//! One sender and one receiver, with any number of messages in flight or at most `--capacity`.
//!
//! Measures throughput. Without a capacity a fast sender gets far ahead, and the queue's memory is part of
//! the cost. On tasks the sender yields after every 256 messages, for every contender alike: on one worker
//! the receiver would otherwise not start before the last message was sent.
//!
//! With `--batch`, the libraries that can do so send or receive that many messages at once: `pipes`
//! (`send_all`, `recv_many`), `rtrb` (chunks), `tokio` (`recv_many`) and `kanal` (`drain_into`). The others
//! send and receive one by one, as without it.
//!
//! Verified: 0, 1, 2, … have been received, in this order and completely.

mod batches;
mod links;

use std::io;
use std::sync::mpsc;

use clap::Args;
use crossfire::spsc;
use futures::channel::mpsc as futures_mpsc;
use serde::Serialize;
use tokio::sync::mpsc as tokio_mpsc;

use crate::either::either;
use batches::singly_or_in_batches;
use links::{on_tasks, on_threads};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::links::pipes as waiting;
use pipes_benches::options::{MOST_MESSAGES, up_to};

/// The options of the stream.
#[derive(Args, Serialize)]
pub struct Stream {
    /// Messages
    #[arg(long, value_name = "N", default_value_t = 5_000_000, value_parser = up_to(MOST_MESSAGES))]
    messages: u64,
    /// Where the sender and the receiver run
    #[arg(long, value_name = "PLACE", default_value = "threads", value_parser = On::among(Stream::PLACES))]
    on: On,
    /// The most messages in flight; unlimited by default
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity: Option<u64>,
    /// Messages that are sent or received at once, on threads; one by one by default
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<u64>,
}

impl Program for Stream {
    const NAME: &'static str = "stream";
    const ABOUT: &'static str = "Send numbers from one sender to one receiver; one op is one message";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--on", "threads"],
        &["--on", "tasks"],
        &["--on", "tasks2"],
        &["--on", "threads", "--batch", "64"],
        &["--on", "threads", "--capacity", "1024"],
        &["--on", "threads", "--capacity", "1024", "--batch", "64"],
        &["--on", "tasks", "--capacity", "1024"],
        &["--on", "tasks2", "--capacity", "1024"],
    ];
    const QUICK: &'static [&'static str] = &["--messages", "200000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", batches::SOURCES)
            .on_threads(|stream, _| either!(singly_or_in_batches(stream), pipes::stream, pipes::sync_stream))
            .on_tasks(|stream, at| either!(on_tasks(stream, at), pipes::stream, waiting::sync_stream)),
        Contender::new("std", links::SOURCES)
            .on_threads(|stream, _| either!(on_threads(stream), mpsc::channel, mpsc::sync_channel)),
        Contender::new("crossbeam", links::SOURCES).on_threads(|stream, _| {
            either!(on_threads(stream), crossbeam_channel::unbounded, crossbeam_channel::bounded)
        }),
        Contender::new("flume", links::SOURCES)
            .on_threads(|stream, _| either!(on_threads(stream), flume::unbounded, flume::bounded))
            .on_tasks(|stream, at| either!(on_tasks(stream, at), flume::unbounded, flume::bounded)),
        Contender::new("kanal", batches::SOURCES)
            .on_threads(|stream, _| either!(singly_or_in_batches(stream), kanal::unbounded, kanal::bounded))
            .on_tasks(|stream, at| {
                either!(on_tasks(stream, at), kanal::unbounded_async, kanal::bounded_async)
            }),
        Contender::new("crossfire", links::SOURCES)
            .on_threads(|stream, _| {
                either!(on_threads(stream), spsc::unbounded_blocking, spsc::bounded_blocking)
            })
            .on_tasks(|stream, at| either!(on_tasks(stream, at), spsc::unbounded_async, spsc::bounded_async)),
        Contender::new("tokio", batches::SOURCES)
            .on_threads(|stream, _| {
                either!(singly_or_in_batches(stream), tokio_mpsc::unbounded_channel, tokio_mpsc::channel)
            })
            .on_tasks(|stream, at| {
                either!(on_tasks(stream, at), tokio_mpsc::unbounded_channel, tokio_mpsc::channel)
            }),
        Contender::new("futures", links::SOURCES).on_tasks(|stream, at| {
            either!(on_tasks(stream, at), futures_mpsc::unbounded, futures_mpsc::channel)
        }),
        Contender::new("rtrb", batches::SOURCES)
            .unless(|stream: &Stream| {
                stream.capacity.is_none().then_some("it is always bounded; give a --capacity")
            })
            .on_threads(|stream, _| {
                singly_or_in_batches(stream, rtrb::RingBuffer::new(stream.capacity.unwrap_or(1) as usize))
            }),
    ];

    type Setting = Executor;
    type Outcome = Tally;

    fn ops(&self, _: &Executor) -> u64 {
        self.messages
    }

    fn check(&self) -> Result<(), String> {
        match (self.batch, self.on) {
            (None, _) | (_, On::Threads) => Ok(()),
            _ => Err("--batch is for threads".to_owned()),
        }
    }

    fn on(&self) -> On {
        self.on
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, tally: &Tally) -> Result<(), String> {
        tally.verify("the receiver", &Tally::of_multiples(1, self.messages))
    }
}
