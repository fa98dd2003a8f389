//! A process is stopped for longer than its peer may be silent, and goes on: by a debugger, with its
//! container, or because its machine was suspended. Its peer spoke all the time, so it is not silent.

use pipes::remote::Fingerprint;
use pipes::{
    Closing,
    remote::{Cause, Link},
};
use pipes_remote::Via;
use pipes_remote::engine::{Engine, Quic, Tls};
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote_tests::children::Another;
use pipes_remote_tests::engines::{Secured, new, showing, tcp_sides};
use pipes_remote_tests::feed;
use pipes_tests::{test_in, watched};
use std::time::{Duration, Instant};

/// The silence after which the process that is stopped takes its peer for lost.
const LOST: Duration = Duration::from_millis(400);
const HEARTBEAT: Duration = Duration::from_millis(20);

/// Another process: a client.
pub fn receives(place: &str) {
    match place.split(' ').collect::<Vec<_>>()[..] {
        ["tcp", address] => receive(pipes_remote::tcp(address)),
        ["tls", address, print] => receive(pipes_remote::tls(address, knows(print))),
        ["quic", address, print] => receive(pipes_remote::quic(address, knows(print))),
        _ => panic!("an unknown place: {place}"),
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
fn start<E: Engine>(here: Via<E>, engine: &str, own: &Identity) -> (Another, feed::Server<feed::Flow>, Link) {
    let print = if engine == "tcp" { String::new() } else { format!(" {}", own.fingerprint()) };
    let role = format!("receives {engine} {}{print}", here.address());
    let mut listener = feed::listen_with_links(&here.beat(HEARTBEAT)).expect("it is free");
    let another = Another::start("as_another_process", &role);
    let (server, link) = listener.accept().expect("it comes");
    let feed::Idle::Start(server) = server.recv().expect("the link stands");
    (another, server, link)
}

fn end(another: Another, server: feed::Server<feed::Flow>, link: &Link) {
    server.end().unwrap_or_else(|_| panic!("{link:?}"));
    another.ends_well();
}

/// The other process is stopped again and again, while this one speaks.
fn stopped_while_its_peer_speaks((another, server, link): (Another, feed::Server<feed::Flow>, Link)) {
    let mut server = server;
    for _ in 0..4 {
        another.signal("-STOP");
        server = feed_for(LOST + LOST / 2, server, &link);
        another.signal("-CONT");
        server = feed_for(LOST, server, &link);
    }
    end(another, server, &link);
}

const BROKEN: &str = "the connection broke: it ended in the middle of the session, perhaps with the other \
                      program";

/// It has no chance to say goodbye. The cause is a sentence for users, in which no other library speaks.
#[test_in(watched)]
fn killed() {
    let own = new();
    let clients = [start(tcp_sides().here, "tcp", &own), start(Tls::free(showing(&own)), "tls", &own)];
    for (mut another, mut server, link) in clients {
        another.kill();
        server.wait_closed();
        assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
        assert_eq!(link.cause().to_string(), BROKEN);
    }
}

#[test]
fn stopped_while_its_peer_speaks_over_tcp() {
    watched(|| stopped_while_its_peer_speaks(start(tcp_sides().here, "tcp", &new())));
}

#[test_in(watched)]
fn stopped_while_its_peer_speaks_over_tls() {
    let own = new();
    stopped_while_its_peer_speaks(start(Tls::free(showing(&own)), "tls", &own));
}

/// The time of silence of QUIC is fixed. Its server sends a heartbeat while the client is stopped, and so it
/// waits longer than its client.
#[test_in(watched)]
fn stopped_for_almost_the_silence_of_quic() {
    let own = new();
    let (another, server, link) = start(Quic::free(showing(&own)), "quic", &own);
    let (_chan, mut never) = pipes::stream::<()>();
    let mut wait = |seconds| never.recv_timeout(Duration::from_secs(seconds)).is_err();
    assert!(wait(4));
    another.signal("-STOP");
    assert!(wait(13));
    another.signal("-CONT");
    let server = feed_for(LOST, server, &link);
    end(another, server, &link);
}
