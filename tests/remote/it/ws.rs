//! WebSockets: what a listener takes, and what clients are told.

use crate::refused::reporting;
use futures::{SinkExt, StreamExt};
use pipes::remote::Cause;
use pipes_remote::engine::Ws;
use pipes_remote::{AcceptError, ConnectError, Via, ws, ws_free_port};
use pipes_remote_tests::engines::{host_and_port, serves, ws_sides};
use pipes_remote_tests::{numbers, within};
use std::io::ErrorKind;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::http::header::ORIGIN;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, client::IntoClientRequest};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Opens a WebSocket as a browser does for a page of this origin.
async fn page(address: &str, origin: &str) -> Result<WebSocketStream<TcpStream>, Error> {
    let stream = TcpStream::connect(host_and_port(address)).await.expect("it listens");
    let mut request = address.into_client_request().expect("it is an address");
    request.headers_mut().insert(ORIGIN, origin.parse().expect("it is a header"));
    client_async(request, stream).await.map(|(socket, _)| socket)
}

/// Returns what the system or the engine has said.
fn unreachable(error: ConnectError) -> std::io::Error {
    match error {
        ConnectError::Unreachable { error, .. } => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_page_from_elsewhere_is_refused_and_reported() {
    let (here, mut reports) = reporting(ws_free_port().expect("there is a free port"));
    let address = here.address();
    let mut listener = numbers::listen_async(&here).await.expect("it is free");
    let Err(Error::Http(answer)) = page(&address, "https://evil.example").await else {
        panic!("it was taken");
    };
    assert_eq!(answer.status(), 403);
    let (peer, why) = reports.recv().await.expect("it is reported");
    assert!(peer.address().is_some());
    match why {
        AcceptError::Failed(error) => {
            assert_eq!(error.kind(), ErrorKind::PermissionDenied);
            assert_eq!(error.to_string(), "pages of `https://evil.example` may not connect");
        }
        other => panic!("{other:?}"),
    }
    // Its own pages may, and so may programs that are no browsers.
    let own = format!("http://{}", host_and_port(&address));
    page(&address, &own).await.expect("it is a page of this address");
    let client = numbers::connect_async(&here).await.expect("it is no browser");
    serves(&mut listener, client).await;
}

#[tokio::test]
async fn a_list_of_origins_replaces_the_own_one() {
    let engine = Ws::free_port().expect("there is a free port").origins(["https://bank.example"]);
    let here = Via::new(engine);
    let _listener = numbers::listen_async(&here).await.expect("it is free");
    let address = here.address();
    assert!(page(&address, "https://bank.example").await.is_ok());
    assert!(page(&address, &format!("http://{}", host_and_port(&address))).await.is_err());
}

#[tokio::test]
async fn another_path_is_not_there() {
    let here = ws_free_port().expect("there is a free port");
    let _listener = numbers::listen_async(&here).await.expect("it is free");
    let there = ws(format!("{}elsewhere", here.address()));
    let error = numbers::connect_async(&there).await.expect_err("nothing is there");
    assert!(!error.is_temporary());
    assert!(error.to_string().contains("404 Not Found"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_no_websocket_is_no_server() {
    for (answer, kind, text) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", ErrorKind::InvalidData, "200 OK"),
        ("HTTP/1.1 403 Forbidden\r\n\r\n", ErrorKind::PermissionDenied, "403 Forbidden"),
        ("HTTP/1.1 503 Service Unavailable\r\n\r\n", ErrorKind::ConnectionRefused, "503"),
        ("HTTP/1.1 429 Too Many Requests\r\n\r\n", ErrorKind::ConnectionRefused, "429"),
        ("HTTP/1.1 504 Gateway Timeout\r\n\r\n", ErrorKind::TimedOut, "504"),
        ("pipe\x01 this is no HTTP\r\n\r\n", ErrorKind::InvalidData, "it does not speak WebSocket"),
    ] {
        let server = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let there = ws(format!("WS://{}/", server.local_addr().expect("it is bound")));
        let answering = tokio::spawn(async move {
            let (mut stream, _) = server.accept().await.expect("a client comes");
            let mut request = [0; 1024];
            let read = stream.read(&mut request).await.expect("it asks");
            assert!(read > 0);
            stream.write_all(answer.as_bytes()).await.expect("it is open");
        });
        let error = unreachable(numbers::connect_async(&there).await.expect_err("it is no server"));
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(text), "{error}");
        answering.await.expect("it does not panic");
    }
}

#[tokio::test]
async fn what_is_no_session_is_refused() {
    let (here, mut reports) = reporting(ws_free_port().expect("there is a free port"));
    let mut listener = numbers::listen_async(&here).await.expect("it is free");
    let own = format!("http://{}", host_and_port(&here.address()));
    for message in [
        Message::text("Good morning, is this the bank?"),
        Message::binary(vec![7; 100]),
        Message::binary(vec![0; 2 << 20]),
    ] {
        let mut socket = page(&here.address(), &own).await.expect("it is taken");
        // The listener may have ended the connection before all of it was sent.
        let _ = socket.send(message).await;
        let (_, why) = reports.recv().await.expect("it is reported");
        assert!(matches!(why, AcceptError::Failed(_) | AcceptError::Refused(_)), "{why}");
    }
    let client = numbers::connect_async(&here).await.expect("it listens");
    serves(&mut listener, client).await;
}

/// A proxy sends pings to see whether both sides are there.
#[tokio::test]
async fn pings_are_answered() {
    let sides = ws_sides();
    let _listener = numbers::listen_async(&sides.here).await.expect("it is free");
    let own = format!("http://{}", host_and_port(&sides.here.address()));
    let mut socket = page(&sides.here.address(), &own).await.expect("it is taken");
    let ping = Bytes::from_static(b"are you there?");
    socket.send(Message::Ping(ping.clone())).await.expect("it is open");
    let answer = within(socket.next()).await.expect("it is open").expect("it stands");
    assert_eq!(answer, Message::Pong(ping));
}

#[tokio::test]
async fn a_server_that_goes_without_a_word_has_ended_the_session_in_its_middle() {
    let server = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    let there = ws(format!("ws://{}/", server.local_addr().expect("it is bound"))).eager();
    let going = tokio::spawn(async move {
        let (stream, _) = server.accept().await.expect("a client comes");
        drop(tokio_tungstenite::accept_async(stream).await.expect("it is a WebSocket"));
    });
    let (mut client, link) = numbers::connect_with_link_async(&there).await.expect("it is taken");
    pipes::Closing::closed(&mut client).await;
    going.await.expect("it does not panic");
    assert!(matches!(link.cause(), Cause::Broken(_)), "{:?}", link.cause());
}

/// The answers would fill the memory of the server, if it kept them all.
#[tokio::test(flavor = "multi_thread")]
async fn who_sends_pings_and_reads_nothing_is_refused() {
    let (here, mut reports) = reporting(ws_free_port().expect("there is a free port"));
    let mut listener = numbers::listen_async(&here).await.expect("it is free");
    let own = format!("http://{}", host_and_port(&here.address()));
    let mut socket = page(&here.address(), &own).await.expect("it is taken");
    let ping = Message::Ping(Bytes::from_static(&[7; 125]));
    // The listener ends the handshake at its limit, if not before.
    while socket.send(ping.clone()).await.is_ok() {}
    let (_, why) = reports.recv().await.expect("it is reported");
    assert!(matches!(why, AcceptError::Failed(_) | AcceptError::TimedOut), "{why}");
    let client = numbers::connect_async(&here).await.expect("it listens");
    serves(&mut listener, client).await;
}
