//! A Unix socket whose backlog is full: clients wait for room.

use futures::FutureExt;
use pipes_remote::engine::{Engine, Unix};
use pipes_remote::{ConnectError, unix};
use pipes_remote_tests::numbers;
use socket2::{Domain, SockAddr, Socket, Type};
use std::io::ErrorKind;
use std::path::Path;
use tokio::net::UnixStream;

/// A socket whose backlog is full, with those that fill it.
async fn full(path: &Path) -> (Socket, Vec<UnixStream>) {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None).expect("there is one");
    socket.bind(&SockAddr::unix(path).expect("it is short")).expect("the path is free");
    socket.listen(0).expect("it is bound");
    let mut clients = Vec::new();
    loop {
        match UnixStream::connect(path).await {
            Ok(client) => clients.push(client),
            Err(error) => break assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
    }
    (socket, clients)
}

#[tokio::test]
async fn a_client_connects_as_soon_as_there_is_room() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("socket");
    let (server, _clients) = full(&path).await;
    let there = Unix::new(&path);
    let mut opening = Box::pin(there.open());
    assert!((&mut opening).now_or_never().is_none());
    server.accept().expect("a client waits");
    opening.await.expect("there is room");
}

#[tokio::test(start_paused = true)]
async fn the_time_for_a_handshake_is_the_limit() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("socket");
    let _full = full(&path).await;
    let error = numbers::connect_async(&unix(&path)).await.map(drop).expect_err("there is no room");
    assert!(matches!(error, ConnectError::TimedOut { .. }), "{error}");
}
