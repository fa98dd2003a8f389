//! A receive uses the endpoint up.

use pipes_tests::pingpong;

fn main() {
    let (_client, server) = pingpong::pipe::<u64>();
    let _message = server.recv();
    let _again = server.recv();
}
