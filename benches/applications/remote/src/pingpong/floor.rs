//! The ping-pong over frames of tokio-util with postcard inside: what ours does without a pipe and a pump.

use super::Pingpong;
use crate::net::{Net, linger, play};
use crate::sides::{Played, Ready, failed};
use futures::{SinkExt, StreamExt};
use std::io;
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::codec::{Framed, LengthDelimitedCodec};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("floor.rs")];

pub fn server<N: Net>(game: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let mut frames = framed(N::accept_async(&listener).await?);
        for _ in 0..game.rounds {
            let number = receive(&mut frames).await?;
            frames.send(encoded(number)?).await?;
        }
        linger(frames.get_mut()).await;
        Ok(game.rounds)
    })
}

pub fn client<N: Net>(game: &Pingpong, address: &str) -> io::Result<Played> {
    play(async {
        let mut frames = framed(N::connect_async(address).await?);
        let begun = Instant::now();
        for round in 0..game.rounds {
            frames.send(encoded(round)?).await?;
            if receive(&mut frames).await? != round {
                return Ok(Played::default());
            }
        }
        Ok(Played { received: game.rounds, time: begun.elapsed() })
    })
}

type Frames<S> = Framed<S, LengthDelimitedCodec>;

fn framed<S: AsyncRead + AsyncWrite>(stream: S) -> Frames<S> {
    Framed::new(stream, LengthDelimitedCodec::new())
}

fn encoded(number: u64) -> io::Result<tokio_util::bytes::Bytes> {
    Ok(postcard::to_stdvec(&number).map_err(failed)?.into())
}

async fn receive<S: AsyncRead + AsyncWrite + Unpin>(frames: &mut Frames<S>) -> io::Result<u64> {
    let frame = frames.next().await.ok_or(io::ErrorKind::UnexpectedEof)??;
    postcard::from_bytes(&frame).map_err(failed)
}
