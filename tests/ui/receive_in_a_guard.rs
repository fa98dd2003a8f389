//! A guard may look, but a receive uses the endpoint up, also when the guard then says no.

use pipes_tests::pingpong::{Ping, Server, pipe};

enum Event {
    Arrived(Server<Ping<u64>>),
    Other,
}

fn main() {
    match Event::Arrived(pipe().1) {
        Event::Arrived(server) if server.recv().is_ok() => {}
        Event::Arrived(server) => drop(server),
        Event::Other => {}
    }
}
