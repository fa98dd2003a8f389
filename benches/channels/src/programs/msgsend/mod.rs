//! Workers that send to a counting server: the program `msgsend`, with which the pipes of 2012 were first
//! compared.
//!
//! The server is created first, then the workers. Each worker sends *a hundred bytes* (as a number, not as
//! bytes) again and again, `--messages` times over all workers. When all workers have ended, the main thread
//! asks for the count and closes its chan. The server adds up until all senders have closed, and then answers
//! if it was asked. So the program works with any number of queues, although they do not order the messages
//! of different senders.
//!
//! There are two shapes. *Shared*: one queue, whose chan is cloned for each worker. *Set*: a channel for each
//! worker, and a server that receives from all of them. The main thread is one more sender. The timed run
//! includes starting and ending the workers and creating the channels. The answer travels through a channel
//! of `std` between threads, of `tokio` between tasks, for every contender alike.
//!
//! On tasks a worker yields after every 256 messages that it has sent, for every contender alike.
//!
//! Verified: the count is a hundred times the number of messages.

mod links;

use std::io;
use std::sync::mpsc;

use clap::{Args, ValueEnum};
use futures::channel::mpsc as futures_mpsc;
use serde::Serialize;
use tokio::sync::mpsc as tokio_mpsc;

use crate::merge::apart;
use crate::merge::port_set::{self, set};
use crate::merge::queue::{self, shared};
use crate::merge::ready_drain::{self, ReadyDrain};
use crate::merge::select_all::{self, SelectAll};
use links::{on_tasks, on_threads};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::{MOST_MESSAGES, MOST_THREADS, up_to};

/// What a worker sends in each message.
const BYTES: u64 = 100;

/// The version of the program over one queue.
const SHARED: &[&str] = &[links::SOURCE, queue::SOURCE];

/// The options of `msgsend`.
#[derive(Args, Serialize)]
pub struct Msgsend {
    /// Workers that send
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to(1_000_000))]
    workers: u64,
    /// Messages, over all workers; must be divisible by the number of workers
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = up_to(MOST_MESSAGES))]
    messages: u64,
    /// A channel for each worker, one shared by all, or both in one race
    #[arg(long, value_name = "SHAPE", value_enum, default_value = "both")]
    shape: Shape,
    /// Where the workers and the server run
    #[arg(long, value_name = "PLACE", default_value = "threads", value_parser = On::among(Msgsend::PLACES))]
    on: On,
}

/// How the workers are connected to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Shape {
    /// In both ways: all contenders run.
    Both,
    /// By a channel for each worker.
    Set,
    /// By one channel.
    Shared,
}

/// What the server receives.
#[derive(Clone, Copy, Debug)]
pub enum Request {
    /// A number of bytes to add.
    Bytes(u64),
    /// A request for the count.
    GetCount,
}

/// The reason why a contender with one queue is left out, if it is.
fn no_set(msgsend: &Msgsend) -> Option<&'static str> {
    (msgsend.shape == Shape::Set).then_some("it has one queue for all workers; give --shape shared or both")
}

/// The reason why a contender with a queue for each worker is left out, if it is.
fn no_shared(msgsend: &Msgsend) -> Option<&'static str> {
    (msgsend.shape == Shape::Shared).then_some("it has a channel for each worker; give --shape set or both")
}

impl Msgsend {
    /// The workers and the main thread.
    fn senders(&self) -> u64 {
        self.workers + 1
    }
}

