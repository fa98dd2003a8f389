//! 31 — A farm whose workers are other processes, one of which is killed.
//!
//! You will see: primes counted by two workers. One is killed in the middle, and no prime is missing.
//! New here: `Workers`, `remote` and `worker`; an item whose worker is lost is given to another one.
//! Before: 30_child_process. Next: the guide, `cargo doc --open -p session-pipes`.
//!
//!     cargo run --example 31_farm_apart
//!
//! With an address of the network, and `tls` or `quic`, the workers may be on other machines.

use pipes_remote::farm::{PipelineExt, Workers, worker};
use pipes_skeleton::from_iter;
use std::env::{args, current_exe};
use std::error::Error;
use std::io;
use std::process::{Child, Command};
use std::time::Duration;

const PARTS: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    match args().nth(1) {
        Some(farm) => work(&farm),
        None => farm(),
    }
}

/// A worker dials in and has one thread here. It ends when the farm says that there is nothing more to do.
fn work(farm: &str) -> Result<(), Box<dyn Error>> {
    worker(&pipes_remote::tcp(farm), 1, count_primes)?;
    Ok(())
}

fn farm() -> Result<(), Box<dyn Error>> {
    let here = pipes_remote::tcp_free_port()?;
    let workers: Workers<u64, usize> = Workers::listen(&here)?; // What is sent, and what comes back.
    let (mut first, mut second) = (start(&here.address())?, start(&here.address())?);

    // In 24, this was `parallel(2, count_primes)`.
    let counts = from_iter(0..PARTS).in_flight(8).remote(&workers, |part| part).in_order();
    let mut sum = 0;
    for (done, count) in (1..).zip(counts) {
        sum += count?;
        if done == 20 {
            first.kill()?; // It has items now, which go to the second worker.
            first.wait()?;
            println!("{done} parts are done, and a worker is killed");
        }
    }
    println!("{sum} primes below {}", PARTS * 1000);

    // Each part has one result, whatever was done twice.
    assert_eq!(workers.report().items(), PARTS);
    assert!(workers.finish(Duration::from_secs(10)), "the second worker knows that it is the end");
    assert!(second.wait()?.success());
    println!("the other one has ended by itself");
    Ok(())
}

/// Starts this program as a worker.
fn start(farm: &str) -> io::Result<Child> {
    Command::new(current_exe()?).arg(farm).spawn()
}

/// The primes among a thousand numbers.
fn count_primes(part: u64) -> usize {
    let is_prime = |n: &u64| *n > 1 && (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    (part * 1000..(part + 1) * 1000).filter(is_prime).count()
}
