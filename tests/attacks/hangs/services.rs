//! Services and peers leave at each step of a conversation, silently or by a panic. The other side must learn
//! of it at its next step.

use pipes::{Connector, PortSet, duplex_stream, listen, oneshot, spawn_service};
use pipes_tests::watched;
use std::thread;

pipes::proto! {
    /// Two questions, and two answers.
    pub asking {
        first: send { ask(u32) -> answer }
        answer: recv { say(u32) -> second }
        second: send { again(u32) -> last }
        last: recv { end(u32) -> ! }
    }
}

/// How a side leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Goes {
    Silently,
    InPanic,
}

fn go(how: Goes) {
    assert!(how != Goes::InPanic, "this one goes by a panic");
}

/// Answers, and leaves before the step `before`.
fn serve(server: asking::Server<asking::First>, goes: Goes, before: u32) -> Option<()> {
    if before == 0 {
        go(goes);
        return None;
    }
    let asking::First::Ask(number, server) = server.recv().ok()?;
    if before == 1 {
        go(goes);
        return None;
    }
    let server = server.say(number + 1).ok()?;
    if before == 2 {
        go(goes);
        return None;
    }
    let asking::Second::Again(number, server) = server.recv().ok()?;
    if before == 3 {
        go(goes);
        return None;
    }
    server.end(number + 1).ok()
}

/// Asks, and returns how many answers came.
fn ask(client: asking::Client<asking::First>) -> u32 {
    let Ok(client) = client.ask(1) else { return 0 };
    let Ok(asking::Answer::Say(2, client)) = client.recv() else { return 0 };
    let Ok(client) = client.again(2) else { return 1 };
    let Ok(asking::Last::End(3)) = client.recv() else { return 1 };
    2
}

#[test]
fn a_service_that_goes_before_each_step() {
    watched(|| {
        for goes in [Goes::Silently, Goes::InPanic] {
            for before in 0..5 {
                let client = spawn_service::<asking::Protocol>(move |server| {
                    serve(server, goes, before);
                });
                assert_eq!(ask(client), [0, 0, 1, 1, 2][before as usize], "{goes:?} before {before}");
            }
        }
    });
}

/// The listener leaves while clients wait in its stream, in a set, and on their way.
#[test]
fn a_listener_that_goes_with_clients_in_all_places() {
    watched(|| {
        for served in 0..4 {
            let (connector, mut listener) = listen::<asking::Protocol>();
            let (told, all) = pipes::shared_stream();
            let clients: Vec<_> = (0..4)
                .map(|_| {
                    let (connector, told): (Connector<_>, _) = (connector.clone(), told.clone());
                    thread::spawn(move || {
                        let client = connector.connect();
                        told.send(()).expect("it is counted");
                        client.map_or(0, ask)
                    })
                })
                .collect();
            let mut port = all;
            (0..4).for_each(|_| port.recv().expect("each connects"));
            let mut set = PortSet::new();
            for _ in 0..served {
                set.insert(listener.accept().expect("they have connected"));
            }
            // One of the clients in the set is answered, and then all servers leave.
            if served > 0 {
                let (_, first) = set.recv().expect("there is one");
                let Ok(asking::First::Ask(_, server)) = first else { panic!("it asks first") };
                drop(server.say(2));
            }
            drop(listener);
            drop(set);
            let answers: u32 =
                clients.into_iter().map(|client| client.join().expect("it does not panic")).sum();
            assert_eq!(answers, u32::from(served > 0));
            assert!(connector.is_closed());
        }
    });
}

/// Both sides of a duplex stream wait for each other, and one of them leaves.
#[test]
fn a_peer_that_goes_while_the_other_one_waits() {
    watched(|| {
        for goes in [Goes::Silently, Goes::InPanic] {
            for parts in [false, true] {
                let (mut here, mut there) = duplex_stream::<u32, u32>();
                let (ready, is_ready) = oneshot();
                let waits = thread::spawn(move || {
                    assert_eq!(here.recv(), Ok(1));
                    ready.send(()).expect("it is waited for");
                    if parts {
                        let (mut chan, mut port) = here.into_parts();
                        chan.wait_closed();
                        assert!(port.recv().is_err());
                    } else {
                        assert!(here.recv().is_err());
                    }
                });
                let peer = thread::spawn(move || {
                    there.send(1).expect("it waits");
                    is_ready.recv().expect("it goes on");
                    go(goes);
                });
                assert_eq!(peer.join().is_err(), goes == Goes::InPanic);
                waits.join().expect("the wait ends");
            }
        }
    });
}
