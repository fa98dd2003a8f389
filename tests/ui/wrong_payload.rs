//! A payload of another type.

use pipes_tests::pingpong;

fn main() {
    let (client, _server) = pingpong::pipe::<u64>();
    let _ = client.ping("one");
}
