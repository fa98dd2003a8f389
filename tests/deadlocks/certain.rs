//! Certain deadlocks: those of threads in scopes.

use crate::{asking, deadlock_of, names, start, two_in_scopes};
use pipes::inspect::{Verdict, deadlocks, scope};
use pipes::{oneshot, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::{effort, watched};
use std::sync::{Arc, Barrier};

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

/// Asserts that these threads are suspected, and never certain, at many looks.
fn only_suspected(expected: &[&str]) {
    deadlock_of(expected, Verdict::Suspected);
    for found in (0..effort(200)).flat_map(|_| deadlocks()) {
        let is_ours = names(&found).iter().any(|name| expected.contains(&&**name));
        assert!(!is_ours || found.verdict == Verdict::Suspected, "{found}");
    }
}

/// A sender that is made of a weak one lets both threads go on.
#[test]
fn a_stream_with_a_weak_sender_is_not_certain() {
    watched(|| {
        let ((chan, mut port), (mut back, mut from)) = (shared_stream::<u32>(), stream::<u32>());
        let weak = chan.downgrade();
        let sender = start("weak: sends", move || {
            scope("sends", || {
                chan.send(1).expect("the port is there");
                assert_eq!((from.recv(), from.recv()), (Ok(1), Ok(2)));
            });
            drop(chan);
        });
        let receiver = start("weak: receives", move || {
            scope("receives", || {
                assert_eq!(port.recv(), Ok(1));
                back.send(1).expect("the port is there");
                assert_eq!(port.recv(), Ok(9));
                back.send(2).expect("the port is there");
            });
        });
        only_suspected(&["weak: receives", "weak: sends"]);
        weak.upgrade().expect("the chan is there").send(9).expect("the port is there");
        sender.join().expect("it goes on");
        receiver.join().expect("it goes on");
    });
}

/// A sender that was dropped in a scope is not the one that is left.
#[test]
fn a_sender_that_was_dropped_stands_for_no_other() {
    watched(|| {
        let (mut to_b, mut from_r) = stream::<u32>();
        let (chan, mut port) = shared_stream::<u32>();
        let other = chan.clone();
        let sender = start("dropped: sends", move || {
            scope("sends", || {
                chan.send(1).expect("the port is there");
                drop(chan);
                assert_eq!((from_r.recv(), from_r.recv()), (Ok(1), Ok(2)));
            });
        });
        let receiver = start("dropped: receives", move || {
            scope("receives", || {
                to_b.send(1).expect("the port is there");
                assert_eq!((port.recv(), port.recv()), (Ok(1), Ok(2)));
                to_b.send(2).expect("the port is there");
            });
        });
        for found in (0..effort(500)).flat_map(|_| deadlocks()) {
            let is_ours = names(&found).iter().any(|name| name.starts_with("dropped: "));
            assert!(!is_ours || found.verdict == Verdict::Suspected, "{found}");
        }
        other.send(2).expect("the port is there");
        sender.join().expect("it goes on");
        receiver.join().expect("it goes on");
    });
}

/// A permit that another sender holds may come back.
#[test]
fn a_wait_for_room_beside_other_senders_is_not_certain() {
    watched(|| {
        let ((chan, mut port), (mut go, mut wait)) = (shared_sync_stream::<u32>(1), stream::<u32>());
        let other = chan.clone();
        let permit = other.reserve().expect("there is room");
        let sender = start("permit: sends", move || {
            scope("sends", || {
                go.send(0).expect("the port is there");
                chan.send(7).expect("the port is there");
                go.send(1).expect("the port is there");
            });
        });
        let receiver = start("permit: receives", move || {
            scope("receives", || {
                assert!(port.try_recv().is_err());
                assert_eq!((wait.recv(), wait.recv()), (Ok(0), Ok(1)));
                assert_eq!(port.recv(), Ok(7));
            });
        });
        for found in (0..effort(500)).flat_map(|_| deadlocks()) {
            let is_ours = names(&found).iter().any(|name| name.starts_with("permit: "));
            assert!(!is_ours || found.verdict == Verdict::Suspected, "{found}");
        }
        drop(permit);
        sender.join().expect("it goes on");
        receiver.join().expect("it goes on");
    });
}

/// A session that was accepted, and whose worker has not used it yet.
#[test]
fn an_end_that_was_accepted_and_not_used_is_not_certain() {
    watched(|| {
        let (connector, mut listener) = pipes::listen::<asking::Protocol>();
        let (go_on, computes) = oneshot::<()>();
        let accepting = start("accepts", move || {
            scope("accepts", || {
                let server = listener.accept().expect("a client");
                let worker = start("works", move || {
                    computes.recv().expect("the test goes on");
                    let Ok(asking::Idle::Ask(number, server)) = server.recv() else { panic!("it asks") };
                    drop(server.answer(number).expect("it waits"));
                });
                assert!(listener.accept().is_err(), "the connector leaves");
                worker.join().expect("it does not panic");
            });
        });
        let client = start("connects", move || {
            scope("connects", || {
                let client = connector.connect().expect("it listens").ask(1).expect("the server is there");
                let _answer = client.recv().expect("it answers");
            });
            drop(connector);
        });
        only_suspected(&["accepts", "connects"]);
        go_on.send(()).expect("it waits");
        client.join().expect("it goes on");
        accepting.join().expect("it goes on");
    });
}

/// Another receiver may keep a place in the queue, and give it up.
#[test]
fn a_wait_beside_other_receivers_is_not_certain() {
    watched(|| {
        let ((chan, port), (mut back, mut from)) = (shared_stream::<u32>(), stream::<u32>());
        let (port, other) = (port.into_shared(), chan.clone());
        let kept = port.clone();
        let sender = start("beside: sends", move || {
            scope("sends", || {
                chan.send(1).expect("the port is there");
                assert_eq!((from.recv(), from.recv()), (Ok(1), Ok(2)));
            });
        });
        let receiver = start("beside: receives", move || {
            scope("receives", || {
                assert_eq!(port.recv(), Ok(1));
                back.send(1).expect("the port is there");
                assert_eq!(port.recv(), Ok(9));
                back.send(2).expect("the port is there");
            });
        });
        for found in (0..effort(500)).flat_map(|_| deadlocks()) {
            let is_ours = names(&found).iter().any(|name| name.starts_with("beside: "));
            assert!(!is_ours || found.verdict == Verdict::Suspected, "{found}");
        }
        other.send(9).expect("the port is there");
        sender.join().expect("it goes on");
        receiver.join().expect("it goes on");
        drop((kept, other));
    });
}
