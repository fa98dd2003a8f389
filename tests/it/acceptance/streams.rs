//! What streams carry, and where their ends go.
//!
//! `run-pass/task-comm-10.rs`, `-11`, `-16`, `-chan-nil`, `unique-send.rs`, `unique-send-2.rs`,
//! `send-resource.rs`, `sendable-class.rs`, `spawn-types.rs`, `capture_nil.rs`, `comm.rs`, `ivec-tag.rs`,
//! `issue-4446.rs`, `issue-4448.rs` and `hashmap-memory.rs`.

use super::{Sleeper, die, died};
use pipes::{Chan, ChanOne, RecvError, oneshot, shared_stream, stream};
use pipes_tests::{Counted, Tally, watched};
use std::fmt::Debug;

#[derive(Clone, Debug, PartialEq)]
struct Record {
    number: i32,
    letter: char,
}

#[derive(Clone, Debug, PartialEq)]
enum Tag {
    One,
    Three(i32, u8, String),
}

/// A child that has captured the chan sends the values, and the parent receives them.
fn from_a_child<T: Send + 'static + PartialEq + Debug + Clone>(values: &[T]) {
    let (mut chan, port) = stream();
    let sent = values.to_vec();
    let child = Sleeper::spawn(move || {
        sent.into_iter().for_each(|value| chan.send(value).expect("the parent listens"));
    });
    assert_eq!(port.into_iter().collect::<Vec<_>>(), values);
    child.join().expect("the child ends");
}

#[test]
fn values_of_all_kinds() {
    watched(|| {
        from_a_child(&[(), (), ()]);
        from_a_child(&[Record { number: 0, letter: 'x' }, Record { number: -1, letter: 'é' }]);
        from_a_child(&[vec![0, 1, 2], vec![]]);
        from_a_child(&["hello".to_owned(), String::new()]);
        from_a_child::<&'static str>(&["hello", "world"]);
        from_a_child(&[Tag::One, Tag::Three(10, 11, "twelve".to_owned())]);
        from_a_child(&[Box::new(100)]);
        from_a_child::<fn() -> String>(&[String::new]);
        from_a_child(&[[7_u64; 100]; 70]);
    });
}

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

/// A sender that dies while it holds its chan disturbs no other one.
#[test]
fn one_of_several_senders_dies() {
    watched(|| {
        let (chan, mut port) = shared_stream();
        for number in 0..10 {
            let own = chan.clone();
            let dying = Sleeper::spawn(move || {
                own.send(number).expect("the port is there");
                die()
            });
            assert!(died::<()>(dying.join()));
            chan.send(number + 100).expect("the port is here");
        }
        drop(chan);
        let received: Vec<_> = port.iter().collect();
        assert_eq!(received, (0..10).flat_map(|number| [number, number + 100]).collect::<Vec<_>>());
    });
}
