//! An endpoint that is thrown away closes its pipe, which is hardly meant.

#![deny(unused_must_use)]

use pipes_tests::pingpong::{Client, Ping, pipe};

fn fresh() -> Client<Ping<u64>> {
    pipe().0
}

fn main() {
    fresh();
    let (client, _server) = pipe();
    client.ping(1).unwrap();
}
