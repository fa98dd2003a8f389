//! What is sent must outlive both ends.

use pipes_tests::pingpong;

fn main() {
    let (client, server) = pingpong::pipe();
    {
        let text = String::from("short");
        drop(client.ping(text.as_str()));
    }
    drop(server);
}
