//! The ping-pong over the base channel of `remoc`.

use super::Pingpong;
use crate::net::{Net, play};
use crate::sides::{Played, Ready, failed};
use remoc::rch::base::{Receiver, Sender};
use std::io;
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, split};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("remoc.rs")];

/// A channel in each direction over this stream.
pub async fn channel<S, T>(stream: S) -> io::Result<(Sender<T>, Receiver<T>)>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    T: remoc::RemoteSend,
{
    let (read, write) = split(stream);
    let (connection, sender, receiver) =
        remoc::Connect::io(remoc::Cfg::default(), read, write).await.map_err(failed)?;
    tokio::spawn(connection);
    Ok((sender, receiver))
}

pub fn server<N: Net>(game: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let (mut sender, mut receiver) = channel::<_, u64>(N::accept_async(&listener).await?).await?;
        for _ in 0..game.rounds {
            let number = receiver.recv().await.map_err(failed)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            sender.send(number).await.map_err(failed)?;
        }
        // The client says when it has everything.
        let _ = receiver.recv().await;
        Ok(game.rounds)
    })
}

pub fn client<N: Net>(game: &Pingpong, address: &str) -> io::Result<Played> {
    play(async {
        let (mut sender, mut receiver) = channel::<_, u64>(N::connect_async(address).await?).await?;
        let begun = Instant::now();
        for round in 0..game.rounds {
            sender.send(round).await.map_err(failed)?;
            if receiver.recv().await.map_err(failed)? != Some(round) {
                return Ok(Played::default());
            }
        }
        let time = begun.elapsed();
        sender.send(0).await.map_err(failed)?;
        Ok(Played { received: game.rounds, time })
    })
}
