//! The stream over messages of `tokio-tungstenite`, of eight bytes each. They are written when its buffer is
//! full, and flushed after the last one.

use super::Stream;
use crate::net::{Net, OverTcp, play};
use crate::sides::{Played, Ready, failed};
use crate::websocket::{Messages, message};
use futures::SinkExt;
use std::io;
use std::time::Instant;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

pub fn server(game: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = OverTcp::place()?;
    play(async {
        let listener = OverTcp::bind_async(&place).await?;
        ready(&address);
        let mut messages = Messages::accept(&listener, WebSocketConfig::default()).await?;
        let (mut served, mut sum) = (0, 0);
        while served < game.messages {
            sum += messages.number().await?;
            served += 1;
        }
        messages.0.send(message(sum)).await.map_err(failed)?;
        messages.linger().await;
        Ok(served)
    })
}

pub fn client(game: &Stream, address: &str) -> io::Result<Played> {
    play(async {
        let mut messages = Messages::connect(address, WebSocketConfig::default()).await?;
        let begun = Instant::now();
        for number in 0..game.messages {
            messages.0.feed(message(number)).await.map_err(failed)?;
        }
        messages.0.flush().await.map_err(failed)?;
        let sum = messages.number().await?;
        Ok(Played { received: sum, time: begun.elapsed() })
    })
}
