//! Chans and ports in closures.
//!
//! `run-pass/spawn-types.rs`, `capture_nil.rs`, `comm.rs`, `ivec-tag.rs`, `issue-3609.rs`, `issue-4446.rs`,
//! `issue-4448.rs`, `closure-bounds-can-capture-chan.rs` and `auxiliary/cci_capture_clause.rs`, Rust 0.5:
//! each of them spawns a closure that has captured one end of a stream; they differ in what they send.

use crate::acceptance::Sleeper;
use pipes::{Chan, Port, oneshot, stream};
use pipes_tests::courier::{self, Offer};
use pipes_tests::watched;
use std::fmt::Debug;

/// A child sends the value, and the parent compares it with what arrives.
fn from_a_child<T: Send + 'static + PartialEq + Debug + Clone>(value: T) {
    let (mut chan, mut port) = stream();
    let sent = value.clone();
    let child = Sleeper::spawn(move || chan.send(sent).is_ok());
    assert_eq!(port.recv(), Ok(value));
    assert!(child.join().expect("the child ends"));
}

/// `capture_nil`, `comm`, `spawn-types`, `ivec-tag`.
#[test]
fn values_of_several_types() {
    watched(|| {
        from_a_child(());
        from_a_child(10);
        from_a_child(("", 0));
        from_a_child(vec![1_u8, 2, 3]);
    });
}

/// `issue-4446`: a string with the lifetime `'static`.
#[test]
fn a_static_string() {
    watched(|| {
        let (mut chan, port) = stream::<&'static str>();
        let child = Sleeper::spawn(move || port.into_iter().collect::<Vec<_>>());
        chan.send("hello, world").expect("the child listens");
        drop(chan);
        assert_eq!(child.join().expect("the child ends"), ["hello, world"]);
    });
}

/// `issue-4448`: the child asserts, the parent sends.
#[test]
fn a_child_that_compares() {
    watched(|| {
        let (chan, port) = oneshot::<&'static str>();
        let child = Sleeper::spawn(move || assert_eq!(port.recv(), Ok("hello, world")));
        chan.send("hello, world").expect("the child listens");
        child.join().expect("they are equal");
    });
}

/// `issue-3609`: the child runs a loop over a port that it has captured.
#[test]
fn a_child_with_a_loop() {
    watched(|| {
        enum Message {
            Insert(String),
            Print(Chan<String>),
        }
        let (mut chan, port) = stream();
        let child = Sleeper::spawn(move || {
            let mut text = String::new();
            for message in port {
                match message {
                    Message::Insert(more) => text.push_str(&more),
                    Message::Print(mut reply) => reply.send(text.clone()).expect("somebody waits"),
                }
            }
        });
        let (reply, mut printed) = stream();
        for message in [Message::Insert("a".into()), Message::Insert("b".into()), Message::Print(reply)] {
            assert!(chan.send(message).is_ok());
        }
        assert_eq!(printed.recv().as_deref(), Ok("ab"));
        drop(chan);
        child.join().expect("the child ends");
    });
}

/// A function as the payload.
#[test]
fn a_function() {
    watched(|| {
        let (mut chan, port) = stream::<fn(i32) -> i32>();
        let child = Sleeper::spawn(move || port.into_iter().fold(1, |value, function| function(value)));
        for function in [|value| value + 1, |value| value * 10] as [fn(i32) -> i32; 2] {
            chan.send(function).expect("the child listens");
        }
        drop(chan);
        assert_eq!(child.join().expect("the child ends"), 20);
    });
}

/// `closure-bounds-can-capture-chan`: a closure behind a bound, which is called and not spawned.
#[test]
fn a_closure_that_is_called() {
    fn call(mut action: impl FnMut() + Send) {
        action();
        action();
    }
    let (mut chan, mut port) = stream();
    call(|| chan.send("FOO").expect("the port is here"));
    assert_eq!([port.recv(), port.recv()], [Ok("FOO"); 2]);
}

/// `cci_capture_clause`: the captured port comes from a generic function of another crate.
#[test]
fn generic_across_crates() {
    fn foo<T: Send + 'static + Clone>(value: &T) -> Port<T> {
        let ((mut chan, port), (client, server)) = (stream(), courier::pipe());
        let child = Sleeper::spawn(move || {
            let Ok(Offer::Last(value)) = server.recv() else { panic!("it is sent") };
            chan.send(value).expect("the parent listens");
        });
        client.last(value.clone()).expect("the child listens");
        child.join().expect("the child ends");
        port
    }
    watched(|| {
        assert_eq!(foo(&()).recv(), Ok(()));
        assert_eq!(foo(&vec!["a"]).recv(), Ok(vec!["a"]));
    });
}
