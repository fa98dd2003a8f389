//! Clients that hold up others.

use crate::secure::{new, serve, showing, sum, trusting};
use pipes_remote::engine::{Engine, Quic, Tls};
use pipes_remote::security::Trust;
use pipes_remote::{Via, quic, quic_free_port, tls, tls_free_port};
use pipes_remote_tests::numbers;
use pipes_tests::watched;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::runtime::{Builder, Runtime};

/// More than may be in their handshake at a time.
const MANY: usize = 300;

/// Longer than the watchdog's patience.
const LONG: Duration = Duration::from_secs(3600);

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads can be had")
}

/// One client, with a certificate of its own, opens streams and does not finish its hello in any of them.
async fn one_says_nothing<E: Engine>(here: Via<E>, silent: impl AsyncFn() -> E::Stream, other: Via<E>) {
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let mut streams = Vec::new();
    for _ in 0..MANY {
        let mut stream = silent().await;
        stream.write_all(b"p").await.expect("it is open");
        stream.flush().await.expect("it is open");
        streams.push(stream);
    }
    let client = numbers::connect_async(&other).await.expect("it listens");
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
}

#[test]
fn one_client_of_quic_that_says_nothing_holds_up_no_other() {
    watched(|| {
        let (server, bad, good) = (new(), new(), new());
        let known = Trust::fingerprints([bad.fingerprint(), good.fingerprint()]);
        let here = quic_free_port(showing(&server).clients(known)).expect("there is a free port");
        let there = Quic::new(here.address(), trusting(&server).identity(&bad));
        let silent = async || there.open().await.expect("it listens").0;
        let other = quic(here.address(), trusting(&server).identity(&good)).handshake(LONG);
        runtime().block_on(one_says_nothing(here.handshake(LONG), silent, other));
    });
}

#[test]
fn one_client_of_tls_that_says_nothing_holds_up_no_other() {
    watched(|| {
        let (server, bad, good) = (new(), new(), new());
        let known = Trust::fingerprints([bad.fingerprint(), good.fingerprint()]);
        let here = tls_free_port(showing(&server).clients(known)).expect("there is a free port");
        let there = Tls::new(here.address(), trusting(&server).identity(&bad));
        let silent = async || there.open().await.expect("it listens").0;
        let other = tls(here.address(), trusting(&server).identity(&good)).handshake(LONG);
        runtime().block_on(one_says_nothing(here.handshake(LONG), silent, other));
    });
}
