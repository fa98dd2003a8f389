//! A guard may look, but a receive uses the endpoint up, also when the guard then says no.

mod protocols;

use protocols::bank::{self, AnyServer};

fn main() {
    match AnyServer::from(bank::pipe().1) {
        AnyServer::Login(server) if server.recv().is_ok() => {}
        other => drop(other),
    }
}
