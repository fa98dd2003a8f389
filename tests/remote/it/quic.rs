//! Connections of QUIC: sessions share them, and they outlive what they should.

use futures::FutureExt;
use futures::future::join_all;
use futures::stream::{self, StreamExt};
use pipes_remote::engine::{Engine, Quic};
use pipes_remote::{ConnectError, quic};
use pipes_remote_tests::engines::{
    Secured, Sides, new, secured_sides, serve, serve_all, serves, showing, sum, trusting,
};
use pipes_remote_tests::{numbers, runtime};
use pipes_tests::{test_in, watched};
use std::collections::HashSet;
use std::io::ErrorKind;
use std::net::Ipv4Addr;
use std::thread;
use std::time::Duration;
use tokio::task::yield_now;

#[tokio::test]
async fn all_sessions_of_an_address_share_a_connection() {
    // More than a new connection has room for.
    const SESSIONS: usize = 300;
    let Sides { here, there } = secured_sides::<Quic>();
    let mut listener = numbers::listen_with_links_async(&here).await.expect("the port is free");
    let clients = join_all((0..SESSIONS).map(|_| numbers::connect_async(&there)));
    let serving = tokio::spawn(async move {
        let mut peers = HashSet::new();
        for _ in 0..SESSIONS {
            let (server, link) = listener.recv_async().await.expect("a client comes");
            peers.insert(link.peer().address());
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
    const STALLED: usize = 5;
    // About 3 MiB, more than a window and a stream hold.
    const NUMBERS: u64 = 300_000;
    let Sides { here, there } = secured_sides::<Quic>();
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
        serves(&mut listener, client).await;
    }
    // And nothing of the others is lost.
    let (client, mut server) = (clients.remove(0), servers.remove(0));
    for _ in 0..NUMBERS {
        let Ok(numbers::Open::Number(u64::MAX, next)) = server.await else { panic!("it was sent") };
        server = next;
    }
    drop(client);
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

#[test_in(watched)]
fn an_address_outlives_the_runtimes_that_use_it() {
    let Sides { here, there } = secured_sides::<Quic>();
    serve_all(numbers::listen(&here).expect("the port is free"));
    let mut first = runtime(1);
    for _ in 0..3 {
        let second = runtime(1);
        let ends = first.block_on(numbers::connect_async(&there)).expect("it listens");
        let goes_on = second.block_on(numbers::connect_async(&there)).expect("it listens");
        assert_eq!(first.block_on(sum(ends)), 5050);
        drop(std::mem::replace(&mut first, runtime(1)));
        assert_eq!(second.block_on(sum(goes_on)), 5050);
    }
}

/// A future that waits for the connection, and is not polled, does not hold up others.
#[tokio::test]
async fn who_is_not_polled_holds_up_no_other() {
    let Sides { here, there } = secured_sides::<Quic>();
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let mut rests = Box::pin(numbers::connect_async(&there));
    assert!(rests.as_mut().now_or_never().is_none());
    let client = numbers::connect_async(&there).await.expect("it listens");
    serves(&mut listener, client).await;
}

/// As TCP's is: a client that keeps its connection does not keep the port.
#[tokio::test]
async fn a_port_is_free_when_its_address_is_dropped() {
    let server = new();
    let here = Quic::free(showing(&server));
    let there = Quic::at(here.address(), trusting(&server));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let client = numbers::connect_async(&there).await.expect("it listens");
    serves(&mut listener, client).await;
    drop((listener, here));
    let again = quic(there.address(), showing(&server));
    while numbers::listen_async(&again).await.is_err() {
        yield_now().await;
    }
}

/// Everything that clients send goes to this address, and nothing comes back.
fn one_way(to: String) -> String {
    let from = std::net::UdpSocket::bind("127.0.0.1:0").expect("there is a free port");
    let out = std::net::UdpSocket::bind("127.0.0.1:0").expect("there is a free port");
    let address = from.local_addr().expect("it is bound").to_string();
    thread::spawn(move || {
        let mut bytes = [0; 2048];
        while let Ok(length) = from.recv(&mut bytes) {
            out.send_to(&bytes[..length], &to).expect("it can be sent");
        }
    });
    address
}

#[test_in(watched)]
fn handshakes_of_quic_without_an_end_are_limited() {
    /// For each handshake that is under way, that of the listener and that of the library.
    const TASKS: usize = 2 * 256;
    let server = new();
    let here = Quic::free(showing(&server));
    let (serving, clients) = (runtime(1), runtime(1));
    let _listener = serving.block_on(numbers::listen_async(&here)).expect("the port is free");
    let address = one_way(here.address());
    for _ in 0..600 {
        let there = Quic::new(&*address, trusting(&server));
        // On a busy machine, the first may be given up before the last begin.
        clients.spawn(async move { while there.open().await.is_err() {} });
    }
    // Until the first of them are given up.
    let (mut now, mut most) = (0, 0);
    while most < TASKS || now == most {
        now = serving.metrics().num_alive_tasks();
        // Those that are given up are closed for a moment, and the listener has tasks, too.
        assert!(now <= TASKS + TASKS / 2 + 8, "{now}");
        most = most.max(now);
        thread::yield_now();
    }
}

/// A socket for both families says where its clients are as one for theirs does.
#[tokio::test]
async fn a_machine_is_the_same_at_a_socket_for_both_families() {
    let server = new();
    // Not every machine has both.
    let Ok(free) = std::net::UdpSocket::bind("[::]:0") else { return };
    let port = free.local_addr().expect("it is bound").port();
    drop(free);
    let here = quic(format!("[::]:{port}"), showing(&server));
    let here = here.admit(|peer| peer.address().is_some_and(|it| it.ip() == Ipv4Addr::LOCALHOST));
    let _listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = quic(format!("127.0.0.1:{port}"), trusting(&server));
    assert!(numbers::connect_async(&there).await.is_ok());
    let there = quic(format!("[::1]:{port}"), trusting(&server));
    let error = numbers::connect_async(&there).await.err().map(|it| it.to_string());
    assert!(error.as_ref().is_some_and(|it| it.contains("is not admitted")), "{error:?}");
}

/// The connections that a machine keeps at most if there is nothing on them, and the tasks of each.
const CONNECTIONS: usize = 256;
const TASKS: usize = 2;

/// They are alive, and each costs its server memory.
#[test_in(watched)]
fn connections_without_a_session_are_limited() {
    let server = new();
    let here = Quic::free(showing(&server));
    let (serving, clients) = (runtime(1), runtime(1));
    let mut listener = serving.block_on(numbers::listen_async(&here)).expect("the port is free");
    serving.spawn(async move {
        while let Ok(server) = listener.recv_async().await {
            tokio::spawn(serve(server));
        }
    });
    // Each opens a stream, says nothing, and keeps its connection.
    let begin = |_| {
        let place = Quic::new(here.address(), trusting(&server));
        async move {
            drop(place.open().await.expect("it listens"));
            place
        }
    };
    let idle = stream::iter(0..CONNECTIONS + 40).map(begin).buffer_unordered(20).collect::<Vec<_>>();
    let idle = clients.block_on(idle);
    assert!(idle.len() > CONNECTIONS);
    // The listener has tasks as well.
    while serving.metrics().num_alive_tasks() > TASKS * CONNECTIONS + 8 {
        thread::yield_now();
    }
    let there = quic(here.address(), trusting(&server));
    let client = clients.block_on(numbers::connect_async(&there)).expect("it listens");
    assert_eq!(clients.block_on(sum(client)), 5050);
}
