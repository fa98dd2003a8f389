//! Five classic mistakes, and what is said of them. The guide's page shows these reports.

use crate::{asking, deadlock_of, start};
use pipes::inspect::{Deadlock, Verdict};
use pipes::{Port, SharedChan, oneshot, shared_stream, stream};
use pipes_tests::watched;
use std::sync::{Arc, Barrier};

const PAGE: &str = include_str!("../../pipes/docs/when_nothing_moves.md");

/// Asserts that the page has the report's first line, and what it says of each thread that the page names,
/// with other places in the source. The order of threads depends on which of them slept first.
fn assert_in_page(found: &Deadlock) {
    let page = without_places(PAGE);
    let report = without_places(&found.to_string());
    let mut parts: Vec<_> = report.split("\n  '").map(|part| format!("{}\n", part.trim_end())).collect();
    let first = parts.remove(0);
    assert!(page.contains(&first), "the page does not have {first}");
    let named =
        |part: &&String| page.contains(&format!("\n  '{} sleeps", &part[..part.find(" sleeps").unwrap()]));
    let named: Vec<_> = parts.iter().filter(named).collect();
    assert!(!named.is_empty(), "the page names none of {found}");
    for part in named {
        assert!(page.contains(&format!("\n  '{part}")), "the page does not have '{part}");
    }
}

/// Leaves out where threads sleep.
fn without_places(text: &str) -> String {
    let line = |line: &str| match line.split_once(" sleeps at ") {
        Some((name, rest)) => {
            let (place, rest) = rest.split_once(' ').expect("a place, and what it waits for");
            assert!(place.contains(".rs:"), "{place}");
            format!("{name} sleeps at … {rest}\n")
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

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
        assert_in_page(&deadlock_of(&expected, Verdict::Suspected));
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
        assert_in_page(&deadlock_of(&["asker", "forgetful"], Verdict::Suspected));
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
        assert_in_page(&found);
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
        assert_in_page(&deadlock_of(&["owner", "summing"], Verdict::Suspected));
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
        assert_in_page(&found);
    });
}
