//! Many clients that call one server; each call is answered before the same client's next one.
//!
//! Measures the cost of a service: a request of one word, an answer of one word, and the choice of the next
//! client. The clients' shares of the calls differ by at most one. The timed run includes starting and ending
//! the clients and creating the channels. On threads the caller's thread serves.
//!
//! There are three ways to answer. `pipes`: a protocol, and a server with a set of its ends; the answer goes
//! back through the pipe that the request came from. Most others: one queue of requests, each with a clone of
//! the client's reply chan; the reply channels have capacity one, and each client's is created once. `tokio`,
//! `futures` and `pipes-oneshot`: one queue of requests, each with the chan of a fresh oneshot, as is
//! customary there.
//!
//! With `--latency` each client reads the clock before and after each call. For a fresh oneshot, a call
//! includes its creation.
//!
//! Verified: client k has asked 0, k + 1, 2(k + 1), … and has received three times that, every time; and as
//! many calls were measured, if they were.

mod fresh;
mod kept;
mod pipes;

use std::io;
use std::sync::mpsc;

use clap::Args;
use futures::channel::{mpsc as futures_mpsc, oneshot as futures_oneshot};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::sync::{mpsc as tokio_mpsc, oneshot as tokio_oneshot};

use crate::latency::{self, COLUMNS, Latencies, Stopwatch, with_stopwatch};
use crate::shares::share;
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Column, Contender, Program, Tally};
use pipes_benches::options::{MOST_MESSAGES, MOST_THREADS, up_to};

/// The answer to a question divided by the question.
const FACTOR: u64 = 3;

/// The options of the calls.
#[derive(Args, Serialize)]
pub struct Rpc {
    /// Clients that call
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to(1_000_000))]
    clients: u64,
    /// Calls, over all clients
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = up_to(MOST_MESSAGES / 2))]
    calls: u64,
    /// Where the clients and the server run
    #[arg(long, value_name = "PLACE", default_value = "threads", value_parser = On::among(Rpc::PLACES))]
    on: On,
    /// Also measure each call: median, 99th and 99.9th percentile
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    latency: bool,
}

/// The most clients whose calls are measured: each has 30 KB for its times.
const MOST_MEASURED: u64 = 1000;

/// What the clients have received.
#[derive(Debug)]
pub struct Answers {
    /// The answers to each client.
    clients: Vec<Tally>,
    /// How long each call took, if that was measured.
    latencies: Option<Latencies>,
}

impl<W: Stopwatch> FromIterator<(Tally, W)> for Answers {
    fn from_iter<I: IntoIterator<Item = (Tally, W)>>(clients: I) -> Answers {
        let (clients, stopwatches): (_, Vec<W>) = clients.into_iter().unzip();
        let latencies = Latencies::together(stopwatches.into_iter().filter_map(Stopwatch::latencies));
        Answers { clients, latencies }
    }
}

/// What a client needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// Its number, plus one.
    step: u64,
    /// The number of calls it makes.
    calls: u64,
}

impl Client {
    /// Its questions, in order.
    fn questions(self) -> impl Iterator<Item = u64> {
        (0..self.calls).map(move |call| self.step * call)
    }
}

/// The server's answer to a question.
#[inline]
fn answer(question: u64) -> u64 {
    question.wrapping_mul(FACTOR)
}

impl Rpc {
    /// All clients.
    fn clients(&self) -> impl Iterator<Item = Client> + use<> {
        let (calls, clients) = (self.calls, self.clients);
        (0..clients).map(move |which| Client { step: which + 1, calls: share(calls, clients, which) })
    }
}

