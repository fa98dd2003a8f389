//! 06 — What happens when a side leaves, or takes too long.
//!
//! You will see: a letter returned in an error, an unread letter, a server that panics, and a timeout.
//! New here: errors that return the payload, `is_closed`, `recv_timeout`.
//! Before: 05_calculator. Next: 07_bank.
//!
//!     cargo run --example 06_closing

use pipes::RecvTimeoutError;
use post::{Reply, Writing};
use std::thread;
use std::time::Duration;

pipes::proto! {
    post {
        writing: send { letter(Letter) -> reply }
        reply: recv { answer(Letter) -> writing }
    }
}

struct Letter(&'static str);

impl Drop for Letter {
    fn drop(&mut self) {
        println!("  ({} is thrown away)", self.0);
    }
}

fn main() {
    println!("The server leaves before the client sends: the payload comes back.");
    let (client, server) = post::pipe();
    drop(server);
    let letter = client.letter(Letter("letter one")).expect_err("the server has left").into_payload();
    println!("  still have {}", letter.0);
    drop(letter);

    println!("It leaves without reading: the letter is dropped at once, and the client's receive fails.");
    let (client, server) = post::pipe();
    let waiting = client.letter(Letter("letter two")).expect("the server is still there");
    drop(server);
    println!("  closed: {}", waiting.is_closed());
    println!("  {}", waiting.recv().expect_err("the server has left"));

    println!("It dies while the client waits: a panic closes what its thread owned.");
    let (client, server) = post::pipe();
    let server = thread::spawn(move || {
        let Writing::Letter(letter, _next) = server.recv().expect("the client writes");
        println!("  read {}", letter.0);
        // This panic prints no message, which keeps the output of this program short.
        std::panic::resume_unwind(Box::new("something went wrong"));
    });
    let waiting = client.letter(Letter("letter three")).expect("the server reads one letter");
    let answer = waiting.recv();
    println!("  panicked: {}, answered: {}", server.join().is_err(), answer.is_ok());

    println!("It takes too long: the endpoint comes back, and nothing is lost.");
    let (client, server) = post::pipe();
    let waiting = client.letter(Letter("letter four")).expect("the server is there");
    let Err(RecvTimeoutError::Timeout(waiting)) = waiting.recv_timeout(Duration::from_millis(10)) else {
        unreachable!("the server is in this thread, and has neither answered nor left")
    };
    println!("  nothing yet");
    let Writing::Letter(letter, next) = server.recv().expect("it was sent");
    let _server = next.answer(letter).expect("the client is back");
    let Reply::Answer(letter, _) = waiting.recv().expect("it was just sent");
    println!("  got {} back", letter.0);
}
