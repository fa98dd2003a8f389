//! Nor the reverse.

use pipes_tests::pingpong::{Ping, Server};

fn lengthen<'short>(server: Server<Ping<&'short str>>) -> Server<Ping<&'static str>> {
    server
}

fn main() {
    lengthen(pipes_tests::pingpong::pipe().1);
}
