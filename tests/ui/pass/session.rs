//! The session that the other programs get wrong.

#[path = "../use/protocols/mod.rs"]
mod protocols;

use protocols::bank::{self, Login, LoginResponse};

fn main() {
    let (client, server) = bank::pipe();
    let waiting = client.login(String::from("user"), String::from("password")).unwrap();
    let Ok(Login::Login(_, _, answering)) = server.recv() else { unreachable!() };
    let teller = answering.ok().unwrap();
    assert!(matches!(waiting.recv(), Ok(LoginResponse::Ok(_))));
    assert!(teller.recv().is_err());
}
