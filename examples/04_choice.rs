//! 04 — Several messages in one state: a guessing game.
//!
//! You will see: one player who finds the number, and one who gives up and learns it.
//! New here: choice, `match` on what is received, the end of a session.
//! Before: 03_ping_pong_by_hand. Next: 05_calculator.
//!
//!     cargo run --example 04_choice

use guessing::{Answer, Client, Resigned, Server, Turn};
use std::thread;

pipes::proto! {
    guessing {
        // The side that sends in a state chooses one of its messages. Each message has its own next state.
        turn: send {
            guess(u32) -> answer,
            give_up -> resigned,
        }
        answer: recv {
            too_low -> turn,
            too_high -> turn,
            correct -> !, // This message ends the session: there is no next endpoint.
        }
        resigned: recv { it_was(u32) -> ! }
    }
}

fn main() {
    for tries in [7, 3] {
        let (client, server) = guessing::pipe();
        let host = thread::spawn(move || host(42, server));
        println!("a number from 1 to 100, and {tries} tries:");
        play(tries, client);
        host.join().expect("the host does not panic");
    }
}

const WAITS: &str = "the player waits for the answer";

/// Answers guesses until the player finds the number or gives up.
fn host(secret: u32, mut server: Server<Turn>) {
    while let Ok(message) = server.recv() {
        // The receiver must handle every message. Without the last arm this would not compile.
        server = match message {
            Turn::Guess(n, next) if n < secret => next.too_low().expect(WAITS),
            Turn::Guess(n, next) if n > secret => next.too_high().expect(WAITS),
            Turn::Guess(_, next) => return next.correct().expect(WAITS),
            Turn::GiveUp(next) => return next.it_was(secret).expect(WAITS),
        };
    }
}

const ANSWERS: &str = "the host answers until the game is over";

/// Guesses the middle of the remaining numbers, `tries` times at most.
fn play(tries: u32, mut client: Client<Turn>) {
    let (mut low, mut high) = (1, 100);
    for _ in 0..tries {
        let guess = (low + high) / 2;
        match client.guess(guess).expect(ANSWERS).recv().expect(ANSWERS) {
            Answer::TooLow(next) => {
                println!("  {guess} is too low");
                low = guess + 1;
                client = next;
            }
            Answer::TooHigh(next) => {
                println!("  {guess} is too high");
                high = guess - 1;
                client = next;
            }
            Answer::Correct => return println!("  {guess} is correct"),
        }
    }
    let Resigned::ItWas(secret) = client.give_up().expect(ANSWERS).recv().expect(ANSWERS);
    println!("  out of tries: it was {secret}");
}
