//! One queue of many producers and many consumers, with any number of messages in flight or at most
//! `--capacity`.
//!
//! Measures what producers and consumers cost each other. Each producer numbers its messages from zero; the
//! producers' shares of the messages differ by at most one. A consumer receives until the queue closes, and
//! does the work of each message: it adds the message to a sum, or, with `--work 1us`, mixes its bits for a
//! microsecond and adds the result. The number of steps per microsecond is measured once, before any
//! contender runs. Starting and ending the producers and the consumers is part of the timed run; the
//! consumers are started first. On tasks a producer yields after every 256 messages, for every contender
//! alike. Whether a consumer yields while messages are there is up to its library.
//!
//! The libraries whose channels have one receiver, `std` and `tokio`, have it behind a lock. A message is one
//! word, with the producer in its upper bits.
//!
//! Verified: at each consumer, the messages of each producer have arrived in the producer's order; all
//! consumers together have received each message once, and their results add up to what one thread computes.

mod consumer;
mod links;
mod locked;
mod smol;

use std::io;
use std::sync::mpsc;

use clap::Args;
use crossfire::mpmc as fire;
use pipes::{Port, SharedPort};
use serde::Serialize;
use tokio::sync::mpsc as tokio_mpsc;

use crate::either::either;
use crate::senders;
use crate::shares::share;
use consumer::{Consumer, Kind, Work};
use links::{on_tasks, on_threads};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Program, Tally};
use pipes_benches::links::pipes as waiting;
use pipes_benches::options::{MOST_QUEUED, MOST_THREADS, up_to};

/// The most pairs of a producer and a consumer: what each consumer has received from each producer is noted.
const MOST_PAIRS: u64 = 1_000_000;

/// The version of the program over a library's own endpoints.
const SOURCES: &[&str] = &[links::SOURCE, senders::SOURCE];

/// The version over a port behind a lock.
const LOCKED: &[&str] = &[links::SOURCE, senders::SOURCE, locked::SOURCE];

/// The options of the queue.
#[derive(Args, Serialize)]
pub struct Workqueue {
    /// Producers that send
    #[arg(long, value_name = "A", default_value_t = 4, value_parser = up_to(1_000_000))]
    producers: u64,
    /// Consumers, each of which receives until the queue closes
    #[arg(long, value_name = "B", default_value_t = 4, value_parser = up_to(1_000_000))]
    consumers: u64,
    /// The work on each message: none (only a sum), or about a microsecond of processor time
    #[arg(long, value_name = "WORK", value_enum, default_value = "none")]
    work: Kind,
    /// Messages, over all producers; at least one of each
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = up_to(MOST_QUEUED))]
    messages: u64,
    /// Where the producers and the consumers run
    #[arg(long, value_name = "PLACE", default_value = "threads", value_parser = On::among(Workqueue::PLACES))]
    on: On,
    /// The most messages in flight; unlimited by default
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity: Option<u64>,
}

impl Workqueue {
    /// The number of messages that this producer sends.
    fn share(&self, producer: u64) -> u64 {
        share(self.messages, self.producers, producer)
    }

    /// The sum of the results of all messages, modulo 2^64.
    fn results(&self, work: Work) -> u64 {
        (0..self.producers)
            .flat_map(|producer| senders::messages(producer, self.share(producer)))
            .fold(0, |sum: u64, message| sum.wrapping_add(work.on(message)))
    }
}

/// What is prepared before the contenders run.
#[derive(Debug)]
pub struct Setting {
    at: Executor,
    work: Work,
    /// The sum of the results that is due.
    results: u64,
}

/// Our own ends, with a port for many consumers.
fn shared_port<C, T>((chan, port): (C, Port<T>)) -> (C, SharedPort<T>) {
    (chan, port.into_shared())
}

