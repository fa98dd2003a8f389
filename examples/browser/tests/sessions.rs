//! Native programs in the auction: the sessions are the same as those of the pages.

use ::auction::{House, app};
use auction_protocol::{AUCTION, BOARD, News, auction, board};
use pipes_remote::{ConnectError, ws};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Starts a server with a page. Returns its host and port.
async fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    let address = listener.local_addr().expect("it is bound").to_string();
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/page/static");
    tokio::spawn(
        async move { axum::serve(listener, app(House::new(Duration::from_secs(3600)), files)).await },
    );
    address
}

async fn enter(
    address: &str,
    name: &str,
) -> Result<auction::Client<auction::Floor>, auction::Client<auction::Door>> {
    let client = auction::connect_async(&ws(format!("ws://{address}{AUCTION}"))).await.expect("it is there");
    let client = client.enter(name.to_owned()).expect("the link stands");
    match client.recv_async().await.expect("the link stands") {
        auction::Welcome::Seat(client) => Ok(client),
        auction::Welcome::Taken(client) => Err(client),
    }
}

#[tokio::test]
async fn who_bids_more_leads_and_all_boards_know_it() {
    let address = serve().await;
    let there = ws(format!("ws://{address}{BOARD}"));
    let mut news = board::connect_async(&there).await.expect("it is there");
    let ada = enter(&address, "Ada").await.expect("the name is free");
    let door = enter(&address, "Ada").await.expect_err("the name is taken");
    drop(door);
    let ben = enter(&address, "Ben").await.expect("the name is free");
    let leading = ada.bid(10).expect("the link stands").recv_async().await.expect("the link stands");
    assert!(matches!(leading, auction::Verdict::Leading(_)));
    match ben.bid(10).expect("the link stands").recv_async().await.expect("the link stands") {
        auction::Verdict::TooLow(least, ben) => {
            assert_eq!(least, 11);
            ben.leave().expect("the link stands");
        }
        auction::Verdict::Leading(_) => panic!("it is too low"),
    }
    let mut seen = Vec::new();
    while seen.last() != Some(&News::Left("Ben".to_owned())) {
        let board::Watching::News(item, next) = news.recv_async().await.expect("the link stands");
        seen.push(item);
        news = next;
    }
    let bids: Vec<_> = seen
        .iter()
        .filter_map(|item| match item {
            News::Lot(lot) => lot.highest.clone(),
            _ => None,
        })
        .collect();
    assert_eq!(bids, [("Ada".to_owned(), 10)]);
    assert!(seen.contains(&News::Came("Ben".to_owned())));
}

#[tokio::test]
async fn pages_from_elsewhere_are_refused() {
    let address = serve().await;
    for (origin, expected) in [
        (format!("http://{address}"), "HTTP/1.1 101"),
        ("https://evil.example".to_owned(), "HTTP/1.1 403"),
        ("null".to_owned(), "HTTP/1.1 403"),
    ] {
        let mut stream = TcpStream::connect(&address).await.expect("it listens");
        let request = format!(
            "GET {AUCTION} HTTP/1.1\r\nHost: {address}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("it is open");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.expect("it answers");
        assert_eq!(str::from_utf8(&answer), Ok(expected), "{origin}");
    }
}

#[tokio::test]
async fn what_is_no_session_is_not_there() {
    let address = serve().await;
    match auction::connect_async(&ws(format!("ws://{address}/elsewhere"))).await {
        Err(ConnectError::Unreachable { error, .. }) => assert!(error.to_string().contains("404"), "{error}"),
        other => panic!("{other:?}"),
    }
}
