//! 02 — A protocol of two states: ping and pong.
//!
//! You will see: three pings answered by three pongs, then a close that both sides understand.
//! New here: `proto!`, states, messages, steps. Before: 01_hello. Next: 03_ping_pong_by_hand.
//!
//!     cargo run --example 02_ping_pong

use ping_pong::{Idle, Waiting};
use std::thread;

pipes::proto! {
    // Written from the client's side. While the session is `idle`, the client may send a ping; it is then `waiting`, and
    // receives a pong. The server's side is the mirror image: it receives where the client sends.
    ping_pong {
        idle: send { ping(u32) -> waiting }
        waiting: recv { pong(u32) -> idle }
    }
}

fn main() {
    // A pipe has two ends, a `Client<Idle>` and a `Server<Idle>`: the type says what may be done with an endpoint now.
    let (mut client, mut server) = ping_pong::pipe();

    let answering = thread::spawn(move || {
        // What is received in a state is an enum named after it, with a variant for each message: the payload first, the
        // endpoint for the next step last. `server.pong(…)` here would not compile: it is not this side's turn.
        while let Ok(Idle::Ping(n, next)) = server.recv() {
            println!("ping {n}");
            server = next.pong(n * n).expect("the client waits for its pong");
        }
        println!("the client has left");
    });

    for n in 1..=3 {
        // A step uses the endpoint up and gives the one for the next. A second `client.ping(…)` here would not compile.
        let waiting = client.ping(n).expect("the server listens until the client leaves");
        let Waiting::Pong(square, next) = waiting.recv().expect("the server answers every ping");
        println!("pong {square}");
        client = next;
    }
    drop(client); // Leaving is dropping the endpoint, in any state.
    answering.join().expect("the server does not panic");
}
