//! 03 — The same protocol by hand, which no program needs: what `proto!` generates, simplified.
//!
//! You will see: the output of 02_ping_pong, from the same `main`. The parts for 13_any_state are left out.
//! New here: why a wrong step does not compile. Before: 02_ping_pong. Next: 04_choice.
//!
//!     cargo run --example 03_ping_pong_by_hand
#![allow(unsafe_code)]

mod ping_pong {
    use pipes::__private::{AsClient, AsServer, Ring, SentBy, State, not_sent};
    use pipes::SendError;
    // An endpoint type for each side. Its parameter is the state. The methods that receive are added, too.
    pipes::__endpoint! { pub struct Client<S>: AsClient; }
    pipes::__endpoint! { pub struct Server<S>: AsServer; }
    pub fn pipe() -> (Client<Idle>, Server<Idle>) {
        // SAFETY: the caller is the protocol; both endpoints leave this module only inside its own types.
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    // A state is the type of the messages that its receiver gets.
    pub enum Idle {
        Ping(u32, Server<Waiting>),
    }
    // Two slots, used in turn, are enough, because no side sends twice in a row.
    // SAFETY: `u32` is the only payload, `Ping` contains it, closures capture nothing, bound 1 needs 2 slots.
    unsafe impl State for Idle {
        type Sender = AsClient;
        type Memory = Ring<u32, 2>;
        type Payloads = u32;
    }
    // Because the client sends, a `Server<Idle>` has the methods that receive, and a `Client<Idle>` does not.
    impl SentBy<AsClient> for Idle {}
    // A method for each message that this endpoint sends: a `Client<Idle>` can do nothing else. One closure
    // makes the receiver's message of the payload; the other shows that `Payloads` has room for the payload.
    impl Client<Idle> {
        pub fn ping(self, payload: u32) -> Result<Client<Waiting>, SendError<u32>> {
            // SAFETY: the protocol has this message from `Idle` to `Waiting`; the first closure makes it.
            unsafe { self.0.send(payload, |it, next| Idle::Ping(it, Server(next)), |it, _| [it]) }
                .map(Client)
                .map_err(not_sent)
        }
    }
    pub enum Waiting {
        Pong(u32, Client<Idle>),
    }
    // SAFETY: `u32` is the only payload, `Pong` contains it, closures capture nothing, bound 1 needs 2 slots.
    unsafe impl State for Waiting {
        type Sender = AsServer;
        type Memory = Ring<u32, 2>;
        type Payloads = u32;
    }
    impl SentBy<AsServer> for Waiting {}
    impl Server<Waiting> {
        pub fn pong(self, payload: u32) -> Result<Server<Idle>, SendError<u32>> {
            // SAFETY: the protocol has this message from `Waiting` to `Idle`; the first closure makes it.
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
