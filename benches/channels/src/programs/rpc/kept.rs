//! One queue of requests, each with a clone of its client's reply chan.

use std::io;

use super::{Answers, Client, Rpc, answer};
use crate::latency::Stopwatch;
use pipes_benches::executor::{Executor, Tasks, Threads};
use pipes_benches::harness::Tally;
use pipes_benches::links::{BlockingChan, BlockingPort, TaskChan, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("kept.rs")];

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
    link: impl Fn() -> (C, P),
    stopwatch: impl Stopwatch,
) -> io::Result<Answers>
where
    Q: BlockingChan<Request<C>> + Clone,
    R: BlockingPort<Request<C>>,
    C: BlockingChan<u64> + Clone,
    P: BlockingPort<u64>,
{
    let mut clients = Threads::with_capacity(rpc.clients as usize);
    for client in rpc.clients() {
        let (queue, link, stopwatch) = (queue.clone(), link(), stopwatch.clone());
        clients.start(move || call(client, queue, link, stopwatch))?;
    }
    drop(queue);
    while let Ok(Request { question, mut reply }) = requests.recv() {
        // If a send fails, the verification finds what is missing.
        let _ = reply.send(answer(question));
    }
    Ok(clients.join().collect())
}

fn call<Q, C, P, W>(
    client: Client,
    mut queue: Q,
    (reply, mut answers): (C, P),
    mut stopwatch: W,
) -> (Tally, W)
where
    Q: BlockingChan<Request<C>>,
    C: BlockingChan<u64> + Clone,
    P: BlockingPort<u64>,
    W: Stopwatch,
{
    let mut tally = Tally::default();
    for question in client.questions() {
        let begun = stopwatch.begin();
        if queue.send(Request { question, reply: reply.clone() }).is_err() {
            break;
        }
        let Ok(told) = answers.recv() else { break };
        stopwatch.end(begun);
        tally.note(told, answer(question));
    }
    (tally, stopwatch)
}

/// Runs the server and each client as tasks.
pub fn on_tasks<Q, R, C, P>(
    rpc: &Rpc,
    executor: &Executor,
    (queue, mut requests): (Q, R),
    link: impl Fn() -> (C, P) + Send + 'static,
    stopwatch: impl Stopwatch,
) -> io::Result<Answers>
where
    Q: TaskChan<Request<C>> + Clone,
    R: TaskPort<Request<C>>,
    C: TaskChan<u64> + Clone,
    P: TaskPort<u64>,
{
    let clients = rpc.clients();
    let clients = async move {
        let clients = clients.map(|client| call_task(client, queue.clone(), link(), stopwatch.clone()));
        let clients = Tasks::start(clients);
        drop(queue);
        clients.join().await
    };
    let server = async move {
        while let Ok(Request { question, mut reply }) = requests.recv().await {
            // If a send fails, the verification finds what is missing.
            let _ = reply.send(answer(question)).await;
        }
    };
    let (answers, ()) = executor.both(clients, server);
    Ok(answers.into_iter().collect())
}

async fn call_task<Q, C, P, W>(
    client: Client,
    mut queue: Q,
    (reply, mut answers): (C, P),
    mut stopwatch: W,
) -> (Tally, W)
where
    Q: TaskChan<Request<C>>,
    C: TaskChan<u64> + Clone,
    P: TaskPort<u64>,
    W: Stopwatch,
{
    let mut tally = Tally::default();
    for question in client.questions() {
        let begun = stopwatch.begin();
        if queue.send(Request { question, reply: reply.clone() }).await.is_err() {
            break;
        }
        let Ok(told) = answers.recv().await else { break };
        stopwatch.end(begun);
        tally.note(told, answer(question));
    }
    (tally, stopwatch)
}