impl Program for Msgsend {
    const NAME: &'static str = "msgsend";
    const ABOUT: &'static str = "Send from many workers to a counting server; one op is one message counted";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--on", "threads"], &["--on", "tasks2"], &["--on", "tasks2", "--workers", "10000"]];
    const QUICK: &'static [&'static str] = &["--messages", "20000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes-set", &[links::SOURCE, port_set::SOURCE])
            .unless(no_shared)
            .on_threads(|msgsend, _| on_threads(msgsend, set(msgsend.senders())))
            .on_tasks(|msgsend, at| on_tasks(msgsend, at, set(msgsend.senders()))),
        Contender::new("pipes-shared", SHARED)
            .unless(no_set)
            .on_threads(|msgsend, _| on_threads(msgsend, shared(msgsend.senders(), pipes::shared_stream())))
            .on_tasks(|msgsend, at| on_tasks(msgsend, at, shared(msgsend.senders(), pipes::shared_stream()))),
        Contender::new("std", SHARED)
            .unless(no_set)
            .on_threads(|msgsend, _| on_threads(msgsend, shared(msgsend.senders(), mpsc::channel()))),
        Contender::new("crossbeam", SHARED).unless(no_set).on_threads(|msgsend, _| {
            on_threads(msgsend, shared(msgsend.senders(), crossbeam_channel::unbounded()))
        }),
        Contender::new("crossbeam-select", &[links::SOURCE, ready_drain::SOURCE])
            .unless(no_shared)
            .on_threads(|msgsend, _| {
                on_threads(msgsend, apart(msgsend.senders(), crossbeam_channel::unbounded, ReadyDrain))
            }),
        Contender::new("flume", SHARED)
            .unless(no_set)
            .on_threads(|msgsend, _| on_threads(msgsend, shared(msgsend.senders(), flume::unbounded())))
            .on_tasks(|msgsend, at| on_tasks(msgsend, at, shared(msgsend.senders(), flume::unbounded()))),
        Contender::new("kanal", SHARED)
            .unless(no_set)
            .on_threads(|msgsend, _| on_threads(msgsend, shared(msgsend.senders(), kanal::unbounded())))
            .on_tasks(|msgsend, at| {
                on_tasks(msgsend, at, shared(msgsend.senders(), kanal::unbounded_async()))
            }),
        Contender::new("crossfire", SHARED)
            .unless(no_set)
            .on_threads(|msgsend, _| {
                on_threads(msgsend, shared(msgsend.senders(), crossfire::mpsc::unbounded_blocking()))
            })
            .on_tasks(|msgsend, at| {
                on_tasks(msgsend, at, shared(msgsend.senders(), crossfire::mpsc::unbounded_async()))
            }),
        Contender::new("tokio", SHARED)
            .unless(no_set)
            .on_threads(|msgsend, _| {
                on_threads(msgsend, shared(msgsend.senders(), tokio_mpsc::unbounded_channel()))
            })
            .on_tasks(|msgsend, at| {
                on_tasks(msgsend, at, shared(msgsend.senders(), tokio_mpsc::unbounded_channel()))
            }),
        Contender::new("tokio-selectall", &[links::SOURCE, select_all::SOURCE])
            .unless(no_shared)
            .on_threads(|msgsend, _| {
                on_threads(msgsend, apart(msgsend.senders(), tokio_mpsc::unbounded_channel, SelectAll))
            })
            .on_tasks(|msgsend, at| {
                on_tasks(msgsend, at, apart(msgsend.senders(), tokio_mpsc::unbounded_channel, SelectAll))
            }),
        Contender::new("futures", SHARED).unless(no_set).on_tasks(|msgsend, at| {
            on_tasks(msgsend, at, shared(msgsend.senders(), futures_mpsc::unbounded()))
        }),
    ];

    type Setting = Executor;
    /// The server's answer; zero if there was none.
    type Outcome = u64;

    fn ops(&self, _: &Executor) -> u64 {
        self.messages
    }

    fn on(&self) -> On {
        self.on
    }

    fn check(&self) -> Result<(), String> {
        if !self.messages.is_multiple_of(self.workers) {
            return Err(format!("{} workers do not divide {} messages evenly", self.workers, self.messages));
        }
        if self.on == On::Threads && self.workers > MOST_THREADS {
            return Err(format!("{} workers on threads are more than {MOST_THREADS} threads", self.workers));
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, count: &u64) -> Result<(), String> {
        let due = self.messages * BYTES;
        if *count == due {
            return Ok(());
        }
        Err(format!("the server counted {count} bytes instead of {due}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_count_is_told() {
        let at = Executor::new(On::Threads).expect("the executor starts");
        let msgsend = Msgsend { workers: 2, messages: 10, shape: Shape::Both, on: On::Threads };
        assert_eq!(msgsend.verify(&at, &1000), Ok(()));
        assert!(
            msgsend
                .verify(&at, &900)
                .is_err_and(|difference| difference.contains("900 bytes instead of 1000"))
        );
    }
}
