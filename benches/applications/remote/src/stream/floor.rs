//! The stream over frames of tokio-util with postcard inside: what ours does without a pipe and a pump.

use super::Stream;
use crate::net::{Net, linger, play};
use crate::sides::{Played, Ready, failed};
use futures::{SinkExt, StreamExt};
use std::io;
use std::time::Instant;
use tokio_util::bytes::Bytes;
use tokio_util::codec::{Framed, LengthDelimitedCodec};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("floor.rs")];

pub fn server<N: Net>(game: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let mut frames = Framed::new(N::accept_async(&listener).await?, LengthDelimitedCodec::new());
        let (mut served, mut sum) = (0, 0u64);
        while served < game.messages {
            let frame = frames.next().await.ok_or(io::ErrorKind::UnexpectedEof)??;
            sum += postcard::from_bytes::<u64>(&frame).map_err(failed)?;
            served += 1;
        }
        frames.send(encoded(sum)?).await?;
        linger(frames.get_mut()).await;
        Ok(served)
    })
}

pub fn client<N: Net>(game: &Stream, address: &str) -> io::Result<Played> {
    play(async {
        let mut frames = Framed::new(N::connect_async(address).await?, LengthDelimitedCodec::new());
        let begun = Instant::now();
        for number in 0..game.messages {
            frames.feed(encoded(number)?).await?;
        }
        SinkExt::<Bytes>::flush(&mut frames).await?;
        let frame = frames.next().await.ok_or(io::ErrorKind::UnexpectedEof)??;
        let sum = postcard::from_bytes(&frame).map_err(failed)?;
        Ok(Played { received: sum, time: begun.elapsed() })
    })
}

fn encoded(number: u64) -> io::Result<Bytes> {
    Ok(postcard::to_stdvec(&number).map_err(failed)?.into())
}
