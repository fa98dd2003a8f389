//! There is one endpoint of each side.

use pipes_tests::pingpong;

fn main() {
    let (client, _server) = pingpong::pipe::<u64>();
    let _second = client.clone();
}
