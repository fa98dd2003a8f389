//! Numbers that go round a ring of nodes, with all nodes active at once.
//!
//! The shape is that of the `msgsend-ring` programs that came with the pipes of 2012. Node i of n repeats
//! `messages` times, for j = 0, 1, 2, …: **send i·j to the right, then receive from the left**. All nodes are
//! active from the start, a link holds at most n messages, and starting the nodes is part of the timed run.
//! On threads the caller's thread is node 0.
//!
//! Verified: each node has received exactly k·0, k·1, k·2, … where k is its left neighbour.

mod by_hand;
mod faulty;
mod links;
mod nodes;
mod pipes;
mod wiring;

use std::io;
use std::iter;
use std::sync::mpsc;

use clap::Args;
use futures::channel::mpsc as futures_mpsc;
use serde::Serialize;
use tokio::sync::mpsc as tokio_mpsc;

use crate::executor::{Executor, On};
use crate::harness::{Contender, Program, Tally};
use crate::options::{MOST_MESSAGES, MOST_THREADS, up_to};
use wiring::{on_tasks, on_threads};

/// The options of the ring.
#[derive(Args, Serialize)]
pub struct Ring {
    /// Nodes in the ring
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = up_to(1_000_000))]
    nodes: u64,
    /// Messages that each node sends and receives
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = up_to(MOST_MESSAGES))]
    messages: u64,
    /// Where the nodes run
    #[arg(long, value_name = "PLACE", default_value = "threads", value_parser = On::among(Ring::PLACES))]
    on: On,
}

impl Program for Ring {
    const NAME: &'static str = "ring";
    const ABOUT: &'static str = "Send numbers round a ring of nodes; one op is one message received";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--on", "threads"], &["--on", "tasks"], &["--on", "tasks2"]];
    const QUICK: &'static [&'static str] = &["--nodes", "50", "--messages", "300"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .on_threads(|ring, _| on_threads(ring, pipes::pipe, pipes::node))
            .on_tasks(|ring, at| on_tasks(ring, at, pipes::pipe, pipes::task)),
        Contender::new("pipes-by-hand", by_hand::SOURCES)
            .on_threads(|ring, _| on_threads(ring, by_hand::pipe, by_hand::node))
            .on_tasks(|ring, at| on_tasks(ring, at, by_hand::pipe, by_hand::task)),
        Contender::new("pipes-stream", links::SOURCES)
            .on_threads(|ring, _| on_threads(ring, ::pipes::stream, links::node))
            .on_tasks(|ring, at| on_tasks(ring, at, ::pipes::stream, links::task)),
        Contender::new("std", links::SOURCES)
            .on_threads(|ring, _| on_threads(ring, mpsc::channel, links::node)),
        Contender::new("crossbeam", links::SOURCES)
            .on_threads(|ring, _| on_threads(ring, crossbeam_channel::unbounded, links::node)),
        Contender::new("flume", links::SOURCES)
            .on_threads(|ring, _| on_threads(ring, flume::unbounded, links::node))
            .on_tasks(|ring, at| on_tasks(ring, at, flume::unbounded, links::task)),
        Contender::new("kanal", links::SOURCES)
            .on_threads(|ring, _| on_threads(ring, kanal::unbounded, links::node))
            .on_tasks(|ring, at| on_tasks(ring, at, kanal::unbounded_async, links::task)),
        Contender::new("crossfire", links::SOURCES)
            .on_threads(|ring, _| on_threads(ring, crossfire::spsc::unbounded_blocking, links::node))
            .on_tasks(|ring, at| on_tasks(ring, at, crossfire::spsc::unbounded_async, links::task)),
        Contender::new("tokio", links::SOURCES)
            .on_threads(|ring, _| on_threads(ring, tokio_mpsc::unbounded_channel, links::node))
            .on_tasks(|ring, at| on_tasks(ring, at, tokio_mpsc::unbounded_channel, links::task)),
        Contender::new("futures", links::SOURCES)
            .on_tasks(|ring, at| on_tasks(ring, at, futures_mpsc::unbounded, links::task)),
        Contender::new("faulty", links::SOURCES)
            .on_threads(|ring, _| on_threads(ring, faulty::channel, links::node))
            .hidden(),
    ];

    type Setting = Executor;
    /// What each node has received.
    type Outcome = Vec<Tally>;

    fn ops(&self, _: &Executor) -> u64 {
        self.nodes * self.messages
    }

    fn on(&self) -> On {
        self.on
    }

    fn check(&self) -> Result<(), String> {
        if self.nodes * self.messages > MOST_MESSAGES {
            return Err(format!(
                "{} nodes with {} messages each make more than {MOST_MESSAGES} messages",
                self.nodes, self.messages
            ));
        }
        if self.on == On::Threads && self.nodes > MOST_THREADS {
            return Err(format!("{} nodes on threads are more than {MOST_THREADS} threads", self.nodes));
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, tallies: &Vec<Tally>) -> Result<(), String> {
        // Node 0 has received from the last one, every other node from the one before it.
        let left_neighbours = iter::once(self.nodes - 1).chain(0..);
        left_neighbours.zip(tallies).enumerate().try_for_each(|(node, (left, tally))| {
            tally.verify(&format!("node {node}"), &Tally::of_multiples(left, self.messages))
        })
    }
}
