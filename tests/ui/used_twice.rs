//! An endpoint is good for one step.

use pipes_tests::pingpong;

fn main() {
    let (client, _server) = pingpong::pipe();
    let _waiting = client.ping(1);
    let _again = client.ping(2);
}
