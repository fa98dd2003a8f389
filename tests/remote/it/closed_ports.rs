//! Ports that are closed while a connection of QUIC uses them. Linux counts what comes there.

use pipes_remote::engine::Quic;
use pipes_remote::quic;
use pipes_remote_tests::engines::{Secured, new, serve, showing, sum, trusting};
use pipes_remote_tests::numbers;
use std::sync::Arc;
use tokio::net::UdpSocket;
use tokio::task::yield_now;

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
    let here = Quic::free(showing(&server));
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
