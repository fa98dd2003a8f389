//! Certain deadlocks: scopes, and tests that panic with the report.

use crate::{asking, deadlock_of, start};
use pipes::inspect::{Verdict, deadlocks, scope, test};
use pipes::{Closing, sync_stream};
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

/// All threads of a certain deadlock panic with the report, and other threads go on.
#[test]
fn a_test_fails_with_the_reason() {
    watched(|| {
        let (other, kept) = sync_stream::<u32>(1);
        let waits = start("waits for a test", {
            let mut kept = kept;
            move || assert!(kept.recv().is_err())
        });
        let _test = test();
        let mut threads = Vec::from(two_in_scopes(["fails a", "fails b"]));
        let (mut client, server) = asking::pipe();
        threads.push(start("fails closing", move || client.wait_closed()));
        threads.push(start("fails receiving", move || drop(server.recv())));
        for thread in threads {
            let name = thread.thread().name().expect("it has one").to_owned();
            let panic = thread.join().expect_err("it is told to panic");
            let report = panic.downcast_ref::<String>().expect("a text");
            assert!(report.starts_with("deadlock: 2 threads wait for each other\n"), "{report}");
            assert!(report.contains(&format!("'{name}' sleeps at ")), "{report}");
        }
        drop(other);
        waits.join().expect("it does not panic");
        assert!(!deadlocks().iter().any(|it| it.verdict == Verdict::Certain), "they are gone");
    });
}
