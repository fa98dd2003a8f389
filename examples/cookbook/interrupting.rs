//! While you receive you cannot send: two ways to stop what you have asked for, and to keep the session.
//!
//!     cargo run --example interrupting

use pipes::{ChanOne, oneshot};
use std::error::Error;
use std::thread;

pipes::proto! {
    /// The server reports, and after each report the client decides.
    asked {
        idle: send { search(u64) -> searching }
        searching: recv { found(u64) -> idle, so_far(u64) -> decision }
        decision: send { go_on -> searching, stop -> idle }
    }

    /// The request has a chan with it. The server stops when the port of this chan is dropped.
    interrupted {
        idle: send { search(u64, ChanOne<()>) -> searching }
        searching: recv { found(u64) -> idle, stopped -> idle }
    }
}

type Failed = Box<dyn Error + Send + Sync>;

/// No number has this square, so a search for its root does not end by itself.
const NO_SQUARE: u64 = 3;

fn main() -> Result<(), Failed> {
    ask()?;
    interrupt()
}

/// For work in steps, where the client has nothing else to do: a report is a question.
fn ask() -> Result<(), Failed> {
    let (client, server) = asked::pipe();
    let worker = thread::spawn(move || asked_search(server));
    let mut searching = client.search(NO_SQUARE)?;
    let client = loop {
        match searching.recv()? {
            asked::Searching::SoFar(tried, decision) if tried < 3000 => searching = decision.go_on()?,
            asked::Searching::SoFar(tried, decision) => {
                println!("stopped after {tried}");
                break decision.stop()?;
            }
            asked::Searching::Found(_, client) => break client,
        }
    };
    drop(client); // It could search for the next root.
    worker.join().expect("the worker does not panic")
}

fn asked_search(mut server: asked::Server<asked::Idle>) -> Result<(), Failed> {
    while let Ok(asked::Idle::Search(square, searching)) = server.recv() {
        server = report_and_search(square, searching)?;
    }
    Ok(())
}

fn report_and_search(
    square: u64,
    mut searching: asked::server::Searching,
) -> Result<asked::Server<asked::Idle>, Failed> {
    let mut root: u64 = 0;
    while root.wrapping_mul(root) != square {
        root += 1;
        if root.is_multiple_of(1000) {
            match searching.so_far(root)?.recv()? {
                asked::Decision::GoOn(next) => searching = next,
                asked::Decision::Stop(next) => return Ok(next),
            }
        }
    }
    Ok(searching.found(root)?)
}

/// For work that is stopped at any time, by any thread: the client keeps a port, and drops it.
fn interrupt() -> Result<(), Failed> {
    let (client, server) = interrupted::pipe();
    let worker = thread::spawn(move || interrupted_search(server));
    let (wanted, interest) = oneshot();
    let searching = client.search(NO_SQUARE, wanted)?;
    drop(interest);
    let interrupted::Searching::Stopped(client) = searching.recv()? else {
        panic!("no number has this square")
    };
    println!("stopped");
    let (wanted, _interest) = oneshot();
    if let interrupted::Searching::Found(root, _client) = client.search(49, wanted)?.recv()? {
        println!("the root of 49 is {root}");
    }
    worker.join().expect("the worker does not panic")
}

fn interrupted_search(mut server: interrupted::Server<interrupted::Idle>) -> Result<(), Failed> {
    while let Ok(interrupted::Idle::Search(square, wanted, searching)) = server.recv() {
        let root =
            (0..).take_while(|_| !wanted.is_closed()).find(|root: &u64| root.wrapping_mul(*root) == square);
        server = match root {
            Some(root) => searching.found(root)?,
            None => searching.stopped()?,
        };
    }
    Ok(())
}