impl Program for Rpc {
    const NAME: &'static str = "rpc";
    const ABOUT: &'static str = "Call a server from many clients; one op is one call, with its answer";
    const UNIT: &'static str = "calls";
    const PLACES: &'static [On] = &[On::Threads, On::Tasks2];
    const VARIANTS: &'static [&'static [&'static str]] = &[&["--on", "threads"], &["--on", "tasks2"]];
    const QUICK: &'static [&'static str] = &["--calls", "1000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES)
            .on_threads(with_stopwatch!(|rpc, _| pipes::on_threads(rpc)))
            .on_tasks(with_stopwatch!(|rpc, at| pipes::on_tasks(rpc, at))),
        Contender::new("pipes-oneshot", fresh::SOURCES)
            .on_threads(with_stopwatch!(|rpc, _| fresh::on_threads(
                rpc,
                ::pipes::shared_stream(),
                ::pipes::oneshot
            )))
            .on_tasks(with_stopwatch!(|rpc, at| fresh::on_tasks(
                rpc,
                at,
                ::pipes::shared_stream(),
                ::pipes::oneshot
            ))),
        Contender::new("std", kept::SOURCES).on_threads(with_stopwatch!(|rpc, _| kept::on_threads(
            rpc,
            mpsc::channel(),
            || mpsc::sync_channel(1)
        ))),
        Contender::new("crossbeam", kept::SOURCES).on_threads(with_stopwatch!(|rpc, _| kept::on_threads(
            rpc,
            crossbeam_channel::unbounded(),
            || crossbeam_channel::bounded(1)
        ))),
        Contender::new("flume", kept::SOURCES)
            .on_threads(with_stopwatch!(|rpc, _| kept::on_threads(rpc, flume::unbounded(), || {
                flume::bounded(1)
            })))
            .on_tasks(with_stopwatch!(|rpc, at| kept::on_tasks(rpc, at, flume::unbounded(), || {
                flume::bounded(1)
            }))),
        Contender::new("kanal", kept::SOURCES)
            .on_threads(with_stopwatch!(|rpc, _| kept::on_threads(rpc, kanal::unbounded(), || {
                kanal::bounded(1)
            })))
            .on_tasks(with_stopwatch!(|rpc, at| kept::on_tasks(rpc, at, kanal::unbounded_async(), || {
                kanal::bounded_async(1)
            }))),
        Contender::new("tokio", fresh::SOURCES)
            .on_threads(with_stopwatch!(|rpc, _| fresh::on_threads(
                rpc,
                tokio_mpsc::unbounded_channel(),
                tokio_oneshot::channel
            )))
            .on_tasks(with_stopwatch!(|rpc, at| fresh::on_tasks(
                rpc,
                at,
                tokio_mpsc::unbounded_channel(),
                tokio_oneshot::channel
            ))),
        Contender::new("futures", fresh::SOURCES).on_tasks(with_stopwatch!(|rpc, at| fresh::on_tasks(
            rpc,
            at,
            futures_mpsc::unbounded(),
            futures_oneshot::channel
        ))),
    ];

    type Setting = Executor;
    type Outcome = Answers;

    fn ops(&self, _: &Executor) -> u64 {
        self.calls
    }

    fn on(&self) -> On {
        self.on
    }

    fn check(&self) -> Result<(), String> {
        if self.on == On::Threads && self.clients > MOST_THREADS {
            return Err(format!("{} clients on threads are more than {MOST_THREADS} threads", self.clients));
        }
        if self.latency && self.clients > MOST_MEASURED {
            return Err(format!("--latency is for at most {MOST_MEASURED} clients, not {}", self.clients));
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::new(self.on)
    }

    fn verify(&self, _: &Executor, answers: &Answers) -> Result<(), String> {
        self.clients().zip(&answers.clients).enumerate().try_for_each(|(which, (client, tally))| {
            let due = Tally::of_multiples(FACTOR * client.step, client.calls);
            tally.verify(&format!("client {which}"), &due)
        })?;
        latency::verify(answers.latencies.as_ref(), self.calls)
    }

    fn columns(&self) -> &'static [Column] {
        if self.latency { COLUMNS } else { &[] }
    }

    fn figures(&self, _: &Executor, answers: &Answers) -> Map<String, Value> {
        answers.latencies.as_ref().map(Latencies::figures).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_to_another_client_is_told() {
        let at = Executor::new(On::Threads).expect("the executor starts");
        let rpc = Rpc { clients: 2, calls: 5, on: On::Threads, latency: false };
        let clients = [Tally::of_multiples(3, 3), Tally::of_multiples(6, 2)];
        let mut answers: Answers = clients.map(|tally| (tally, ())).into_iter().collect();
        assert_eq!(rpc.verify(&at, &answers), Ok(()));
        answers.clients.swap(0, 1);
        assert!(
            rpc.verify(&at, &answers).is_err_and(|difference| difference.starts_with("client 0 received 2"))
        );
    }
}
