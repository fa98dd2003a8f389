//! A sending endpoint does not receive.

use pipes_tests::pingpong;

fn main() {
    let (client, _server) = pingpong::pipe::<u64>();
    let _ = client.recv();
}
