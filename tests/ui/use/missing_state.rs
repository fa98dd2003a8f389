//! An endpoint of any state may be in each of them, and a receive may find that it is one that sends. One of
//! any receiving state may be in each of those only.

mod protocols;

use protocols::bank::{self, AnyClient, ClientMessage, ClientReceived, ReceivingClient};

fn go_on(client: AnyClient) {
    match client {
        AnyClient::Login(_) | AnyClient::LoginResponse(_) | AnyClient::WithdrawalResponse(_) => {}
    }
}

fn answer(message: ClientMessage) {
    match message {
        ClientMessage::LoginResponse(_) | ClientMessage::WithdrawalResponse(_) => {}
    }
}

fn received(message: ClientReceived) {
    match message {
        ClientReceived::LoginResponse(_) => {}
    }
}

fn sends() {
    drop(ReceivingClient::from(bank::pipe().0));
}

fn main() {
    go_on(bank::pipe().0.into());
    drop(AnyClient::from(bank::pipe().0).recv().map(answer));
}
