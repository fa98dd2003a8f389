//! Which side creates the pipes and which gets their receiving ends, for any kind of pipe.

use std::future::Future;
use std::io;
use std::sync::mpsc;

use super::Session;
use pipes_benches::executor::{Executor, two_threads};
use pipes_benches::harness::Tally;
use pipes_benches::links::Closed;

/// The most receiving ends in transit to the server.
const QUEUE: usize = 1024;

/// Runs the client and the server in this thread.
pub fn in_one_thread<C, S>(
    session: &Session,
    pipe: impl Fn() -> (C, S),
    say: impl Fn(C, u64) -> Result<(), Closed>,
    hear: impl Fn(S) -> Result<u64, Closed>,
) -> io::Result<Tally> {
    let mut tally = Tally::default();
    for round in 0..session.rounds {
        let (client, server) = pipe();
        let Ok(value) = say(client, round).and_then(|()| hear(server)) else { break };
        tally.note(value, round);
    }
    Ok(tally)
}

/// Runs the client in this thread, and the server in another.
pub fn on_threads<C, S: Send + 'static>(
    session: &Session,
    pipe: impl Fn() -> (C, S),
    say: impl Fn(C, u64) -> Result<(), Closed>,
    hear: impl Fn(S) -> Result<u64, Closed> + Send + 'static,
) -> io::Result<Tally> {
    let (hand_over, arrivals) = mpsc::sync_channel(QUEUE);
    let rounds = session.rounds;
    let client = move || {
        (0..rounds).try_for_each(|round| {
            let (client, server) = pipe();
            hand_over.send(server).map_err(Closed::from_any)?;
            say(client, round)
        })
    };
    let server = move || {
        let mut tally = Tally::default();
        for (round, server) in (0..).zip(arrivals) {
            let Ok(value) = hear(server) else { break };
            tally.note(value, round);
        }
        tally
    };
    // If a send fails, the verification finds what is missing.
    let (_, tally) = two_threads(client, server)?;
    Ok(tally)
}

/// Runs the client and the server as tasks.
pub fn on_tasks<C, S, F>(
    session: &Session,
    executor: &Executor,
    pipe: impl Fn() -> (C, S) + Send + 'static,
    say: impl Fn(C, u64) -> Result<(), Closed> + Send + 'static,
    hear: impl Fn(S) -> F + Send + 'static,
) -> io::Result<Tally>
where
    C: Send + 'static,
    S: Send + 'static,
    F: Future<Output = Result<u64, Closed>> + Send,
{
    let (hand_over, mut arrivals) = tokio::sync::mpsc::channel(QUEUE);
    let rounds = session.rounds;
    let client = async move {
        for round in 0..rounds {
            let (client, server) = pipe();
            hand_over.send(server).await.map_err(Closed::from_any)?;
            say(client, round)?;
        }
        Ok::<_, Closed>(())
    };
    let server = async move {
        let mut tally = Tally::default();
        let mut round = 0;
        while let Some(server) = arrivals.recv().await {
            let Ok(value) = hear(server).await else { break };
            tally.note(value, round);
            round += 1;
        }
        tally
    };
    // If a send fails, the verification finds what is missing.
    let (_, tally) = executor.both(client, server);
    Ok(tally)
}
