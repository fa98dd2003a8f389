//! 03 — The same protocol by hand: what `proto!` generates, simplified.
//!
//! You will see: the output of 02_ping_pong, from the same `main`. (Left out: the parts that 13_any_state uses, and documentation.)
//! New here: why a wrong step does not compile. (No program needs this.) Before: 02_ping_pong. Next: 04_choice.
//!
//!     cargo run --example 03_ping_pong_by_hand
#![allow(unsafe_code)]

mod ping_pong {
    use pipes::__private::{AsClient, AsServer, Ring, SentBy, State, not_sent};
    use pipes::SendError;
    // An endpoint type for each side; its parameter is the state. The receiving verbs come with it.
    pipes::__endpoint! { pub struct Client<S>: AsClient; }
    pipes::__endpoint! { pub struct Server<S>: AsServer; }
    pub fn pipe() -> (Client<Idle>, Server<Idle>) {
        // SAFETY: what follows is the protocol; the ends leave this module inside of its types only.
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    // A state is the type of what its receiver gets.
    pub enum Idle {
        Ping(u32, Server<Waiting>),
    }
    // Messages live in two slots, used in turn, for no side sends twice in a row. `Payloads` decides about going to other threads.
    // SAFETY: it has room for all of them, `Ping` keeps its own, and the closure that makes one captures nothing.
    unsafe impl State for Idle {
        type Sender = AsClient;
        type Memory = Ring<u32, 2>;
        type Payloads = u32;
    }
    // Because the client sends, a `Server<Idle>` has the receiving verbs, and a `Client<Idle>` has not.
    impl SentBy<AsClient> for Idle {}
    // A method for each message, on the endpoint that sends it in this state: all that a `Client<Idle>` can do. Only the payload
    // travels: one closure says what the receiver makes of it, the other shows that `Payloads` holds it.
    impl Client<Idle> {
        pub fn ping(self, payload: u32) -> Result<Client<Waiting>, SendError<u32>> {
            // SAFETY: this is the message `Ping`, which leads to `Waiting`.
            unsafe { self.0.send(payload, |it, next| Idle::Ping(it, Server(next)), |it, _| [it]) }
                .map(Client)
                .map_err(not_sent)
        }
    }
    pub enum Waiting {
        Pong(u32, Client<Idle>),
    }
    // SAFETY: as above, with `Pong`.
    unsafe impl State for Waiting {
        type Sender = AsServer;
        type Memory = Ring<u32, 2>;
        type Payloads = u32;
    }
    impl SentBy<AsServer> for Waiting {}
    impl Server<Waiting> {
        pub fn pong(self, payload: u32) -> Result<Server<Idle>, SendError<u32>> {
            // SAFETY: this is the message `Pong`, which leads to `Idle`.
            unsafe { self.0.send(payload, |it, next| Waiting::Pong(it, Client(next)), |it, _| [it]) }
                .map(Server)
                .map_err(not_sent)
        }
    }
}

fn main() {
    let (mut client, mut server) = ping_pong::pipe();
    let answering = std::thread::spawn(move || {
        while let Ok(ping_pong::Idle::Ping(n, next)) = server.recv() {
            println!("ping {n}");
            server = next.pong(n * n).expect("the client waits for its pong");
        }
        println!("the client has left");
    });
    for n in 1..=3 {
        let waiting = client.ping(n).expect("the server listens until the client leaves");
        let ping_pong::Waiting::Pong(square, next) = waiting.recv().expect("the server answers every ping");
        println!("pong {square}");
        client = next;
    }
    drop(client);
    answering.join().expect("the server does not panic");
}
