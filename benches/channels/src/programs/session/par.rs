//! The sessions over `par`, whose channel of one message is that of `futures`.

use futures::FutureExt;
use par::Session;
use par::exchange::{Recv, Send};

use pipes_benches::links::Closed;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("par.rs")];

/// One message.
type Hello = Recv<u64>;

/// Both ends of a session.
pub fn pipe() -> (Send<u64>, Hello) {
    let mut client = None;
    let server = Hello::fork_sync(|dual| client = Some(dual));
    (client.expect("the other end was given"), server)
}

/// The client's part.
pub fn say(client: Send<u64>, value: u64) -> Result<(), Closed> {
    client.send1(value);
    Ok(())
}

/// The server's part when the message is already there.
pub fn hear(server: Hello) -> Result<u64, Closed> {
    server.recv1().now_or_never().ok_or(Closed)
}

/// The server's part in a task.
pub async fn hear_task(server: Hello) -> Result<u64, Closed> {
    Ok(server.recv1().await)
}
