//! A sending endpoint cannot be awaited.

use pipes_tests::pingpong;

async fn wait() {
    let (client, _server) = pingpong::pipe::<u64>();
    let _ = client.await;
}

fn main() {
    drop(wait());
}
