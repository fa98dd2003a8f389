//! A receiver answers every message of its state.

mod protocols;

use protocols::bank::{self, LoginResponse};

fn log_in(client: bank::client::LoginResponse) -> Option<bank::client::Connected> {
    match client.recv().ok()? {
        LoginResponse::Ok(client) => Some(client),
    }
}

fn main() {
    drop(bank::pipe().0.login(String::new(), String::new()).ok().and_then(log_in));
}
