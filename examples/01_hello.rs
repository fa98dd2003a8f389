//! 01 — One value from one thread to another.
//!
//! You will see: a thread computes, the main thread waits for the answer and prints it.
//! New here: `oneshot`, `send`, `recv`. Next: 02_ping_pong.
//!
//!     cargo run --example 01_hello

use std::thread;

fn main() {
    // A oneshot has two ends: the chan sends, and the port receives. The sending end always comes first.
    let (chan, port) = pipes::oneshot();

    let worker = thread::spawn(move || {
        let answer = (1..=6).product::<u32>() / 24 + 12;
        // Sending consumes the chan, so a second send would not compile. It never blocks. It fails only if
        // the port was dropped, and then the error contains the value.
        chan.send(format!("hello, the answer is {answer}")).expect("main waits for the answer");
    });

    // Receiving consumes the port. The thread sleeps until the value arrives.
    match port.recv() {
        Ok(greeting) => println!("{greeting}"),
        Err(closed) => println!("no answer: {closed}"),
    }
    worker.join().expect("the worker does not panic");
}
