//! What streams carry, and where their ends go.
//!
//! `run-pass/task-comm-10.rs`, `-11`, `send-resource.rs` and `hashmap-memory.rs`.

use super::Sleeper;
use pipes::{Chan, ChanOne, RecvError, oneshot, shared_stream, stream};
use pipes_tests::{Counted, Tally, watched};

/// A value with a destructor is destroyed once, and by its receiver. Afterwards nobody listens any more.
#[test]
fn a_chan_that_a_child_sends_back() {
    watched(|| {
        let tally = Tally::new();
        let (mut handing, mut handed) = stream::<Chan<Counted>>();
        let child = Sleeper::spawn(move || {
            let (chan, mut port) = stream();
            handing.send(chan).expect("the parent listens");
            port.recv().expect("the parent sends it")
        });
        let mut chan = handed.recv().expect("the child sends it");
        chan.send(tally.make(42)).expect("the child listens");
        let received = child.join().expect("the child ends");
        assert_eq!((received.number, tally.gone()), (42, 0));
        drop(received);
        assert_eq!((tally.gone(), tally.made()), (1, 1));
        assert!(chan.is_closed());
        assert!(matches!(handed.recv(), Err(RecvError)));
    });
}

/// Requests of many clients, each with the chan for its answer.
#[test]
fn each_request_is_answered() {
    watched(|| {
        let (requests, port) = shared_stream::<(u64, ChanOne<u64>)>();
        let clients: Vec<_> = (0..10)
            .map(|number| {
                let requests = requests.clone();
                Sleeper::spawn(move || {
                    let (reply, answer) = oneshot();
                    assert!(requests.send((number, reply)).is_ok(), "the server is there");
                    answer.recv()
                })
            })
            .collect();
        drop(requests);
        port.into_iter().for_each(|(number, reply)| reply.send(number * number).expect("the client waits"));
        for (number, client) in (0..).zip(clients) {
            assert_eq!(client.join().expect("no client panics"), Ok(number * number));
        }
    });
}