impl Program for Workqueue {
    const NAME: &'static str = "workqueue";
    const ABOUT: &'static str =
        "Send numbers from many producers to many consumers over one queue; one op is one message";
    const UNIT: &'static str = "messages";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--on", "threads"],
        &["--on", "tasks2"],
        &["--on", "threads", "--work", "1us"],
        &["--on", "tasks2", "--work", "1us"],
        &["--on", "threads", "--capacity", "1024"],
        &["--on", "tasks2", "--capacity", "1024"],
    ];
    const QUICK: &'static [&'static str] = &["--messages", "20000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", SOURCES)
            .on_threads(|queue, setting| {
                either!(
                    on_threads(queue, setting),
                    pipes::shared_stream,
                    pipes::shared_sync_stream,
                    shared_port
                )
            })
            .on_tasks(|queue, setting| {
                either!(
                    on_tasks(queue, setting),
                    pipes::shared_stream,
                    waiting::shared_sync_stream,
                    shared_port
                )
            }),
        Contender::new("std", LOCKED).on_threads(|queue, setting| {
            either!(on_threads(queue, setting), mpsc::channel, mpsc::sync_channel, locked::by_std)
        }),
        Contender::new("crossbeam", SOURCES).on_threads(|queue, setting| {
            either!(on_threads(queue, setting), crossbeam_channel::unbounded, crossbeam_channel::bounded)
        }),
        Contender::new("flume", SOURCES)
            .on_threads(|queue, setting| {
                either!(on_threads(queue, setting), flume::unbounded, flume::bounded)
            })
            .on_tasks(|queue, setting| either!(on_tasks(queue, setting), flume::unbounded, flume::bounded)),
        Contender::new("kanal", SOURCES)
            .on_threads(|queue, setting| {
                either!(on_threads(queue, setting), kanal::unbounded, kanal::bounded)
            })
            .on_tasks(|queue, setting| {
                either!(on_tasks(queue, setting), kanal::unbounded_async, kanal::bounded_async)
            }),
        Contender::new("crossfire", SOURCES)
            .on_threads(|queue, setting| {
                either!(on_threads(queue, setting), fire::unbounded_blocking, fire::bounded_blocking)
            })
            .on_tasks(|queue, setting| {
                either!(on_tasks(queue, setting), fire::unbounded_async, fire::bounded_async)
            }),
        Contender::new("async-channel", SOURCES)
            .on_threads(|queue, setting| {
                either!(
                    on_threads(queue, setting),
                    async_channel::unbounded,
                    async_channel::bounded,
                    smol::ends
                )
            })
            .on_tasks(|queue, setting| {
                either!(
                    on_tasks(queue, setting),
                    async_channel::unbounded,
                    async_channel::bounded,
                    smol::ends
                )
            }),
        Contender::new("tokio", LOCKED)
            .on_threads(|queue, setting| {
                either!(
                    on_threads(queue, setting),
                    tokio_mpsc::unbounded_channel,
                    tokio_mpsc::channel,
                    locked::by_tokio
                )
            })
            .on_tasks(|queue, setting| {
                either!(
                    on_tasks(queue, setting),
                    tokio_mpsc::unbounded_channel,
                    tokio_mpsc::channel,
                    locked::by_tokio
                )
            }),
    ];

    type Setting = Setting;
    type Outcome = Vec<Consumer>;

    fn ops(&self, _: &Setting) -> u64 {
        self.messages
    }

    fn on(&self) -> On {
        self.on
    }

    fn check(&self) -> Result<(), String> {
        let Workqueue { producers, consumers, messages, .. } = *self;
        if producers > messages {
            return Err(format!("{producers} producers are more than {messages} messages"));
        }
        if self.on == On::Threads && producers + consumers > MOST_THREADS {
            return Err(format!(
                "{producers} producers and {consumers} consumers on threads are more than {MOST_THREADS} threads"
            ));
        }
        if producers * consumers > MOST_PAIRS {
            return Err(format!(
                "{producers} producers and {consumers} consumers are more than {MOST_PAIRS} pairs to verify"
            ));
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Setting> {
        let work = Work::new(self.work);
        Ok(Setting { at: Executor::new(self.on)?, work, results: self.results(work) })
    }

    fn verify(&self, setting: &Setting, consumers: &Vec<Consumer>) -> Result<(), String> {
        for producer in 0..self.producers {
            let received: Tally = consumers.iter().map(|consumer| consumer.tally(producer)).sum();
            let due = Tally::of_multiples(1, self.share(producer));
            received.verify(&format!("from producer {producer}, the consumers"), &due)?;
        }
        let results = consumers.iter().fold(0, |sum: u64, it| sum.wrapping_add(it.results()));
        if results != setting.results {
            return Err(format!("the results add up to {results} instead of {}", setting.results));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What consumers that receive these messages of two producers report.
    fn report(work: Kind, received: &[&[(u64, u64)]]) -> Result<(), String> {
        let (producers, consumers) = (2, received.len() as u64);
        let queue = Workqueue { producers, consumers, work, messages: 5, on: On::Threads, capacity: None };
        let setting = queue.setting().expect("the executor starts");
        let outcome = received.iter().map(|messages| {
            let mut consumer = Consumer::new(producers);
            for &(producer, number) in *messages {
                let message = senders::messages(producer, number + 1).last().expect("there is one");
                consumer.take(message, setting.work);
            }
            consumer
        });
        queue.verify(&setting, &outcome.collect())
    }

    #[test]
    fn any_division_among_the_consumers_is_right() {
        for work in [Kind::None, Kind::OneMicrosecond] {
            assert_eq!(report(work, &[&[(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)], &[]]), Ok(()));
            assert_eq!(report(work, &[&[(0, 1), (1, 1)], &[(1, 0), (0, 0), (0, 2)]]), Ok(()));
        }
    }

    #[test]
    fn a_message_that_is_lost_or_there_twice_is_told_with_its_producer() {
        let lost = report(Kind::None, &[&[(0, 0), (1, 0), (0, 1)], &[(0, 2)]]).expect_err("one is lost");
        assert!(lost.starts_with("from producer 1, the consumers received 1 values"), "{lost}");
        let all: &[_] = &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)];
        let twice = report(Kind::None, &[all, &[(0, 2)]]).expect_err("one is there twice");
        assert!(twice.starts_with("from producer 0, the consumers received 4 values"), "{twice}");
    }

    #[test]
    fn a_message_that_overtakes_another_on_its_way_to_one_consumer_is_told() {
        let told = report(Kind::None, &[&[(0, 0), (0, 2), (0, 1)], &[(1, 0), (1, 1)]]);
        let told = told.expect_err("it has overtaken");
        assert!(told.contains("from producer 0") && told.contains("1 of them not the value due"), "{told}");
    }

    #[test]
    fn a_wrong_result_is_told() {
        let queue = Workqueue {
            producers: 1,
            consumers: 1,
            work: Kind::OneMicrosecond,
            messages: 1,
            on: On::Threads,
            capacity: None,
        };
        let setting = queue.setting().expect("the executor starts");
        let mut idle = Consumer::new(1);
        idle.take(0, Work::new(Kind::None));
        let told = queue.verify(&setting, &vec![idle]).expect_err("nothing was mixed");
        assert!(told.starts_with("the results add up to 0 instead of"), "{told}");
    }
}
