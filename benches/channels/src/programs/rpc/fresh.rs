//! One queue of requests, each with the chan of a fresh oneshot.

use std::future::IntoFuture;
use std::io;

use super::{Answers, Client, Rpc, answer};
use crate::latency::Stopwatch;
use pipes_benches::executor::{Executor, Tasks, Threads};
use pipes_benches::harness::Tally;
use pipes_benches::links::{BlockingChan, BlockingPort, OneshotChan, OneshotPort, TaskChan, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("fresh.rs")];

/// A question, and the chan for its answer.
#[derive(Debug)]
pub struct Request<C> {
    question: u64,
    reply: C,
}

/// Runs the server in this thread, and each client in another.
pub fn on_threads<Q, R, C, P>(
    rpc: &Rpc,
    (queue, mut requests): (Q, R),
    oneshot: fn() -> (C, P),
    stopwatch: impl Stopwatch,
) -> io::Result<Answers>
where
    Q: BlockingChan<Request<C>> + Clone,
    R: BlockingPort<Request<C>>,
    C: OneshotChan<u64>,
    P: OneshotPort<u64>,
{
    let mut clients = Threads::with_capacity(rpc.clients as usize);
    for client in rpc.clients() {
        let (queue, stopwatch) = (queue.clone(), stopwatch.clone());
        clients.start(move || call(client, queue, oneshot, stopwatch))?;
    }
    drop(queue);
    while let Ok(Request { question, reply }) = requests.recv() {
        // If a send fails, the verification finds what is missing.
        let _ = reply.send(answer(question));
    }
    Ok(clients.join().collect())
}

fn call<Q, C, P, W>(client: Client, mut queue: Q, oneshot: fn() -> (C, P), mut stopwatch: W) -> (Tally, W)
where
    Q: BlockingChan<Request<C>>,
    C: OneshotChan<u64>,
    P: OneshotPort<u64>,
    W: Stopwatch,
{
    let mut tally = Tally::default();
    for question in client.questions() {
        let begun = stopwatch.begin();
        let (reply, port) = oneshot();
        if queue.send(Request { question, reply }).is_err() {
            break;
        }
        let Ok(told) = port.recv() else { break };
        stopwatch.end(begun);
        tally.note(told, answer(question));
    }
    (tally, stopwatch)
}

/// Runs the server and each client as tasks.
pub fn on_tasks<Q, R, C, P, E>(
    rpc: &Rpc,
    executor: &Executor,
    (queue, mut requests): (Q, R),
    oneshot: fn() -> (C, P),
    stopwatch: impl Stopwatch,
) -> io::Result<Answers>
where
    Q: TaskChan<Request<C>> + Clone,
    R: TaskPort<Request<C>>,
    C: OneshotChan<u64>,
    P: IntoFuture<Output = Result<u64, E>, IntoFuture: Send> + Send + 'static,
    E: 'static,
{
    let clients = rpc.clients();
    let clients = async move {
        let clients = clients.map(|client| call_task(client, queue.clone(), oneshot, stopwatch.clone()));
        let clients = Tasks::start(clients);
        drop(queue);
        clients.join().await
    };
    let server = async move {
        while let Ok(Request { question, reply }) = requests.recv().await {
            // If a send fails, the verification finds what is missing.
            let _ = reply.send(answer(question));
        }
    };
    let (answers, ()) = executor.both(clients, server);
    Ok(answers.into_iter().collect())
}

async fn call_task<Q, C, P, E, W>(
    client: Client,
    mut queue: Q,
    oneshot: fn() -> (C, P),
    mut stopwatch: W,
) -> (Tally, W)
where
    Q: TaskChan<Request<C>>,
    C: OneshotChan<u64>,
    P: IntoFuture<Output = Result<u64, E>>,
    W: Stopwatch,
{
    let mut tally = Tally::default();
    for question in client.questions() {
        let begun = stopwatch.begin();
        let (reply, port) = oneshot();
        if queue.send(Request { question, reply }).await.is_err() {
            break;
        }
        let Ok(told) = port.await else { break };
        stopwatch.end(begun);
        tally.note(told, answer(question));
    }
    (tally, stopwatch)
}
