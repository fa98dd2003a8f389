//! A process is stopped for longer than its peer may be silent, and goes on: by a debugger, with its
//! container, or because its machine was suspended. Its peer spoke all the time, so it is not silent.
//!
//! The other process is this executable, which runs the test `as_the_other_process` and nothing else.

use pipes::Link;
use pipes_remote::Via;
use pipes_remote::engine::Engine;
use pipes_remote::security::{Fingerprint, Identity, Security, Trust};
use pipes_remote_tests::feed;
use pipes_tests::watched;
use std::env;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// What the other process is to be, and where.
const ROLE: &str = "PIPES_TEST_ROLE";

/// The silence after which the process that is stopped takes its peer for lost.
const LOST: Duration = Duration::from_millis(400);
const HEARTBEAT: Duration = Duration::from_millis(20);

/// Only for the other process; a run without a role has nothing to do but to check that.
#[test]
fn as_the_other_process() {
    let role = env::var(ROLE).unwrap_or_default();
    match role.split(' ').collect::<Vec<_>>()[..] {
        ["tcp", address] => receive(pipes_remote::tcp(address)),
        ["tls", address, print] => receive(pipes_remote::tls(address, knows(print))),
        ["quic", address, print] => receive(pipes_remote::quic(address, knows(print))),
        _ => assert_eq!(role, "", "an unknown role"),
    }
}

fn knows(print: &str) -> Security {
    Security::new().servers(Trust::fingerprint(print.parse::<Fingerprint>().expect("it was printed")))
}

/// Receives until the other side has nothing more.
fn receive<E: Engine>(via: Via<E>) {
    let via = via.beat(HEARTBEAT).lost(LOST);
    let (client, link) = feed::connect_with_link(&via).expect("it listens");
    let mut client = client.start().expect("the link stands");
    loop {
        match client.recv() {
            Ok(feed::Flow::Item(_, next)) => client = next,
            Ok(feed::Flow::End) => return,
            Err(_) => panic!("{link:?}"),
        }
    }
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("there is such a command").success());
}

/// Sends an item every few milliseconds for some time.
fn feed_for(time: Duration, server: feed::Server<feed::Flow>, link: &Link) -> feed::Server<feed::Flow> {
    let ((_chan, mut never), begin, mut server) = (pipes::stream::<()>(), Instant::now(), server);
    while begin.elapsed() < time {
        server = server.item(1).unwrap_or_else(|_| panic!("{link:?}"));
        let _ = never.recv_timeout(HEARTBEAT / 4);
    }
    server
}

/// Starts the other process, which connects here and asks for items.
fn start<E: Engine>(
    via: Via<E>,
    role: &str,
    identity: Option<&Identity>,
) -> (Child, feed::Server<feed::Flow>, Link) {
    let print = identity.map(|identity| identity.fingerprint().to_string()).unwrap_or_default();
    let role = format!("{role} {} {print}", via.address());
    let mut listener = feed::listen_with_links(&via.beat(HEARTBEAT)).expect("it is free");
    let child = Command::new(env::current_exe().expect("a test knows where it is"))
        .args(["stopped::as_the_other_process", "--exact", "--nocapture"])
        .env(ROLE, role.trim_end())
        .spawn()
        .expect("it starts");
    let (server, link) = listener.accept().expect("it comes");
    let feed::Idle::Start(server) = server.recv().expect("the link stands");
    (child, server, link)
}

#[track_caller]
fn end(mut child: Child, server: feed::Server<feed::Flow>, link: &Link) {
    server.end().unwrap_or_else(|_| panic!("{link:?}"));
    assert!(child.wait().expect("it ends").success(), "it took its peer for lost");
}

/// The other process is stopped again and again, while this one speaks.
fn stopped_while_its_peer_speaks((child, server, link): (Child, feed::Server<feed::Flow>, Link)) {
    let mut server = server;
    for _ in 0..4 {
        signal(&child, "-STOP");
        server = feed_for(LOST + LOST / 2, server, &link);
        signal(&child, "-CONT");
        server = feed_for(LOST, server, &link);
    }
    end(child, server, &link);
}

#[test]
fn stopped_while_its_peer_speaks_over_tcp() {
    watched(|| {
        let here = pipes_remote::tcp_free_port().expect("there is a free port");
        stopped_while_its_peer_speaks(start(here, "tcp", None));
    });
}

#[test]
fn stopped_while_its_peer_speaks_over_tls() {
    watched(|| {
        let own = Identity::generate().expect("there are random numbers");
        let here = pipes_remote::tls_free_port(Security::new().identity(&own)).expect("there is a free port");
        stopped_while_its_peer_speaks(start(here, "tls", Some(&own)));
    });
}

/// The time of silence of QUIC is fixed. Its server sends a heartbeat while the client is stopped, and so it
/// waits longer than its client.
#[test]
fn stopped_for_almost_the_silence_of_quic() {
    watched(|| {
        let own = Identity::generate().expect("there are random numbers");
        let here =
            pipes_remote::quic_free_port(Security::new().identity(&own)).expect("there is a free port");
        let (child, server, link) = start(here, "quic", Some(&own));
        let (_chan, mut never) = pipes::stream::<()>();
        let mut wait = |seconds| never.recv_timeout(Duration::from_secs(seconds)).is_err();
        assert!(wait(4));
        signal(&child, "-STOP");
        assert!(wait(13));
        signal(&child, "-CONT");
        let server = feed_for(LOST, server, &link);
        end(child, server, &link);
    });
}
