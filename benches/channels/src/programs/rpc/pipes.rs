//! The calls over our protocol: a pipe for each client, and a server with a set of their ends.

use std::io;

use pipes::PortSet;

use super::{Answers, Client, Rpc, answer};
use crate::latency::Stopwatch;
use pipes_benches::executor::{Executor, Tasks, Threads};
use pipes_benches::harness::Tally;
use rpc::{Answering, Idle};

pipes::proto! {
    /// A question and its answer, repeatedly.
    pub rpc {
        idle: send {
            ask(u64) -> answering,
        }
        answering: recv {
            tell(u64) -> idle,
        }
    }
}

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// Every client's end, and the set of the server's ends.
fn connected(options: &Rpc) -> (Vec<rpc::Client<Idle>>, PortSet<rpc::Server<Idle>>) {
    (0..options.clients).map(|_| rpc::pipe()).unzip()
}

/// Runs the server in this thread, and each client in another.
pub fn on_threads(options: &Rpc, stopwatch: impl Stopwatch) -> io::Result<Answers> {
    let (ends, mut set) = connected(options);
    let mut clients = Threads::with_capacity(ends.len());
    for (client, end) in options.clients().zip(ends) {
        let stopwatch = stopwatch.clone();
        clients.start(move || call(client, end, stopwatch))?;
    }
    while let Ok((key, turn)) = set.recv() {
        serve(&mut set, key, turn);
    }
    Ok(clients.join().collect())
}

/// Answers a question, unless the client has left.
#[inline]
fn serve(set: &mut PortSet<rpc::Server<Idle>>, key: usize, turn: Result<Idle, pipes::Closed>) {
    if let Ok(Idle::Ask(question, answering)) = turn
        && let Ok(idle) = answering.tell(answer(question))
    {
        set.insert_at(key, idle);
    }
}

fn call<W: Stopwatch>(client: Client, mut end: rpc::Client<Idle>, mut stopwatch: W) -> (Tally, W) {
    let mut tally = Tally::default();
    for question in client.questions() {
        let begun = stopwatch.begin();
        let Ok(waiting) = end.ask(question) else { break };
        let Ok(Answering::Tell(told, next)) = waiting.recv() else { break };
        stopwatch.end(begun);
        tally.note(told, answer(question));
        end = next;
    }
    (tally, stopwatch)
}

/// Runs the server and each client as tasks.
pub fn on_tasks(options: &Rpc, executor: &Executor, stopwatch: impl Stopwatch) -> io::Result<Answers> {
    let (ends, mut set) = connected(options);
    let clients = options.clients();
    let clients = async move {
        let clients = clients.zip(ends).map(|(client, end)| call_task(client, end, stopwatch.clone()));
        Tasks::start(clients).join().await
    };
    let server = async move {
        while let Ok((key, turn)) = set.recv_async().await {
            serve(&mut set, key, turn);
        }
    };
    let (answers, ()) = executor.both(clients, server);
    Ok(answers.into_iter().collect())
}

async fn call_task<W: Stopwatch>(client: Client, mut end: rpc::Client<Idle>, mut stopwatch: W) -> (Tally, W) {
    let mut tally = Tally::default();
    for question in client.questions() {
        let begun = stopwatch.begin();
        let Ok(waiting) = end.ask(question) else { break };
        let Ok(Answering::Tell(told, next)) = waiting.recv_async().await else { break };
        stopwatch.end(begun);
        tally.note(told, answer(question));
        end = next;
    }
    (tally, stopwatch)
}
