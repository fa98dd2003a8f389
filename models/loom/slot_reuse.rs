//! A session goes twice through the two slots of a ring, with a server that is polled spuriously.
//!
//! Such a server may take the ping, answer, and wait again at the same slot, all before the client has woken
//! the first waiter. Two cells keep the two waiters apart.

use crate::support::pingpong::{self, Ping, Pong};
use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;

#[test]
fn two_rounds_with_a_spurious_poll() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, mut server) = pingpong::pipe();
        let pinging = thread::spawn(move || {
            let Ok(Pong::Pong(payload, client)) = client.ping(sent).expect("the server is there").recv()
            else {
                panic!("the server answers")
            };
            let Ok(Pong::Bye(payload)) = client.ping(payload).expect("the server is there").recv() else {
                panic!("the server says good-bye")
            };
            drop(payload);
        });
        let (_wakes, waker) = WakeCounter::new();
        let _ = poll(&mut server, &waker);
        let _ = poll(&mut server, &waker);
        let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client pings") };
        let mut server = server.pong(payload).expect("the client is there");
        let _ = poll(&mut server, &waker);
        let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client pings again") };
        server.bye(payload).expect("the client is there");
        pinging.join().unwrap();
        assert_only(&count);
    });
}
