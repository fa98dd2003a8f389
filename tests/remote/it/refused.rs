//! Who a client is, and that a program is told of those that were refused.

use pipes::remote::Peer;
use pipes_remote::engine::{Engine, Quic, Tls, Ws};
use pipes_remote::security::Trust;
use pipes_remote::{AcceptError, Refusal, Via};
use pipes_remote_tests::engines::{Secured, Sides, new, showing, tcp_sides, trusting};
use pipes_remote_tests::{Net, numbers, rest, talk, within};
use std::io::ErrorKind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Reports the clients that are refused here.
pub fn reporting<E: Engine>(here: Via<E>) -> (Via<E>, UnboundedReceiver<(Peer, AcceptError)>) {
    let (sender, refused) = unbounded_channel();
    let here = here.on_refused(move |peer, why| sender.send((peer, why)).expect("the test goes on"));
    (here, refused)
}

/// A client connects twice, and is then refused. Returns the peer that it is each time.
async fn comes_again<E: Engine>(here: Via<E>, there: impl Fn() -> Via<E>) -> Peer {
    let (here, mut reports) = reporting(here);
    let mut listener = numbers::listen_with_links_async(&here).await.expect("it is free");
    let mut peers = Vec::new();
    for _ in 0..2 {
        let _client = numbers::connect_async(&there()).await.expect("it listens");
        let (_, link) = listener.recv_async().await.expect("a client comes");
        peers.push(link.peer().clone());
    }
    assert!(talk::connect_async(&there()).await.is_err(), "it is another protocol");
    let (peer, why) = reports.recv().await.expect("it is reported");
    assert!(matches!(why, AcceptError::Refused(Refusal::UnknownProtocol)), "{why}");
    assert_eq!(peers, [peer.clone(), peer.clone()]);
    peer
}

#[cfg(unix)]
#[tokio::test]
async fn a_client_of_a_unix_socket_is_its_user() {
    let folder = tempfile::tempdir().expect("there is room");
    let here = pipes_remote::unix(folder.path().join("socket"));
    let peer = comes_again(here.clone(), || here.clone()).await;
    assert!(peer.user().is_some() && peer.address().is_none());
    #[cfg(target_os = "linux")]
    assert_eq!(peer.process(), Some(std::process::id()));
}

#[tokio::test]
async fn a_client_without_a_certificate_is_its_machine() {
    let Sides { here, there } = tcp_sides();
    let peer = comes_again(here, || there.clone()).await;
    assert!(peer.address().is_some_and(|it| it.ip().is_loopback()) && peer.certificate().is_none());
}

async fn is_its_certificate<E: Secured>() {
    let (server, client) = (new(), new());
    let here = E::free(showing(&server).clients(Trust::fingerprint(client.fingerprint())));
    let address = here.address();
    let there = || E::at(address.clone(), trusting(&server).identity(&client));
    let peer = comes_again(here, there).await;
    assert_eq!(peer.certificate(), Some(client.fingerprint()));
}

#[tokio::test]
async fn a_client_with_a_certificate_is_its_certificate_over_tls() {
    is_its_certificate::<Tls>().await;
}

#[tokio::test]
async fn a_client_with_a_certificate_is_its_certificate_over_quic() {
    is_its_certificate::<Quic>().await;
}

#[tokio::test]
async fn a_client_with_a_certificate_is_its_certificate_over_ws() {
    is_its_certificate::<Ws>().await;
}

#[tokio::test(start_paused = true)]
async fn each_refused_client_is_reported_once() {
    let net = Net::new();
    let (here, mut reports) = reporting(net.via().sessions(1));
    let _listener = talk::listen_async(&here).await.expect("it is free");
    let _client = talk::connect_async(&net.via()).await.expect("there is room");
    assert!(talk::connect_async(&net.via()).await.is_err());
    let dial = || net.dial().expect("it listens");
    dial().write_all(b"GET / HTTP/1.1\r\n\r\n").await.expect("it is open");
    let mut reasons = Vec::new();
    for _ in 0..2 {
        reasons.push(within(reports.recv()).await.expect("it is reported").1);
    }
    let is_limit = |why: &_| matches!(why, AcceptError::Refused(Refusal::Sessions { most: 1 }));
    assert!(reasons.iter().any(is_limit), "{reasons:?}");
    let of_kind = |why: &_, kind| matches!(why, AcceptError::Failed(error) if error.kind() == kind);
    assert!(reasons.iter().any(|why| of_kind(why, ErrorKind::InvalidData)), "{reasons:?}");
    drop(dial());
    let (_, why) = within(reports.recv()).await.expect("it is reported");
    assert!(of_kind(&why, ErrorKind::UnexpectedEof), "{why:?}");
    let _silent = dial();
    let (peer, why) = within(reports.recv()).await.expect("it is reported");
    assert!(matches!(why, AcceptError::TimedOut), "{why:?}");
    assert_eq!(peer, Peer::new("a client"));
    rest().await;
    assert!(reports.is_empty());
}

#[tokio::test]
async fn a_report_that_blocks_or_panics_holds_up_no_client() {
    let (net, calls) = (Net::new(), AtomicU32::new(0));
    let (release, blocked) = std::sync::mpsc::channel::<()>();
    let (blocked, (reported, mut reports)) = (Mutex::new(blocked), unbounded_channel());
    let here = net.via().on_refused(move |_, _| match calls.fetch_add(1, Ordering::Relaxed) {
        0 => assert!(blocked.lock().expect("it is locked once").recv().is_err()),
        1 => panic!("a report that panics"),
        _ => reported.send(()).expect("the test goes on"),
    });
    let mut listener = talk::listen_async(&here).await.expect("it is free");
    for _ in 0..3 {
        assert!(numbers::connect_async(&net.via()).await.is_err(), "it is another protocol");
    }
    reports.recv().await.expect("the third is reported");
    talk::connect_async(&net.via()).await.expect("it listens").stop().expect("the link stands");
    assert!(matches!(listener.recv_async().await.expect("a client comes").await, Ok(talk::Ask::Stop)));
    drop(release);
}
