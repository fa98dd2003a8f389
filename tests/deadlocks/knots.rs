//! Knots of two to five threads, with ends of each kind, beside threads that do not belong to them.

use crate::{asking, deadlock_of, start};
use pipes::inspect::Verdict;
use pipes::{Closing, PortSet, select, stream, sync_stream};
use pipes_tests::watched;
use std::sync::{Arc, Barrier};

/// Each thread asks the next one in a ring, before it answers the one before. All have answered once, so each
/// end was used by its owner.
#[test]
fn rings_of_sessions() {
    watched(|| {
        for count in 2..=5 {
            let names: Vec<_> = (0..count).map(|index| format!("ring {count}: {index}")).collect();
            let (mut clients, mut servers): (Vec<_>, Vec<_>) =
                (0..count).map(|_| asking::pipe()).map(|(c, s)| (Some(c), Some(s))).unzip();
            let barrier = Arc::new(Barrier::new(count));
            let (stop, stopped) = stream::<()>();
            let stopped = stopped.into_shared();
            for index in 0..count {
                let client = clients[index].take().expect("it is there");
                let server = servers[(index + 1) % count].take().expect("it is there");
                let (barrier, stopped) = (barrier.clone(), stopped.clone());
                start(&names[index], move || {
                    let client = client.ask(1).expect("the next one is there");
                    let Ok(asking::Idle::Ask(number, server)) = server.recv() else { panic!("it asks") };
                    let server = server.answer(number).expect("it waits");
                    let asking::Asked::Answer(_, client) = client.recv().expect("it answers");
                    barrier.wait();
                    let client = client.ask(2).expect("the next one is there");
                    // The mistake: it waits for an answer before it answers.
                    let answer = client.recv();
                    drop((answer, server, stopped));
                });
            }
            let expected: Vec<_> = names.iter().map(|name| &**name).collect();
            let found = deadlock_of(&expected, Verdict::Suspected);
            assert!(found.waits_for.iter().all(|others| others.len() == 1), "{found}");
            let said = found.to_string();
            assert!(said.contains("a message at asking::Client<Asked>: the server sends `answer`"), "{said}");
            drop((stop, stopped));
        }
    });
}

/// Both sides of a session wait at it, one of them for the other to leave.
#[test]
fn a_session_whose_sides_both_wait() {
    watched(|| {
        let (mut client, server) = asking::pipe();
        start("closing", move || client.wait_closed());
        start("receiving", move || drop(server.recv()));
        let found = deadlock_of(&["closing", "receiving"], Verdict::Certain);
        assert!(found.to_string().starts_with("deadlock: 2 threads wait for each other\n"), "{found}");
    });
}

/// A stream that is full, and its receiver, which first sends into another full one.
#[test]
fn two_streams_that_are_full() {
    watched(|| {
        let barrier = Arc::new(Barrier::new(2));
        let ((to_b, from_a), (to_a, from_b)) = (sync_stream::<u32>(1), sync_stream::<u32>(1));
        for (name, mut chan, mut port) in [("full a", to_b, from_b), ("full b", to_a, from_a)] {
            let barrier = barrier.clone();
            start(name, move || {
                chan.send(1).expect("there is room");
                assert_eq!(port.recv(), Ok(1));
                barrier.wait();
                chan.send(2).expect("there is room");
                let _ = chan.send(3);
                drop(port);
            });
        }
        let found = deadlock_of(&["full a", "full b"], Verdict::Suspected);
        assert!(found.to_string().contains("room in Chan<u32>"), "{found}");
    });
}

/// One thread waits in a set, and another one in a selection, each at several ends. All of them belong to
/// threads of the knot.
#[test]
fn a_set_and_a_selection() {
    watched(|| {
        let barrier = Arc::new(Barrier::new(3));
        let (mut to_set, in_set) = stream::<u32>();
        let (mut to_set_2, in_set_2) = stream::<u32>();
        let (mut from_set, mut first) = stream::<u32>();
        let (mut from_third, mut second) = stream::<u32>();
        let (mut to_third, mut third) = stream::<u32>();
        let all = barrier.clone();
        start("set", move || {
            let mut set = PortSet::from_iter([in_set, in_set_2]);
            from_set.send(1).expect("the port is there");
            assert!(set.recv().is_ok() && set.recv().is_ok());
            all.wait();
            drop((set.recv(), from_set));
        });
        let all = barrier.clone();
        start("selection", move || {
            to_set.send(1).and(to_third.send(1)).expect("the ports are there");
            assert_eq!((first.recv(), second.recv()), (Ok(1), Ok(1)));
            all.wait();
            let chosen = select! { _ = first => 1, _ = second => 2 };
            drop((chosen, to_set, to_third));
        });
        start("third", move || {
            to_set_2.send(1).and(from_third.send(1)).expect("the ports are there");
            assert_eq!(third.recv(), Ok(1));
            barrier.wait();
            drop((third.recv(), to_set_2, from_third));
        });
        deadlock_of(&["set", "selection", "third"], Verdict::Suspected);
    });
}

/// One of two threads could be woken by a third one, which is not stuck. So neither is.
#[test]
fn a_way_out() {
    watched(|| {
        let barrier = Arc::new(Barrier::new(2));
        let (mut help, mut helped) = stream::<u32>();
        let ((mut to_b, mut from_a), (mut to_a, mut from_b)) = (stream::<u32>(), stream::<u32>());
        let all = barrier.clone();
        let one = start("may be helped", move || {
            to_b.send(1).expect("the port is there");
            assert_eq!(from_b.recv(), Ok(1));
            all.wait();
            let chosen = select! { _ = from_b => 1, helped = helped => helped.map_or(0, |_| 2) };
            assert_eq!(chosen, 2);
            drop(to_b);
        });
        let two = start("waits for that one", move || {
            to_a.send(1).expect("the port is there");
            assert_eq!(from_a.recv(), Ok(1));
            barrier.wait();
            drop((from_a.recv(), to_a));
        });
        let asleep = |name: &str| {
            let threads = pipes::inspect::snapshot().sleepers;
            threads.iter().any(|thread| thread.name.as_deref() == Some(name) && !thread.is_woken)
        };
        while !(asleep("may be helped") && asleep("waits for that one")) {
            std::thread::yield_now();
        }
        for found in pipes::inspect::deadlocks() {
            assert!(!crate::names(&found).contains(&"may be helped".to_owned()), "{found}");
        }
        help.send(7).expect("it waits");
        one.join().expect("it does not panic");
        two.join().expect("it does not panic");
    });
}
