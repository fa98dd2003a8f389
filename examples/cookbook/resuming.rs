//! Retry and resume: an upload whose connection breaks goes on where it stopped, and no line is stored twice.
//!
//!     cargo run --example resuming

use pipes::Listener;
use std::collections::HashMap;
use std::error::Error;
use std::thread;
use std::time::Duration;
use upload::{Client, Known, Receipt, Sending, Server};

pipes::proto! {
    /// The first answer says what the server already has.
    #[remote]
    upload {
        start: send { resume(String) -> known }
        known: recv { have(usize) -> sending }
        sending: send { line(String) -> sending, end -> receipt }
        receipt: recv { stored(usize) -> ! }
    }
}

type Failed = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failed> {
    let here = pipes_remote::tcp_free_port()?;
    let listener = upload::listen(&here)?;
    thread::spawn(move || serve(listener));

    let there = pipes_remote::tcp(here.address());
    let lines: Vec<String> = (1..=5).map(|line| format!("line {line}")).collect();
    // A key that is made once, before the first attempt: with it the server knows this upload again.
    let key = "upload 7 of ada";
    let stored = retry(5, Duration::from_millis(1), || send(upload::connect(&there)?, key, &lines))?;
    println!("stored: {stored} lines");
    Ok(())
}

/// Tries until it succeeds, at most `attempts` times, and waits twice as long before each attempt.
fn retry<R>(
    attempts: u32,
    mut pause: Duration,
    mut attempt: impl FnMut() -> Result<R, Failed>,
) -> Result<R, Failed> {
    for number in 1..attempts {
        match attempt() {
            Ok(result) => return Ok(result),
            Err(_) => println!("attempt {number} failed"),
        }
        thread::sleep(pause);
        pause *= 2;
    }
    attempt()
}

/// One attempt. That a send succeeds says nothing about the server; only its answers do.
fn send(client: Client<upload::Start>, key: &str, lines: &[String]) -> Result<usize, Failed> {
    let Known::Have(have, mut client) = client.resume(key.into())?.recv()?;
    println!("the server has {have}");
    for line in &lines[have..] {
        client = client.line(line.clone())?;
    }
    let Receipt::Stored(stored) = client.end()?.recv()?;
    Ok(stored)
}

/// The server: it keeps what it has of each upload, in a real program on disk.
fn serve(listener: Listener<upload::Protocol>) {
    let mut uploads: HashMap<String, Vec<String>> = HashMap::new();
    for server in listener {
        // A session that ends early is nothing special: the upload keeps what it has.
        let _ = receive(server, &mut uploads);
    }
}

fn receive(server: Server<upload::Start>, uploads: &mut HashMap<String, Vec<String>>) -> Result<(), Failed> {
    let upload::Start::Resume(key, known) = server.recv()?;
    let upload = uploads.entry(key).or_default();
    let mut server = known.have(upload.len())?;
    loop {
        match server.recv()? {
            Sending::Line(line, next) => {
                upload.push(line);
                server = next;
            }
            Sending::End(receipt) => return Ok(receipt.stored(upload.len())?),
        }
        if upload.len().is_multiple_of(2) {
            return Err("the network fails after each second line".into());
        }
    }
}
