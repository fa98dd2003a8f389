//! An endpoint is good for one step, whether it sends or receives.

mod protocols;

use protocols::bank;

fn main() {
    let (client, server) = bank::pipe();
    let _waiting = client.login(String::new(), String::new());
    let _again = client.login(String::new(), String::new());
    let _message = server.recv();
    let _next = server.recv();
}
