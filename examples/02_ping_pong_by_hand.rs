//! 02 — A protocol of two states, written by hand.
//!
//! You will see: three pings answered by three pongs, then a close that both sides understand.
//! New here: states, steps, endpoints. Before: 01_hello. Next: 03_closing.
//!
//!     cargo run --example 02_ping_pong_by_hand
//!
//! The protocol, from the client's side:  `ping: send { ping(u32) -> pong }   pong: recv { pong(u32) -> ping }`

use pipes::__private::{AsClient, AsServer, Ring, State, pipe};
use pipes::SendError;
use std::thread;

// An endpoint type for each side. Its parameter is the state; the receiving verbs come with it.
pipes::__endpoint! { struct Client<S>: AsClient; }
pipes::__endpoint! { struct Server<S>: AsServer; }

// A state is the type of what its receiver gets: a variant per message, the payload first, the next endpoint last.
enum Ping {
    Ping(u32, Server<Pong>),
}
enum Pong {
    Pong(u32, Client<Ping>),
}

// Who sends in a state; where the messages live (no side ever sends twice in a row, so two slots are used again and again);
// and all payloads that can follow, which decide whether an endpoint may go to another thread.
impl State for Ping {
    type Sender = AsClient;
    type Memory = Ring<u32, 2>;
    type Payloads = (u32,);
}
impl State for Pong {
    type Sender = AsServer;
    type Memory = Ring<u32, 2>;
    type Payloads = (u32,);
}

// A method per message, on the side that sends it, in the state that it is sent in. The closure says what the receiver gets.
impl Client<Ping> {
    fn ping(self, n: u32) -> Result<Client<Pong>, SendError<u32>> {
        self.0.send(n, |n, next| Ping::Ping(n, Server(next))).map(Client)
    }
}
impl Server<Pong> {
    fn pong(self, n: u32) -> Result<Server<Ping>, SendError<u32>> {
        self.0.send(n, |n, next| Pong::Pong(n, Client(next))).map(Server)
    }
}

fn main() {
    let (client, server) = pipe();
    let (mut client, mut server): (Client<Ping>, Server<Ping>) = (Client(client), Server(server));

    let answering = thread::spawn(move || {
        // Each step uses an endpoint up and gives the next one. `server.pong(…)` here would not compile: it is not this
        // side's turn.
        while let Ok(Ping::Ping(n, next)) = server.recv() {
            println!("ping {n}");
            server = next.pong(n * n).expect("the client waits for its pong");
        }
        println!("the client has left");
    });

    for n in 1..=3 {
        let waiting = client.ping(n).expect("the server answers");
        let Ok(Pong::Pong(square, next)) = waiting.recv() else { unreachable!("the server answers") };
        println!("pong {square}");
        client = next;
    }
    drop(client); // Leaving is dropping the endpoint, in any state.
    answering.join().expect("the server does not panic");
}
