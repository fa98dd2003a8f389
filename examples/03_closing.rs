//! 03 — What happens when somebody leaves, or takes too long.
//!
//! You will see: a value handed back, a receiver that is told, unread messages dropped, a panic noticed, a wait given up.
//! New here: errors that hand back, `recv_timeout`, `is_closed`. Before: 02_ping_pong_by_hand. Next: 04_stream.
//!
//!     cargo run --example 03_closing

use pipes::RecvTimeoutError;
use std::thread;
use std::time::Duration;

struct Letter(&'static str);

impl Drop for Letter {
    fn drop(&mut self) {
        println!("  ({} is thrown away)", self.0);
    }
}

fn main() {
    println!("The port goes first: the value comes back.");
    let (chan, port) = pipes::oneshot();
    drop(port);
    let letter = chan.send(Letter("letter one")).expect_err("nobody listens").into_payload();
    println!("  still have {}", letter.0);
    drop(letter);

    println!("The chan goes first: the receiver is told.");
    let (chan, port) = pipes::oneshot::<Letter>();
    drop(chan);
    if let Err(error) = port.recv() {
        println!("  {error}");
    }

    println!("What was sent and not read is dropped with the port.");
    let (mut chan, port) = pipes::stream();
    chan.send(Letter("letter two")).expect("the port is there");
    chan.send(Letter("letter three")).expect("the port is there");
    drop(port);
    println!("  closed: {}", chan.is_closed());

    println!("A thread that panics closes what it owned.");
    let (chan, port) = pipes::oneshot::<Letter>();
    let worker = thread::Builder::new().spawn(move || {
        let _mine = chan;
        // A panic without a message on the screen, to keep this program's output short.
        std::panic::resume_unwind(Box::new("something went wrong"))
    });
    println!("  received anything: {}", port.recv().is_ok());
    println!("  the worker panicked: {}", worker.expect("a thread can be had").join().is_err());

    println!("A wait that takes too long gives the port back.");
    let (chan, port) = pipes::oneshot();
    match port.recv_timeout(Duration::from_millis(10)) {
        Err(RecvTimeoutError::Timeout(port)) => {
            println!("  nothing yet");
            chan.send(Letter("letter four")).expect("the port is back");
            let letter = port.recv().expect("it was just sent");
            println!("  got {}", letter.0);
        }
        Ok(_) | Err(RecvTimeoutError::Closed) => unreachable!("nobody sent, nobody left"),
    }
}
