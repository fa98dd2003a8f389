//! A message of another state: the error names the endpoint's state and the message's.

mod protocols;

use protocols::bank;

fn main() {
    let (client, _server) = bank::pipe();
    let _ = client.deposit(100);
}
