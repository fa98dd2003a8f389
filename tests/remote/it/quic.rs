//! Sessions that share a connection of QUIC.

use crate::secure::{new, serve, showing, sum, trusting};
use futures::future::join_all;
use pipes_remote::engine::Quic;
use pipes_remote::{ConnectError, Via, quic, quic_free_port};
use pipes_remote_tests::numbers;
use std::collections::HashSet;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::task::yield_now;

/// A server's address, and the same for its clients.
fn address() -> (Via<Quic>, Via<Quic>) {
    let server = new();
    let here = quic_free_port(showing(&server)).expect("there is a free port");
    let there = quic(here.address(), trusting(&server));
    (here, there)
}

#[tokio::test]
async fn all_sessions_of_an_address_share_a_connection() {
    // More than a new connection has room for.
    const SESSIONS: usize = 300;
    let (here, there) = address();
    let mut listener = numbers::listen_with_links_async(&here).await.expect("the port is free");
    let clients = join_all((0..SESSIONS).map(|_| numbers::connect_async(&there)));
    let serving = tokio::spawn(async move {
        let mut peers = HashSet::new();
        for _ in 0..SESSIONS {
            let (server, link) = listener.recv_async().await.expect("a client comes");
            peers.insert(link.peer().to_owned());
            tokio::spawn(serve(server));
        }
        peers
    });
    let sums = clients.await.into_iter().map(|client| sum(client.expect("it listens")));
    assert!(join_all(sums).await.into_iter().all(|sum| sum == 5050));
    // Each has the same port.
    assert_eq!(serving.await.expect("it does not panic").len(), 1);
}

/// Their streams are full, and so are their windows, but each has its own.
#[tokio::test]
async fn sessions_whose_receivers_do_nothing_hold_up_no_other() {
    const STALLED: usize = 30;
    // About 3 MiB, more than a window and a stream hold.
    const NUMBERS: u64 = 300_000;
    let (here, there) = address();
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let (mut clients, mut servers) = (Vec::new(), Vec::new());
    for _ in 0..STALLED {
        let mut client = numbers::connect_async(&there).await.expect("it listens");
        for _ in 0..NUMBERS {
            client = client.number(u64::MAX).expect("the link stands");
        }
        clients.push(client);
        servers.push(listener.recv_async().await.expect("a client comes"));
    }
    for _ in 0..100 {
        let client = numbers::connect_async(&there).await.expect("it listens");
        tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
        assert_eq!(sum(client).await, 5050);
    }
    // And nothing of the others is lost.
    let (client, mut server) = (clients.remove(0), servers.remove(0));
    for _ in 0..NUMBERS {
        let Ok(numbers::Open::Number(u64::MAX, next)) = server.await else { panic!("it was sent") };
        server = next;
    }
    drop(client);
}

#[test]
fn threads_speak_over_quic_as_well() {
    let (here, there) = address();
    let mut listener = numbers::listen(&here).expect("the port is free");
    let client = numbers::connect(&there).expect("it listens").number(40).expect("the link stands");
    let numbers::Open::Number(40, server) =
        listener.accept().expect("a client comes").recv().expect("it speaks")
    else {
        panic!("another number came")
    };
    drop(server);
    assert!(client.done().map_or(true, |answer| answer.recv().is_err()));
}

#[tokio::test]
async fn a_port_that_is_closed_refuses() {
    let free = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port is free");
    let address = free.local_addr().expect("it is bound").to_string();
    drop(free);
    let there = quic(address, trusting(&new())).handshake(Duration::from_secs(60));
    let error = numbers::connect_async(&there).await.map(drop).expect_err("nothing listens there");
    let ConnectError::Unreachable { error, .. } = error else { panic!("{error}") };
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
}

/// Carries datagrams between a client and a server.
async fn relay(front: UdpSocket, back: Arc<UdpSocket>) {
    let (mut client, mut out, mut home) = (None, [0; 1 << 16], [0; 1 << 16]);
    loop {
        tokio::select! {
            Ok((length, from)) = front.recv_from(&mut out) => {
                client = Some(from);
                let _ = back.send(&out[..length]).await;
            }
            Ok(length) = back.recv(&mut home) => if let Some(client) = client {
                let _ = front.send_to(&home[..length], client).await;
            },
        }
    }
}

/// How many datagrams this machine has received at ports that were closed.
fn at_closed_ports() -> u64 {
    let table = std::fs::read_to_string("/proc/net/snmp").expect("it is there");
    let row = table.lines().filter(|line| line.starts_with("Udp: ")).nth(1).expect("it has numbers");
    row.split(' ').nth(2).expect("it has two numbers").parse().expect("it is a number")
}

/// Every machine could say so in the name of the server. A client believes it before the handshake is done
/// only.
#[tokio::test]
async fn a_connection_outlives_a_port_that_is_closed() {
    let server = new();
    let here = quic_free_port(showing(&server)).expect("there is a free port");
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let back = Arc::new(UdpSocket::bind("127.0.0.1:0").await.expect("a port is free"));
    back.connect(here.address()).await.expect("it is an address");
    let front = UdpSocket::bind("127.0.0.1:0").await.expect("a port is free");
    let between = front.local_addr().expect("it is bound");
    let relaying = tokio::spawn(relay(front, back.clone()));
    let client = numbers::connect_async(&quic(between.to_string(), trusting(&server))).await;
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    relaying.abort();
    assert!(relaying.await.expect_err("it does not end by itself").is_cancelled());
    let before = at_closed_ports();
    let client = client.expect("it listens").number(1).expect("the link stands");
    // It repeats what is not confirmed.
    while at_closed_ports() < before + 6 {
        yield_now().await;
    }
    tokio::spawn(relay(UdpSocket::bind(between).await.expect("it was given back"), back));
    assert_eq!(sum(client).await, 5051);
}
