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
