//! Five classic mistakes, and what is said of them.

use crate::{asking, deadlock_of, start};
use pipes::inspect::Verdict;
use pipes::{Port, SharedChan, oneshot, shared_stream, stream};
use pipes_tests::watched;
use std::sync::{Arc, Barrier};

/// All philosophers take the fork to their left first.
#[test]
fn philosophers() {
    watched(|| {
        const SEATS: usize = 3;
        let barrier = Arc::new(Barrier::new(SEATS));
        let forks: Vec<_> = (0..SEATS)
            .map(|_| {
                let (give, take) = shared_stream::<()>();
                (give, take.into_shared())
            })
            .collect();
        let names: Vec<_> = (0..SEATS).map(|seat| format!("philosopher {seat}")).collect();
        for seat in 0..SEATS {
            let ((give, left), (_, right)) = (forks[seat].clone(), forks[(seat + 1) % SEATS].clone());
            let barrier = barrier.clone();
            start(&names[seat], move || {
                // Each puts a fork on the table, to its left.
                give.send(()).expect("the table is there");
                barrier.wait();
                left.recv().expect("a fork");
                barrier.wait();
                let _ = right.recv();
            });
        }
        drop(forks);
        let expected: Vec<_> = names.iter().map(|name| &**name).collect();
        deadlock_of(&expected, Verdict::Suspected);
    });
}

/// A reply that a branch forgot: the server keeps the session, and waits for the next one.
#[test]
fn a_forgotten_reply() {
    watched(|| {
        type Server = asking::Server<asking::Idle>;
        fn serve(mut sessions: Port<Server>) {
            let mut kept = Vec::new();
            while let Ok(session) = sessions.recv() {
                match session.recv() {
                    Ok(asking::Idle::Ask(0, next)) => kept.push(next),
                    Ok(asking::Idle::Ask(number, next)) => drop(next.answer(number)),
                    _ => {}
                }
            }
        }
        fn ask(sessions: &SharedChan<Server>, number: u32) {
            let (client, server) = asking::pipe();
            sessions.send(server).expect("the server is there");
            let _ = client.ask(number).expect("the server is there").recv();
        }
        let (chan, port) = shared_stream();
        start("forgetful", move || serve(port));
        start("asker", move || {
            ask(&chan, 1);
            ask(&chan, 0);
        });
        deadlock_of(&["asker", "forgetful"], Verdict::Suspected);
    });
}

/// A call to oneself: the thread holds both ends.
#[test]
fn a_call_to_oneself() {
    watched(|| {
        start("alone", || {
            let (client, server) = asking::pipe();
            let client = client.ask(1).expect("the server is there");
            drop((client.recv(), server));
        });
        let found = deadlock_of(&["alone"], Verdict::Suspected);
        assert!(found.to_string().starts_with("deadlock suspected: a thread waits for itself\n"), "{found}");
    });
}

/// A struct keeps a chan that no code uses. The thread that iterates over its port waits for the close, and
/// the owner of the struct for that thread's result.
#[test]
fn an_end_that_is_kept_alive() {
    watched(|| {
        struct Kept {
            _unused: pipes::Chan<u32>,
        }
        start("owner", || {
            let (chan, port) = stream::<u32>();
            let kept = Kept { _unused: chan };
            let (result, sum) = oneshot();
            let (ready, is_ready) = oneshot();
            start("summing", move || {
                assert!(!result.is_closed(), "which uses the end");
                ready.send(()).expect("it waits");
                let sum: u32 = port.into_iter().sum();
                let _ = result.send(sum);
            });
            is_ready.recv().expect("it is sent");
            drop((sum.recv(), kept));
        });
        deadlock_of(&["owner", "summing"], Verdict::Suspected);
    });
}

/// Two services that call each other.
#[test]
fn services_that_call_each_other() {
    watched(|| {
        let barrier = Arc::new(Barrier::new(2));
        let ((to_b, from_a), (to_a, from_b)) = (asking::pipe(), asking::pipe());
        for (name, client, server) in [("service a", to_b, from_b), ("service b", to_a, from_a)] {
            let barrier = barrier.clone();
            start(name, move || {
                let client = client.ask(1).expect("the other one is there");
                let Ok(asking::Idle::Ask(_, server)) = server.recv() else { panic!("it asks") };
                barrier.wait();
                drop((client.recv(), server));
            });
        }
        let found = deadlock_of(&["service a", "service b"], Verdict::Suspected);
        assert!(found.to_string().contains("mistakes.rs:"), "{found}");
    });
}
