//! Calls of `tarpc`, with a connection for each worker.

use super::work::Steps;
use super::{Farm, Outcome};
use crate::net::{Net, play};
use crate::pingpong::tarpc_transport;
use crate::sides::{Ready, Server, failed};
use futures::{StreamExt, stream};
use std::collections::BTreeMap;
use std::io;
use std::panic::resume_unwind;
use std::time::Instant;
use tarpc::server::{BaseChannel, Channel};
use tarpc::{client, context};
use tokio::runtime::Builder;
use tokio::task::{spawn, spawn_blocking};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tarpc.rs")];

/// How items are spread and worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As ours: three calls for each worker, and a thread that works beside the one that sends and receives.
    Pool,
    /// More calls, and one thread for both.
    Wide,
}

impl Style {
    /// That of this contender.
    pub fn of(contender: &str) -> Option<Style> {
        [Style::Pool, Style::Wide].into_iter().find(|style| style.name() == contender)
    }

    fn name(self) -> &'static str {
        match self {
            Style::Pool => "tarpc",
            Style::Wide => "tarpc-wide",
        }
    }

    /// The calls that are under way for each worker.
    fn calls(self) -> usize {
        match self {
            Style::Pool => 3,
            Style::Wide => 64,
        }
    }
}

#[tarpc::service]
trait Work {
    /// Works on the number.
    async fn work(number: u64) -> u64;
}

#[derive(Clone)]
struct Worker {
    style: Style,
    steps: Steps,
}

impl Work for Worker {
    async fn work(self, _: context::Context, number: u64) -> u64 {
        let Worker { style, steps } = self;
        match style {
            Style::Pool => match spawn_blocking(move || steps.on(number)).await {
                Ok(result) => result,
                Err(error) => resume_unwind(error.into_panic()),
            },
            Style::Wide => steps.on(number),
        }
    }
}

pub fn worker<N: Net>(style: Style, steps: Steps, ready: Ready<'_>) -> io::Result<()> {
    let (place, address) = N::place()?;
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build()?;
    runtime.block_on(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let transport = tarpc_transport!(N::accept_async(&listener).await?);
        let calls = BaseChannel::with_defaults(transport).execute(Worker { style, steps }.serve());
        calls.for_each(|call| async { drop(spawn(call)) }).await;
        Ok(())
    })
}

pub fn run<N: Net>(style: Style, farm: &Farm, steps: Steps) -> io::Result<Outcome> {
    let arguments = farm.arguments(style.name(), steps);
    let start = |_| Server::start(&arguments);
    let servers = (0..farm.workers).map(start).collect::<io::Result<Vec<_>>>()?;
    let outcome = play(async {
        let mut clients = Vec::new();
        for server in &servers {
            let transport = tarpc_transport!(N::connect_async(&server.address).await?);
            let client = WorkClient::new(client::Config::default(), transport).spawn();
            client.work(context::current(), 0).await.map_err(failed)?;
            clients.push(client);
        }
        let begun = Instant::now();
        let calls = (0..farm.items()).zip(clients.iter().cycle()).map(|(number, client)| async move {
            client.work(context::current(), number).await.map(|result| (number, result))
        });
        let mut done = stream::iter(calls).buffer_unordered(style.calls() * clients.len());
        let (mut results, mut early) = (Vec::new(), BTreeMap::new());
        while let Some(result) = done.next().await {
            let (number, result) = result.map_err(failed)?;
            early.insert(number, result);
            while let Some(result) = early.remove(&(results.len() as u64)) {
                results.push(result);
            }
        }
        Ok(Outcome::new(results, begun.elapsed()))
    })?;
    servers.into_iter().try_for_each(|server| server.process.end())?;
    Ok(outcome)
}
