//! Many senders and one receiver, with any number of messages in flight or at most `--capacity`.
//!
//! Measures what senders cost each other and the receiver. Each sender numbers its messages from zero; the
//! senders' shares of the messages differ by at most one. Starting and ending the senders is part of the
//! timed run. On threads the caller's thread receives. On tasks a sender yields after every 256 messages, for
//! every contender alike.
//!
//! Most contenders have one queue, whose chan is cloned for each sender; `pipes-set` has a stream for each
//! sender and a set of their ports, and is left out with a capacity, which is for all senders together. A
//! message is one word, with the sender in its upper bits.
//!
//! A channel of `futures` has room for one message of each sender besides its buffer, so its buffer is the
//! capacity less the number of senders. It is left out if the capacity is too small for that.
//!
//! Verified: 0, 1, 2, … have been received from each sender, in this order and completely.

mod links;

use std::io;
use std::sync::mpsc;

use clap::Args;
use crossfire::mpsc as fire;
use futures::channel::mpsc as futures_mpsc;
use serde::Serialize;
use tokio::sync::mpsc as tokio_mpsc;

use crate::either::either;
use crate::merge::port_set::{self, set};
use crate::merge::queue::{self, shared};
use crate::senders;
use crate::shares::share;
use links::{on_tasks, on_threads};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::links::pipes as waiting;
use pipes_benches::links::{BlockingChan, BlockingPort, TaskChan, TaskPort};
use pipes_benches::options::{MOST_MESSAGES, MOST_THREADS, up_to};

/// The version of the program over one queue.
const SHARED: &[&str] = &[links::SOURCE, senders::SOURCE, queue::SOURCE];

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
    /// The most messages in flight; unlimited by default
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity: Option<u64>,
}

impl Fanin {
    /// The number of messages that this sender sends.
    fn share(&self, sender: u64) -> u64 {
        share(self.messages, self.senders, sender)
    }
}

/// The reason why `pipes-set` is left out, if it is.
fn no_common_bound(fanin: &Fanin) -> Option<&'static str> {
    fanin.capacity.map(|_| "it has a stream for each sender, and a capacity is for all; leave --capacity out")
}

/// The reason why `futures` is left out on tasks, if it is. On threads no capacity would help.
fn too_small_for_futures(fanin: &Fanin) -> Option<&'static str> {
    let is_too_small = fanin.capacity.is_some_and(|capacity| capacity < fanin.senders);
    (is_too_small && fanin.on != On::Threads)
        .then_some("it has room for a message of each sender; give a --capacity of as many or more")
}

/// A channel of `futures` that holds the capacity: its buffer, and one message of each sender.
fn futures_channel<T>(senders: u64, capacity: u64) -> (futures_mpsc::Sender<T>, futures_mpsc::Receiver<T>) {
    futures_mpsc::channel((capacity - senders) as usize)
}

/// Runs it over one channel, on threads.
fn shared_on_threads<C, P>(fanin: &Fanin, ends: (C, P)) -> io::Result<Vec<Tally>>
where
    C: BlockingChan<u64> + Clone,
    P: BlockingPort<u64>,
{
    on_threads(fanin, shared(fanin.senders, ends))
}

/// Runs it over one channel, on tasks.
fn shared_on_tasks<C, P>(fanin: &Fanin, at: &Executor, ends: (C, P)) -> io::Result<Vec<Tally>>
where
    C: TaskChan<u64> + Clone,
    P: TaskPort<u64>,
{
    on_tasks(fanin, at, shared(fanin.senders, ends))
}

