//! The session that the other programs get wrong.

use pipes_tests::pingpong::{self, Ping, Pong};

fn main() {
    let (client, server) = pingpong::pipe();
    let waiting = client.ping("ping").unwrap();
    let Ok(Ping::Ping(_, answering)) = server.recv() else { unreachable!() };
    answering.bye("pong").unwrap();
    assert!(matches!(waiting.recv(), Ok(Pong::Bye("pong"))));
}
