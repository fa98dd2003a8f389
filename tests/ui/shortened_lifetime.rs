//! An endpoint of long-lived payloads is not one of short-lived ones: its peer would read what is gone.

use pipes_tests::pingpong::{Client, Ping, Pong, pipe};

fn shorten<'short>(client: Client<Ping<&'static str>>, _: &'short str) -> Client<Ping<&'short str>> {
    client
}

fn main() {
    let (client, server) = pipe::<&'static str>();
    let text = String::from("short");
    let _waiting: Client<Pong<&str>> = shorten(client, &text).ping(&text).unwrap();
    drop(text);
    let _ = server.recv();
}
