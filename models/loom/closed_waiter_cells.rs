//! A client that was polled spuriously takes the answer and goes on before the server has woken the client's
//! first waiter. Then the client watches, or waits, with the cell that the server does not read.

use crate::support::pingpong::{self, Ping, Pong};
use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;
use pipes::Closing;
use std::task::Context;

#[test]
fn it_watches_and_the_server_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, server) = pingpong::pipe();
        let mut client = client.ping(sent).expect("the server is there");
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut client, &waker).is_pending());
        let serving = thread::spawn(move || {
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client has pinged") };
            drop(server.pong(payload).expect("the client is there"));
        });
        let Ok(Pong::Pong(payload, mut client)) = client.recv() else { panic!("the server answers") };
        if client.poll_closed(&mut Context::from_waker(&waker)).is_pending() {
            client.wait_closed();
        }
        drop((payload, client));
        serving.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn it_watches_and_sends_and_waits_again() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, server) = pingpong::pipe();
        let mut client = client.ping(sent).expect("the server is there");
        let (_wakes, waker) = WakeCounter::new();
        assert!(poll(&mut client, &waker).is_pending());
        let serving = thread::spawn(move || {
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client has pinged") };
            let server = server.pong(payload).expect("the client is there");
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client pings again") };
            server.bye(payload).expect("the client is there");
        });
        let Ok(Pong::Pong(payload, mut client)) = client.recv() else { panic!("the server answers") };
        assert!(client.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        let mut client = client.ping(payload).expect("the server is there");
        let _ = poll(&mut client, &waker);
        let Ok(Pong::Bye(payload)) = client.recv() else { panic!("the server says good-bye") };
        drop(payload);
        serving.join().unwrap();
        assert_only(&count);
    });
}
