//! Whether the other side has left: an endpoint that receives has the method itself, one that sends has it
//! from a trait.

mod protocols;

use protocols::bank;

fn main() {
    let (client, server) = bank::pipe();
    assert!(!server.is_closed());
    assert!(!client.is_closed());
}
