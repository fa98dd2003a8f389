//! An endpoint whose turn it is to send has nothing to wait for.

#[path = "../use/protocols/mod.rs"]
mod protocols;

use protocols::bank;

fn main() {
    let (mut client, mut server) = bank::pipe();
    pipes::select! {
        message = server => drop(message),
        message = client => drop(message),
    }
}
