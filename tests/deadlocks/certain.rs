//! Certain deadlocks: those of threads in scopes.

use crate::{asking, deadlock_of, start};
use pipes::inspect::{Verdict, scope};
use pipes::sync_stream;
use pipes_tests::watched;
use std::sync::{Arc, Barrier};

/// Two threads with a stream each, which both have declared that the ends stay with them.
fn two_in_scopes(names: [&'static str; 2]) -> [std::thread::JoinHandle<()>; 2] {
    let barrier = Arc::new(Barrier::new(2));
    let ((to_b, from_a), (to_a, from_b)) = (sync_stream::<u32>(1), sync_stream::<u32>(1));
    let [a, b] = names;
    [(a, to_b, from_b), (b, to_a, from_a)].map(|(name, mut chan, mut port)| {
        let barrier = barrier.clone();
        start(name, move || {
            scope(&format!("ends of {name}"), || {
                chan.send(1).expect("there is room");
                assert_eq!(port.recv(), Ok(1));
                barrier.wait();
                let _ = port.recv();
            });
            drop(chan);
        })
    })
}

#[test]
fn a_deadlock_of_ends_in_scopes_is_certain_and_names_them() {
    watched(|| {
        two_in_scopes(["scope a", "scope b"]);
        let found = deadlock_of(&["scope a", "scope b"], Verdict::Certain);
        assert_eq!(found.scopes, ["ends of scope a", "ends of scope b"]);
        let said = found.to_string();
        assert!(said.contains("where the scopes declare it: ends of scope a, ends of scope b\n"), "{said}");
    });
}

/// A scope ends, so what it declared is not relied on any more.
#[test]
fn a_deadlock_after_the_scopes_is_suspected() {
    watched(|| {
        let barrier = Arc::new(Barrier::new(2));
        let ((to_b, from_a), (to_a, from_b)) = (sync_stream::<u32>(1), sync_stream::<u32>(1));
        for (name, mut chan, mut port) in [("after a", to_b, from_b), ("after b", to_a, from_a)] {
            let barrier = barrier.clone();
            start(name, move || {
                scope(name, || {
                    chan.send(1).expect("there is room");
                    assert_eq!(port.recv(), Ok(1));
                });
                barrier.wait();
                drop((port.recv(), chan));
            });
        }
        assert!(deadlock_of(&["after a", "after b"], Verdict::Suspected).scopes.is_empty());
    });
}

/// A scope inside another one ends, and the outer one goes on.
#[test]
fn scopes_can_be_nested() {
    watched(|| {
        let (client, server) = asking::pipe();
        start("nested", move || {
            scope("outer", || {
                let client = scope("inner", || client.ask(1).expect("the server is there"));
                let Ok(asking::Idle::Ask(_, server)) = server.recv() else { panic!("it asks") };
                drop((client.recv(), server));
            });
        });
        assert_eq!(deadlock_of(&["nested"], Verdict::Certain).scopes, ["outer"]);
    });
}
