//! A receiving endpoint does not send.

use pipes_tests::pingpong;

fn main() {
    let (_client, server) = pingpong::pipe::<u64>();
    let _ = server.ping(1);
}
