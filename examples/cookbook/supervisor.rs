//! A supervisor: workers that panic are replaced, and what they were working on is done by another one.
//!
//!     cargo run --example supervisor

use pipes::{Closed, PortSet};
use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::panic::resume_unwind;
use std::thread;
use work::{Client, Idle, Server, Working};

pipes::proto! {
    /// A worker, as its supervisor sees it.
    work {
        idle: send { job(Job) -> working }
        working: recv { done(String) -> idle }
    }
}

#[derive(Clone)]
struct Job {
    word: &'static str,
    /// How many workers have died of it.
    failures: usize,
}

const WORKERS: usize = 2;

/// A job that kills this many workers is given up.
const MOST_FAILURES: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let words = ["one", "two", "poison", "three", "flaky", "four"];
    let mut jobs: VecDeque<Job> = words.map(|word| Job { word, failures: 0 }).into();
    let mut idle: Vec<Client<Idle>> = (0..WORKERS).map(|_| hire()).collect();
    // The workers at work. Each is in the set with its key, and its job is kept until it is done.
    let (mut working, mut kept) = (PortSet::new(), HashMap::new());
    let mut results = Vec::new();
    loop {
        while let Some((worker, job)) = idle.pop().and_then(|worker| Some((worker, jobs.pop_front()?))) {
            kept.insert(working.insert(worker.job(job.clone())?), job);
        }
        let Ok((key, turn)) = working.recv() else { break };
        let job = kept.remove(&key).expect("who works has a job");
        match turn {
            Ok(Working::Done(result, worker)) => {
                results.push(result);
                idle.push(worker);
            }
            // The worker has panicked: its endpoint was dropped while the stack was unwound.
            Err(Closed) => {
                idle.push(hire());
                match job.failures + 1 {
                    MOST_FAILURES => results.push(format!("{}: given up", job.word)),
                    failures => jobs.push_back(Job { failures, ..job }),
                }
            }
        }
    }
    results.sort();
    println!("{}", results.join("\n"));
    Ok(())
}

/// Starts a worker.
fn hire() -> Client<Idle> {
    let (client, server) = work::pipe();
    thread::spawn(|| serve(server));
    client
}

/// A worker: it serves until its supervisor leaves.
fn serve(mut server: Server<Idle>) {
    while let Ok(Idle::Job(job, answer)) = server.recv() {
        let Ok(next) = answer.done(count(&job)) else { return };
        server = next;
    }
}

/// Some words cannot be counted, and others only at the second attempt. A real worker would `panic!`, which
/// also prints a message.
fn count(job: &Job) -> String {
    match job.word {
        "poison" => resume_unwind(Box::new("a bug")),
        "flaky" if job.failures == 0 => resume_unwind(Box::new("bad luck")),
        word => format!("{word}: {} letters", word.len()),
    }
}
