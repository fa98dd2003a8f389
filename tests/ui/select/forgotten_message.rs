//! A `match` in an arm has to know every message, and the close.

#[path = "../use/protocols/mod.rs"]
mod protocols;

use protocols::bank::{self, Login, LoginResponse};

fn main() {
    let (client, server) = bank::pipe();
    let (_other, mut server) = (server, bank::pipe().1);
    let Ok(mut waiting) = client.login("ada".to_owned(), "secret".to_owned()) else { return };
    pipes::select! {
        response = waiting => match response {
            Ok(LoginResponse::Ok(_)) => {}
            Err(_) => {}
        },
        message = server => match message {
            Ok(Login::Login(..)) => {}
        },
    }
}
