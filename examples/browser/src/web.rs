//! The web server: pages and sessions on one port.

use crate::house::House;
use auction_protocol::{AUCTION, BOARD, News, auction, board};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use pipes::{Lagged, SessionError};
use pipes_remote::engine::{Messages, Over};
use pipes_remote::{Via, over};
use std::path::Path;
use tower_http::services::ServeDir;

/// Returns the web server's paths: the sessions, and the files in this folder.
pub fn app(house: House, files: impl AsRef<Path>) -> Router {
    let (bidding, watching) = (house.clone(), house);
    let take_bidder = async |headers: HeaderMap, upgrade: WebSocketUpgrade, house: House| {
        upgraded(&headers, upgrade, async move |socket| {
            if let Ok(mut clients) = auction::listen_async(&session(socket)).await
                && let Ok(server) = clients.recv_async().await
            {
                // If it fails, the page has gone.
                let _ = serve(server, &house).await;
            }
        })
    };
    let take_board = async |headers: HeaderMap, upgrade: WebSocketUpgrade, house: House| {
        upgraded(&headers, upgrade, async move |socket| {
            if let Ok(mut clients) = board::listen_async(&session(socket)).await
                && let Ok(server) = clients.recv_async().await
            {
                let _ = tell(server, &house).await;
            }
        })
    };
    Router::new()
        .route(AUCTION, get(move |headers, upgrade| take_bidder(headers, upgrade, bidding.clone())))
        .route(BOARD, get(move |headers, upgrade| take_board(headers, upgrade, watching.clone())))
        .fallback_service(ServeDir::new(files))
}

/// Takes a WebSocket, unless it is for a page from elsewhere. Browsers do not keep such pages from
/// connecting, so each server must.
fn upgraded<F>(
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
    run: impl FnOnce(WebSocket) -> F + Send + 'static,
) -> Response
where
    F: Future<Output = ()> + Send + 'static,
{
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let page = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
    match (page, text(header::HOST)) {
        (None, _) if headers.contains_key(header::ORIGIN) => StatusCode::FORBIDDEN.into_response(),
        (Some((_, page)), host) if host != Some(page) => StatusCode::FORBIDDEN.into_response(),
        _ => upgrade.on_upgrade(run),
    }
}

/// Returns the address of the session over a socket.
fn session(socket: WebSocket) -> Via<Over<Messages<WebSocket, Message>>> {
    let into_bytes = |message| match message {
        Message::Binary(bytes) => Some(bytes),
        Message::Text(text) => Some(Bytes::from(text)),
        Message::Ping(_) | Message::Pong(_) | Message::Close(_) => None,
    };
    over(Messages::new(socket, into_bytes, Message::Binary))
}

/// Serves someone who bids, until they leave.
async fn serve(mut server: auction::Server<auction::Door>, house: &House) -> Result<(), SessionError> {
    let (seat, mut server) = loop {
        let auction::Door::Enter(name, next) = server.recv_async().await?;
        match house.enter(&name) {
            Some(seat) => break (seat, next.seat()?),
            None => server = next.taken()?,
        }
    };
    loop {
        server = match server.recv_async().await? {
            auction::Floor::Bid(amount, next) => match seat.bid(amount) {
                Ok(()) => next.leading()?,
                Err(least) => next.too_low(least)?,
            },
            auction::Floor::Leave => return Ok(()),
        };
    }
}

/// Tells someone the news, until they leave.
async fn tell(mut server: board::Server<board::Watching>, house: &House) -> Result<(), SessionError> {
    use pipes::Closing;
    let (state, mut port) = house.watch();
    let mut news: Vec<News> = state.into();
    loop {
        for item in news.drain(..) {
            server = server.news(item)?;
        }
        tokio::select! {
            next = port.recv_async() => match next? {
                Ok(item) => news.push(item),
                Err(Lagged(_)) => news.extend(house.news()),
            },
            () = server.closed() => return Ok(()),
        }
    }
}
