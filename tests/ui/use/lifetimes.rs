//! Lifetimes of payloads: neither longer nor shorter ones may take their place.

use pipes::{Chan, ChanOne, Port};

pipes::proto! {
    words<'a> {
        go: send { word(&'a str) -> go, last(&'a str) -> ! }
    }
}

/// It would read what is gone.
fn lengthen<'a>(server: words::Server<words::Go<'a>>) -> words::Server<words::Go<'static>> {
    server
}

/// Its peer would read what is gone.
fn shorten<'a>(client: words::Client<words::Go<'static>>) -> words::Client<words::Go<'a>> {
    client
}

fn chan<'short>(chan: Chan<&'static str>, _: &'short str) -> Chan<&'short str> {
    chan
}

fn one<'short>(chan: ChanOne<&'static str>, _: &'short str) -> ChanOne<&'short str> {
    chan
}

fn port<'short>(port: Port<&'short str>) -> Port<&'static str> {
    port
}

/// What is sent must outlive both ends.
fn payload_that_dies_too_soon() {
    let (client, server) = words::pipe();
    {
        let text = String::from("short");
        drop(client.word(&text));
    }
    drop(server.recv());
}

fn main() {}
