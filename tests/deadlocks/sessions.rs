//! Sessions of `pipes-remote`: both ends have the same name, and what is theirs is not taken for the user's.

use crate::start;
use pipes::inspect::{Channel, HeldBy, Sleeper, ThreadOrTask, snapshot};
use pipes_remote::engine::Engine;
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote::{Via, memory, quic_free_port, tcp_free_port, tls_free_port};
use pipes_tests::watched;
use std::net::TcpListener;

pipes::proto! {
    /// A question to another program.
    #[remote]
    pub far {
        idle: send { ask(u32) -> asked }
        asked: recv { answer(u32) -> ! }
    }
}

pipes::proto! {
    /// A question to a program that does not answer.
    #[remote]
    pub silent {
        idle: send { ask(u32) -> asked }
        asked: recv { answer(u32) -> ! }
    }
}

/// Returns what holds the two sides of each session of the protocol `far`.
fn held() -> Vec<[Option<HeldBy>; 2]> {
    let held = |it: Channel| it.sides.map(|side| side.held_by);
    snapshot().channels.into_iter().filter(|it| it.end == "far::Client<Idle>").map(held).collect()
}

/// Waits until what holds the sides of the sessions is the same as this, in any order.
fn held_are(expected: &[[Option<HeldBy>; 2]]) {
    loop {
        let held = held();
        if held.len() == expected.len() && expected.iter().all(|it| held.contains(it)) {
            return;
        }
        std::thread::yield_now();
    }
}

/// Has a session with itself at this address, and returns its name, if it has one.
fn session<E: Engine>(here: Via<E>) -> Option<String> {
    let mut listener = far::listen(&here).expect("the address is free");
    let client = far::connect(&here).expect("it listens");
    let listeners = || snapshot().channels.into_iter().filter(|it| it.end.contains("far::Server<Idle>"));
    let backlog = listeners().map(|it| HeldBy::Listener(it.id)).next();
    assert!(backlog.is_some(), "{:?}", snapshot().channels);
    let link = held().into_iter().find_map(|[_, second]| second.filter(|it| matches!(it, HeldBy::Link(_))));
    held_are(&[[None, link.clone()], [link.clone(), backlog]]);
    let client = client.ask(1).expect("the server is there");
    let server = listener.accept().expect("a client has come");
    let far::Idle::Ask(number, server) = server.recv().expect("the client has asked");
    held_are(&[[None, link.clone()], [link.clone(), None]]);
    server.answer(number).expect("the client is there");
    let far::Asked::Answer(answer) = client.recv().expect("the server answers");
    assert_eq!(answer, 1);
    // The pumps may not have ended yet.
    held_are(&[]);
    link.map(|it| match it {
        HeldBy::Link(name) => name,
        it => panic!("{it:?}"),
    })
}

#[test]
fn both_ends_of_a_session_have_its_name_until_it_ends() {
    watched(|| {
        let identity = Identity::generate().expect("there are random numbers");
        let security =
            || Security::new().identity(&identity).servers(Trust::fingerprint(identity.fingerprint()));
        let is_free = "there is a free port";
        let here = tcp_free_port().expect(is_free);
        let address = here.address();
        let name = session(here.clone()).expect("TCP has names");
        assert!(name.starts_with("session far tcp 127.0.0.1:") && name.contains(&address), "{name}");
        let other = session(here).expect("TCP has names");
        assert_ne!(name, other);
        let name = session(tls_free_port(security()).expect(is_free)).expect("TLS has names");
        assert!(name.starts_with("session far tls 127.0.0.1:"), "{name}");
        let here = quic_free_port(security()).expect(is_free);
        let names = [(); 2].map(|()| session(here.clone()).expect("QUIC has names"));
        assert!(names.iter().all(|name| name.starts_with("session far quic ")), "{names:?}");
        assert_ne!(names[0], names[1]);
        assert_eq!(session(memory()), None);
        #[cfg(target_os = "linux")]
        unix_sockets();
    });
}

/// Has sessions at the path of a Unix socket, and at an abstract name.
#[cfg(target_os = "linux")]
fn unix_sockets() {
    let path = std::env::temp_dir().join(format!("pipes-deadlocks-{}", std::process::id()));
    let path = path.to_str().expect("it is text");
    for path in [path, &format!("\0{path}")] {
        let here = pipes_remote::unix(path);
        let names = [(); 2].map(|()| session(here.clone()).expect("Unix sockets have names"));
        let is_name = |name: &String| name.starts_with("session far unix ") && name.contains(&path[1..]);
        assert!(names.iter().all(is_name), "{names:?}");
        assert_ne!(names[0], names[1]);
    }
}

#[test]
fn a_wait_for_another_process_says_in_which_session() {
    watched(|| {
        let here = tcp_free_port().expect("there is a free port");
        let mut listener = silent::listen(&here).expect("the address is free");
        let client = silent::connect(&here).expect("it listens").ask(1).expect("the server is there");
        let asks = start("asks far", move || assert!(client.recv().is_err()));
        let server = listener.accept().expect("a client has come");
        loop {
            let seen = snapshot();
            let sleeper = seen.sleepers.iter().find(|it| it.name.as_deref() == Some("asks far"));
            let Some(HeldBy::Link(name)) = sleeper.and_then(|it| it.waits_for[0].held_by.as_ref()) else {
                std::thread::yield_now();
                continue;
            };
            assert!(name.starts_with("session silent tcp "), "{name}");
            let line = format!("\n      the other end is in another process: {name}\n");
            assert!(seen.to_string().contains(&line), "{seen}");
            break;
        }
        drop(server);
        asks.join().expect("it does not panic");
    });
}

#[test]
fn what_the_library_waits_for_is_no_wait_of_the_program() {
    watched(|| {
        let silent = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let there = pipes_remote::tcp(silent.local_addr().expect("it is bound").to_string());
        let _listening = silent::listen(&memory()).expect("the place is free");
        let connects = start("connects", move || drop(silent::connect(&there)));
        let is_connecting = |it: &Sleeper| it.name.as_deref() == Some("connects");
        while !snapshot().sleepers.iter().any(is_connecting) {
            std::thread::yield_now();
        }
        let seen = snapshot();
        let suspected: Vec<_> = seen.deadlocks.iter().flat_map(|it| &it.sleepers).collect();
        assert!(!suspected.into_iter().any(is_connecting), "{seen}");
        // Nor do its tasks appear.
        let is_own =
            |it: &&Sleeper| matches!(it.id, ThreadOrTask::Task(_)) && it.location.file().contains("remote");
        assert_eq!(seen.sleepers.iter().find(is_own).map(|it| it.location), None);
        drop(silent);
        connects.join().expect("it does not panic");
    });
}
