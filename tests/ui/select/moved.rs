//! A chosen endpoint is used up, unless its own arm puts another one in its place.

#[path = "../use/protocols/mod.rs"]
mod protocols;

use protocols::bank;

fn main() {
    let (_client, mut server) = bank::pipe();
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        message = server => drop(message),
        number = port => drop(number),
    }
    drop(server.recv());
    drop(port.recv());
}
