//! A receiving endpoint does not send: neither what it may send later, nor what the other side may.

mod protocols;

use protocols::bank;

fn main() {
    let (client, server) = bank::pipe();
    let waiting = client.login(String::new(), String::new()).unwrap();
    let _ = waiting.deposit(100);
    let _ = server.login(String::new(), String::new());
}
