//! A receiver answers every message of its state.

use pipes_tests::pingpong::{Client, Pong};

fn next(client: Client<Pong<u64>>) -> u64 {
    match client.recv().unwrap() {
        Pong::Pong(number, _client) => number,
    }
}

fn main() {
    let (client, _server) = pipes_tests::pingpong::pipe();
    next(client.ping(1).unwrap());
}
