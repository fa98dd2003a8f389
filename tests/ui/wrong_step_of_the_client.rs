//! The client pings where it should wait for an answer.

use pipes_tests::pingpong;

fn main() {
    let (client, _server) = pingpong::pipe();
    let waiting = client.ping(1).unwrap();
    let _ = waiting.ping(2);
}
