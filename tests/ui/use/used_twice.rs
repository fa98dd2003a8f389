//! An endpoint is good for one step, and nobody else has it.

mod protocols;

use protocols::bank::{self, AnyServer, client, server};

fn used_twice(client: client::Login, server: server::Login) {
    let _waiting = client.login(String::new(), String::new());
    let _again = client.login(String::new(), String::new());
    let _message = server.recv();
    let _next = server.recv();
}

fn cloned(client: client::Login) {
    let _second = client.clone();
    let _third = bank::AnyClient::from(client).clone();
}

struct Teller {
    server: server::Login,
}

impl Teller {
    /// A field of a borrowed struct cannot be used up.
    fn serve(&mut self) {
        let _ = self.server.recv();
    }
}

/// A guard may look, but a receive uses the endpoint up, also when the guard then says no.
fn receive_in_a_guard(server: AnyServer) {
    match server {
        AnyServer::Login(server) if server.recv().is_ok() => {}
        other => drop(other),
    }
}

fn main() {}
