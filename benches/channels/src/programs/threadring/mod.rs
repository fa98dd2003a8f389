//! A token that goes round a ring of nodes, with one node active at a time.
//!
//! The rules are those of the Benchmarks Game's `thread-ring`: nodes named 1 to n, with node n linked to node
//! 1; the token is a number, and each node passes on one less than it received. Node 1 begins and passes the
//! number of `--passes` to node 2. **The node that receives 1 is the last to take the token**, and it is node
//! (passes mod n) + 1. A node ends after its last turn, so no stop message is needed. Measures one hand-over
//! and nothing else: a thread or task is woken for each pass. Starting and ending the nodes is part of the
//! timed run.
//!
//! On 503 threads a pass takes at least two context switches, and a million of them take seconds;
//! `--passes 100000` is enough there.
//!
//! Verified: which node was last, and the number of turns of each node.

mod links;
mod pipes;
mod wiring;

use std::io;
use std::sync::mpsc;

use clap::Args;
use futures::channel::mpsc as futures_mpsc;
use serde::Serialize;
use tokio::sync::mpsc as tokio_mpsc;

use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::{MOST_MESSAGES, MOST_THREADS, up_to};
use wiring::{Turns, on_tasks, on_threads};

/// The options of the ring with a token.
#[derive(Args, Serialize)]
pub struct Threadring {
    /// Nodes in the ring
    #[arg(long, value_name = "N", default_value_t = 503, value_parser = up_to(1_000_000))]
    nodes: u64,
    /// Number of times the token is passed on
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = up_to(MOST_MESSAGES))]
    passes: u64,
    /// Where the nodes run
    #[arg(long, value_name = "PLACE", default_value = "threads", value_parser = On::among(Threadring::PLACES))]
    on: On,
}

impl Threadring {
    /// The name of the node that takes the token for the `pass`th time, counted from one.
    fn taker(&self, pass: u64) -> u64 {
        pass % self.nodes + 1
    }

    /// The number of turns of a node.
    fn turns(&self, node: u64) -> u64 {
        // The first pass is that to node 2, and to node 1 if there is no other.
        let first = if node == 1 { self.nodes } else { node - 1 };
        if self.passes < first { 0 } else { (self.passes - first) / self.nodes + 1 }
    }
}

/// The reason why `kanal` is left out, if it is: its threads wait by yielding to each other, which takes too
/// long.
fn too_long_for_kanal(ring: &Threadring) -> Option<&'static str> {
    (ring.on == On::Threads && ring.nodes > 100 && ring.passes > 100_000)
        .then_some("a pass among so many threads takes it up to 0.4 ms; give --passes 100000 or less")
}

impl Program for Threadring {
    const NAME: &'static str = "threadring";
    const ABOUT: &'static str = "Pass a token round a ring of nodes; one op is one pass";
    const UNIT: &'static str = "passes";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--on", "threads"], &["--on", "tasks"], &["--on", "tasks2"]];
    const QUICK: &'static [&'static str] = &["--passes", "1000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .on_threads(|ring, _| on_threads(ring, pipes::pipe, pipes::node))
            .on_tasks(|ring, at| on_tasks(ring, at, pipes::pipe, pipes::task)),
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
            .unless(too_long_for_kanal)
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
    ];

    type Setting = Executor;
    /// What each node saw of the token, node 1 first.
    type Outcome = Vec<Turns>;

    fn ops(&self, _: &Executor) -> u64 {
        self.passes
    }

    fn on(&self) -> On {
        self.on
    }

    fn check(&self) -> Result<(), String> {
        if self.on == On::Threads && self.nodes > MOST_THREADS {
            return Err(format!("{} nodes on threads are more than {MOST_THREADS} threads", self.nodes));
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, turns: &Vec<Turns>) -> Result<(), String> {
        (1..).zip(turns).try_for_each(|(node, turns)| {
            let due = Turns { taken: self.turns(node), last: node == self.taker(self.passes) };
            if *turns == due {
                return Ok(());
            }
            let was = |last: bool| if last { "was" } else { "was not" };
            Err(format!(
                "node {node} had {} turns and {} the last one, instead of {} turns, when it {} the last one",
                turns.taken,
                was(turns.last),
                due.taken,
                was(due.last)
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(nodes: u64, passes: u64) -> Threadring {
        Threadring { nodes, passes, on: On::Threads }
    }

    #[test]
    fn the_answers_are_the_known_ones() {
        let answers = [(1000, 498), (10_000, 444), (2_000_000, 73), (5_000_000, 181), (50_000_000, 292)];
        for (passes, node) in answers {
            assert_eq!(ring(503, passes).taker(passes), node);
        }
    }

    #[test]
    fn all_turns_together_are_the_passes() {
        for nodes in 1..6 {
            for passes in 1..20 {
                let ring = ring(nodes, passes);
                let mut turns = vec![0; nodes as usize];
                for pass in 1..=passes {
                    turns[ring.taker(pass) as usize - 1] += 1;
                }
                let told: Vec<_> = (1..=nodes).map(|node| ring.turns(node)).collect();
                assert_eq!(told, turns, "{passes} passes among {nodes}");
            }
        }
    }

    #[test]
    fn another_last_node_is_told() {
        let at = Executor::new(On::Threads).expect("the executor starts");
        let turns = |taken, last| Turns { taken, last };
        let ring = ring(3, 4);
        assert_eq!(ring.verify(&at, &vec![turns(1, false), turns(2, true), turns(1, false)]), Ok(()));
        let told = ring.verify(&at, &vec![turns(1, false), turns(2, false), turns(1, true)]);
        assert!(told.is_err_and(|difference| difference.starts_with("node 2 had 2 turns and was not")));
    }
}