impl Program for Fanin {
    const NAME: &'static str = "fanin";
    const ABOUT: &'static str = "Send numbers from many senders to one receiver; one op is one message";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--on", "threads"],
        &["--on", "tasks2"],
        &["--on", "threads", "--capacity", "1024"],
        &["--on", "tasks2", "--capacity", "1024"],
    ];
    const QUICK: &'static [&'static str] = &["--messages", "100000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", SHARED)
            .on_threads(|fanin, _| {
                either!(shared_on_threads(fanin), pipes::shared_stream, pipes::shared_sync_stream)
            })
            .on_tasks(|fanin, at| {
                either!(shared_on_tasks(fanin, at), pipes::shared_stream, waiting::shared_sync_stream)
            }),
        Contender::new("pipes-set", &[links::SOURCE, senders::SOURCE, port_set::SOURCE])
            .unless(no_common_bound)
            .on_threads(|fanin, _| on_threads(fanin, set(fanin.senders)))
            .on_tasks(|fanin, at| on_tasks(fanin, at, set(fanin.senders))),
        Contender::new("std", SHARED)
            .on_threads(|fanin, _| either!(shared_on_threads(fanin), mpsc::channel, mpsc::sync_channel)),
        Contender::new("crossbeam", SHARED).on_threads(|fanin, _| {
            either!(shared_on_threads(fanin), crossbeam_channel::unbounded, crossbeam_channel::bounded)
        }),
        Contender::new("flume", SHARED)
            .on_threads(|fanin, _| either!(shared_on_threads(fanin), flume::unbounded, flume::bounded))
            .on_tasks(|fanin, at| either!(shared_on_tasks(fanin, at), flume::unbounded, flume::bounded)),
        Contender::new("kanal", SHARED)
            .on_threads(|fanin, _| either!(shared_on_threads(fanin), kanal::unbounded, kanal::bounded))
            .on_tasks(|fanin, at| {
                either!(shared_on_tasks(fanin, at), kanal::unbounded_async, kanal::bounded_async)
            }),
        Contender::new("crossfire", SHARED)
            .on_threads(|fanin, _| {
                either!(shared_on_threads(fanin), fire::unbounded_blocking, fire::bounded_blocking)
            })
            .on_tasks(|fanin, at| {
                either!(shared_on_tasks(fanin, at), fire::unbounded_async, fire::bounded_async)
            }),
        Contender::new("tokio", SHARED)
            .on_threads(|fanin, _| {
                either!(shared_on_threads(fanin), tokio_mpsc::unbounded_channel, tokio_mpsc::channel)
            })
            .on_tasks(|fanin, at| {
                either!(shared_on_tasks(fanin, at), tokio_mpsc::unbounded_channel, tokio_mpsc::channel)
            }),
        Contender::new("futures", SHARED).unless(too_small_for_futures).on_tasks(|fanin, at| {
            match fanin.capacity {
                None => shared_on_tasks(fanin, at, futures_mpsc::unbounded()),
                Some(capacity) => shared_on_tasks(fanin, at, futures_channel(fanin.senders, capacity)),
            }
        }),
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
    use futures::FutureExt;

    /// A task that blocked its worker, instead of waiting for room, could keep the receiver from running.
    #[test]
    fn a_full_stream_suspends_its_senders() {
        let (mut chans, _port) = shared(2, waiting::shared_sync_stream(3));
        for sent in 0..3 {
            assert_eq!(chans[sent % 2].send(sent).now_or_never(), Some(Ok(())));
        }
        for chan in &mut chans {
            assert_eq!(chan.send(3).now_or_never(), None);
        }
    }

    #[test]
    fn a_channel_of_futures_holds_the_capacity() {
        for (senders, capacity) in [(1, 1), (3, 3), (3, 5)] {
            let (mut chans, _port) = shared(senders, futures_channel(senders, capacity));
            let sent = (0..).take_while(|_| chans.iter_mut().any(|chan| chan.try_send(()).is_ok()));
            assert_eq!(sent.count() as u64, capacity);
        }
    }

    #[test]
    fn a_lost_message_is_told_with_its_sender() {
        let at = Executor::new(On::Threads).expect("the executor starts");
        let fanin = Fanin { senders: 2, messages: 5, on: On::Threads, capacity: None };
        let mut tallies = vec![Tally::of_multiples(1, 3), Tally::of_multiples(1, 2)];
        assert_eq!(fanin.verify(&at, &tallies), Ok(()));
        tallies[1] = Tally::of_multiples(1, 1);
        let told = fanin.verify(&at, &tallies);
        assert!(
            told.is_err_and(|difference| difference.starts_with("from sender 1, the receiver received 1"))
        );
    }
}
