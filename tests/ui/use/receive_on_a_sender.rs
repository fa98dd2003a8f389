//! A sending endpoint does not receive: neither by its own methods, nor where any receiver may stand.

mod protocols;

use protocols::bank;

fn wait(receiver: impl pipes::Receive) {
    drop(receiver.recv());
}

fn main() {
    let (client, _server) = bank::pipe();
    wait(client);
    let _ = bank::pipe().0.recv();
}
