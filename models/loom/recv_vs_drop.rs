//! One side receives while the other drops its endpoint. The receiver must learn about it.

use crate::support::pingpong::{self, Ping};
use crate::support::{assert_only, payload};
use loom::future::block_on;
use loom::thread;
use pipes::{oneshot, stream};
use std::future::IntoFuture;

#[test]
fn thread_waits() {
    loom::model(|| {
        let (chan, port) = oneshot::<()>();
        let sender = thread::spawn(move || drop(chan));
        assert!(port.recv().is_err());
        sender.join().unwrap();
    });
}

#[test]
fn task_waits() {
    loom::model(|| {
        let (chan, port) = oneshot::<()>();
        let sender = thread::spawn(move || drop(chan));
        assert!(block_on(port.into_future()).is_err());
        sender.join().unwrap();
    });
}

#[test]
fn stream_gives_what_was_sent_first() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = stream();
        let sender = thread::spawn(move || {
            chan.send(sent).expect("the port is there");
        });
        assert!(port.recv().is_ok());
        assert!(port.recv().is_err());
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn server_dies_before_its_answer() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, server) = pingpong::pipe();
        let answering = thread::spawn(move || {
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("the client pings") };
            drop((payload, server));
        });
        assert!(client.ping(sent).expect("the server is there").recv().is_err());
        answering.join().unwrap();
        assert_only(&count);
    });
}
