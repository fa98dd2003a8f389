//! Programs that go on: nothing is found in them, at any moment.

use crate::{asking, names, start};
use pipes::inspect::{deadlocks, snapshot};
use pipes::{shared_sync_stream, sync_stream};
use pipes_tests::{effort, watched};

/// Rings and stars of sessions and streams at full speed. Each end is used by its owner before it is waited
/// for, so there is not even a suspicion.
#[test]
fn programs_at_full_speed() {
    watched(|| {
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..effort(40) {
            let rounds = 200 + random.u32(0..200);
            let prefix = format!("living {round} ");
            let mut threads = Vec::new();
            // A session.
            let (client, server) = asking::pipe();
            threads.push(start(&format!("{prefix}client"), move || {
                let mut client = client;
                for number in 0..rounds {
                    let asking::Asked::Answer(_, next) =
                        client.ask(number).expect("the server is there").recv().expect("it answers");
                    client = next;
                }
                client.bye().expect("the server is there");
            }));
            threads.push(start(&format!("{prefix}server"), move || {
                let mut server = server;
                while let Ok(asking::Idle::Ask(number, next)) = server.recv() {
                    server = next.answer(number).expect("the client is there");
                }
            }));
            // A ring of streams with room for one.
            let count = random.usize(2..5);
            let (chans, mut ports): (Vec<_>, Vec<_>) = (0..count).map(|_| sync_stream::<u32>(1)).unzip();
            ports.rotate_right(1);
            for (index, (mut chan, mut port)) in chans.into_iter().zip(ports).enumerate() {
                threads.push(start(&format!("{prefix}ring {index}"), move || {
                    for number in 0..rounds {
                        chan.send(number).expect("the next one is there");
                        assert_eq!(port.recv(), Ok(number));
                    }
                }));
            }
            // Many senders into one port.
            let (chan, mut port) = shared_sync_stream::<u32>(1);
            for sender in 0..random.u32(1..4) {
                let chan = chan.clone();
                threads.push(start(&format!("{prefix}sender {sender}"), move || {
                    (0..rounds).for_each(|number| chan.send(number).expect("the port is there"));
                }));
            }
            drop(chan);
            threads.push(start(&format!("{prefix}port"), move || while port.recv().is_ok() {}));
            while !threads.iter().all(|thread| thread.is_finished()) {
                for found in deadlocks() {
                    let ours = names(&found).iter().any(|name| name.starts_with(&prefix));
                    assert!(!ours, "{found}\n{}", snapshot());
                }
            }
            threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
        }
    });
}

/// Asserts that no thread of this name is suspected at any of many looks.
fn never_suspected(name: &str) {
    let is_asleep = || snapshot().sleepers.iter().any(|it| it.name.as_deref() == Some(name) && !it.is_woken);
    while !is_asleep() {
        std::thread::yield_now();
    }
    for _ in 0..effort(1000) {
        for found in deadlocks() {
            assert!(!names(&found).contains(&name.to_owned()), "{found}");
        }
    }
}

/// A port of many senders whose messages are always there at once. The receiver computes, and is its owner
/// all the same. The thread that has made it waits for the sender.
#[test]
fn a_receive_without_a_wait_is_a_use() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream::<u32>(1);
        chan.send(1).expect("there is room");
        let (go_on, computes) = pipes::oneshot::<()>();
        let (done, result) = pipes::oneshot();
        let (received, has_received) = pipes::oneshot();
        let worker = start("worker", move || {
            assert_eq!(port.recv(), Ok(1));
            received.send(()).expect("it waits");
            while !computes.is_closed() {
                std::hint::spin_loop();
            }
            while port.recv().is_ok() {}
        });
        has_received.recv().expect("it is sent");
        let sender = start("sender", move || {
            chan.send(2).and(chan.send(3)).expect("the port is there");
            done.send(()).expect("it waits");
        });
        let watching = start("watching", move || {
            never_suspected("sender");
            drop(go_on);
        });
        result.recv().expect("the sender is done");
        for thread in [worker, sender, watching] {
            thread.join().expect("it does not panic");
        }
    });
}

/// A thread that has dropped one of its chans still has another one.
#[test]
fn a_thread_with_two_chans_drops_one() {
    watched(|| {
        let (chan, mut port) = pipes::shared_stream::<u32>();
        let (go_on, computes) = pipes::oneshot::<()>();
        let worker = start("has another", move || {
            let other = chan.clone();
            chan.send(1).and(other.send(2)).expect("the port is there");
            drop(other);
            while !computes.is_closed() {
                std::hint::spin_loop();
            }
            chan.send(3).expect("the port is there");
        });
        assert_eq!((port.recv(), port.recv()), (Ok(1), Ok(2)));
        let maker = start("receives", move || assert_eq!(port.recv(), Ok(3)));
        never_suspected("receives");
        drop(go_on);
        worker.join().expect("it does not panic");
        maker.join().expect("it does not panic");
    });
}

/// A server that lies in an unread message. The thread that will take it computes.
#[test]
fn an_end_in_an_unread_message_has_no_known_owner() {
    watched(|| {
        let (chan, mut port) = pipes::shared_stream();
        let (go_on, computes) = pipes::oneshot::<()>();
        let worker = start("will serve", move || {
            while !computes.is_closed() {
                std::hint::spin_loop();
            }
            let server: asking::Server<asking::Idle> = port.recv().expect("it is sent");
            let Ok(asking::Idle::Ask(number, server)) = server.recv() else { panic!("it asks") };
            drop(server.answer(number).expect("it waits"));
        });
        let client = start("asks in a message", move || {
            let (client, server) = asking::pipe();
            chan.send(server).expect("the port is there");
            let _answer = client.ask(1).expect("the server is there").recv().expect("it answers");
        });
        never_suspected("asks in a message");
        drop(go_on);
        worker.join().expect("it does not panic");
        client.join().expect("it does not panic");
    });
}
