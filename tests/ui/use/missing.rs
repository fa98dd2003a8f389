//! A `match` knows every message of its state, and every state that an endpoint may be in.

mod protocols;

use protocols::bank::{self, AnyClient, ClientMessage, ClientReceived, LoginResponse, ReceivingClient};

fn message(message: LoginResponse) {
    match message {
        LoginResponse::Ok(_) => {}
    }
}

fn state(client: AnyClient) {
    match client {
        AnyClient::Login(_) | AnyClient::LoginResponse(_) | AnyClient::WithdrawalResponse(_) => {}
    }
}

/// A receive may find that the endpoint is one that sends.
fn receive_in_any_state(message: ClientMessage) {
    match message {
        ClientMessage::LoginResponse(_) | ClientMessage::WithdrawalResponse(_) => {}
    }
}

/// An endpoint of any receiving state is in one of those only.
fn receive_in_a_receiving_state(message: ClientReceived) {
    match message {
        ClientReceived::LoginResponse(_) => {}
    }
}

fn main() {
    drop(ReceivingClient::from(bank::pipe().0));
}
