//! 01 — One value from one thread to another.
//!
//! You will see: a thread computes, the main thread waits for the answer and prints it.
//! New here: `oneshot`, `send`, `recv`. Next: 02_ping_pong.
//!
//!     cargo run --example 01_hello

use std::thread;

fn main() {
    // A oneshot has two ends. The chan sends, the port receives; the sending end always comes first.
    let (chan, port) = pipes::oneshot();

    let worker = thread::spawn(move || {
        let answer = (1..=6).product::<u32>() / 24 + 12;
        // Sending uses the chan up: a second send would not compile. It never blocks, and it fails only if the port has
        // gone; the value would come back in the error.
        chan.send(format!("hello, the answer is {answer}")).expect("main waits for the answer");
    });

    // Receiving uses the port up. The thread sleeps until the value is there.
    match port.recv() {
        Ok(greeting) => println!("{greeting}"),
        Err(closed) => println!("no answer: {closed}"),
    }
    worker.join().expect("the worker does not panic");
}
