//! 02 — A protocol of two states: ping and pong.
//!
//! You will see: three pings answered by three pongs; then the client leaves, and the server notices.
//! New here: `proto!`, states, messages, steps. Before: 01_hello. Next: 03_ping_pong_by_hand.
//!
//!     cargo run --example 02_ping_pong

use ping_pong::{Idle, Waiting};
use std::thread;

pipes::proto! {
    // A protocol is written from the client's side. In the state `idle`, the client may send a ping. Then the
    // session is in the state `waiting`, and the client receives a pong. The server receives where the client
    // sends, and sends where the client receives.
    ping_pong {
        idle: send { ping(u32) -> waiting }
        waiting: recv { pong(u32) -> idle }
    }
}

fn main() {
    // A pipe has two endpoints, a `Client<Idle>` and a `Server<Idle>`. The type of an endpoint says what it
    // can do now.
    let (mut client, mut server) = ping_pong::pipe();

    let answering = thread::spawn(move || {
        // A receive returns an enum with the state's name. It has a variant for each message, with the
        // payload first and the endpoint for the next step last. `server.pong(…)` here would not compile: it
        // is the client's turn.
        while let Ok(Idle::Ping(n, next)) = server.recv() {
            println!("ping {n}");
            server = next.pong(n * n).expect("the client waits for its pong");
        }
        println!("the client has left");
    });

    for n in 1..=3 {
        // A step consumes the endpoint and returns the next one. A second `client.ping(…)` here would not
        // compile.
        let waiting = client.ping(n).expect("the server listens until the client leaves");
        let Waiting::Pong(square, next) = waiting.recv().expect("the server answers every ping");
        println!("pong {square}");
        client = next;
    }
    drop(client); // To leave, in any state, drop the endpoint.
    answering.join().expect("the server does not panic");
}
