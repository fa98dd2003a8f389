//! Sessions that begin without an answer and get none that they like, over sockets.

use crate::eager::{looking, refusal};
use crate::secure::{new, showing, trusting};
use futures::FutureExt;
use pipes::Closing;
use pipes_remote::engine::Engine;
use pipes_remote::security::Trust;
use pipes_remote::{ConnectError, Refusal, Via};
use pipes_remote::{quic, quic_free_port, tcp_free_port, tls, tls_free_port};
use pipes_remote_tests::{loads, numbers};

/// Much is on its way when the refusal comes: it is the cause, whatever the engine.
async fn refused_behind_much<E: Engine>(here: Via<E>, there: Via<E>) {
    let _listener = loads::listen_async(&here.admit(|_| false)).await.expect("it is free");
    for _ in 0..3 {
        let (client, link) = loads::connect_with_link_async(&there).await.expect("it listens");
        let sent = (0..16).try_fold(client, |client, _| client.bytes(vec![0; 1 << 20]).ok());
        let mut client = sent.expect("the refusal is under way");
        client.closed().await;
        assert_eq!(refusal(&link), Refusal::NotAdmitted);
        assert!(link.drained_async().await.is_err());
    }
}

#[tokio::test]
async fn refused_behind_much_over_tcp() {
    let here = tcp_free_port().expect("there is a free port");
    refused_behind_much(here.clone(), here.eager()).await;
}

#[cfg(unix)]
#[tokio::test]
async fn refused_behind_much_at_a_unix_socket() {
    let folder = tempfile::tempdir().expect("there is room");
    let here = pipes_remote::unix(folder.path().join("socket"));
    refused_behind_much(here.clone(), here.eager()).await;
}

#[tokio::test]
async fn refused_behind_much_over_tls() {
    let server = new();
    let here = tls_free_port(showing(&server)).expect("there is a free port");
    refused_behind_much(here.clone(), tls(here.address(), trusting(&server)).eager()).await;
}

#[tokio::test]
async fn refused_behind_much_over_quic() {
    let server = new();
    let here = quic_free_port(showing(&server)).expect("there is a free port");
    refused_behind_much(here.clone(), quic(here.address(), trusting(&server)).eager()).await;
}

/// A client without a certificate, where the server wants one: it learns that from what a patient client
/// would have got, and the listener sees nothing of it.
async fn without_a_certificate<E: Engine>(here: Via<E>, there: Via<E>) {
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    match numbers::connect_with_link_async(&there.eager()).await {
        Ok((client, link)) => {
            let mut client = client.number(1).expect("it is not known yet");
            client.closed().await;
            looking(&link, |error| assert!(matches!(error, ConnectError::Unreachable { .. }), "{error:?}"));
            assert!(link.drained_async().await.is_err());
        }
        Err(error) => assert!(matches!(error, ConnectError::Unreachable { .. }), "{error:?}"),
    }
    assert!(listener.recv_async().now_or_never().is_none());
}

#[tokio::test]
async fn without_a_certificate_over_tls() {
    let (server, known) = (new(), new());
    let clients = Trust::fingerprint(known.fingerprint());
    let here = tls_free_port(showing(&server).clients(clients)).expect("there is a free port");
    without_a_certificate(here.clone(), tls(here.address(), trusting(&server))).await;
}

#[tokio::test]
async fn without_a_certificate_over_quic() {
    let (server, known) = (new(), new());
    let clients = Trust::fingerprint(known.fingerprint());
    let here = quic_free_port(showing(&server).clients(clients)).expect("there is a free port");
    without_a_certificate(here.clone(), quic(here.address(), trusting(&server))).await;
}
