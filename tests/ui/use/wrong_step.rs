//! Steps that are not those of the endpoint's state: the errors name its state and the right one.

mod protocols;

use protocols::bank::{self, client, server};

fn message_of_another_state(client: client::Login) {
    let _ = client.deposit(100);
}

/// A receiving endpoint does not send: neither what it may send later, nor what the other side may.
fn send_on_a_receiver(waiting: client::LoginResponse, server: server::Login) {
    let _ = waiting.deposit(100);
    let _ = server.login(String::new(), String::new());
}

fn wait(receiver: impl pipes::Receive) {
    drop(receiver.recv());
}

/// A sending endpoint does not receive: by its own methods, where any receiver may stand, in a task.
fn receive_on_a_sender(client: client::Login, another: client::Login) {
    wait(client);
    let _ = another.recv();
}

fn try_to_receive_on_a_sender(client: client::Login, server: server::LoginResponse) {
    let _ = client.try_recv();
    let _ = server.recv_timeout(std::time::Duration::ZERO);
}

async fn await_on_a_sender(client: client::Login) {
    let _ = client.await;
}

fn wrong_payload(client: client::Login, another: client::Login) {
    let _ = client.login("user", String::new());
    let _ = another.login(String::new());
}

/// Whether the other side has left: an endpoint that receives has the method itself, one that sends has it
/// from a trait.
fn trait_not_in_scope(client: client::Login, server: server::Login) {
    assert!(!server.is_closed());
    assert!(!client.is_closed());
}

fn main() {
    drop(bank::pipe());
}
