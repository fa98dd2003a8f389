//! The ping-pong over messages of `tokio-tungstenite`, of eight bytes each.

use super::Pingpong;
use crate::net::{Net, OverTcp, play};
use crate::sides::{Played, Ready, failed};
use crate::websocket::{Messages, message};
use futures::SinkExt;
use std::io;
use std::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// With a small buffer: all of it is cleared before each read.
fn config() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(4 << 10)
}

pub fn server(game: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = OverTcp::place()?;
    play(async {
        let listener = OverTcp::bind_async(&place).await?;
        ready(&address);
        let mut messages = Messages::accept(&listener, config()).await?;
        for _ in 0..game.rounds {
            let answer = messages.receive().await?;
            messages.0.send(Message::Binary(answer)).await.map_err(failed)?;
        }
        messages.linger().await;
        Ok(game.rounds)
    })
}

pub fn client(game: &Pingpong, address: &str) -> io::Result<Played> {
    play(async {
        let mut messages = Messages::connect(address, config()).await?;
        let begun = Instant::now();
        for round in 0..game.rounds {
            messages.0.send(message(round)).await.map_err(failed)?;
            if messages.number().await? != round {
                return Ok(Played::default());
            }
        }
        Ok(Played { received: game.rounds, time: begun.elapsed() })
    })
}
