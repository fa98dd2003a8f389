//! The stream over `remoc`: over its base channel, and over a remote `mpsc` channel with room for 1,024.

use super::Stream;
use crate::net::{Net, play};
use crate::pingpong::remoc_channel as channel;
use crate::sides::{Played, Ready, failed};
use remoc::rch::mpsc;
use std::io;
use std::time::Instant;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("remoc.rs")];

/// The room of the `mpsc` channel.
const ROOM: usize = 1024;

pub fn server<N: Net>(game: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let (mut sender, mut receiver) = channel::<_, u64>(N::accept_async(&listener).await?).await?;
        let (mut served, mut sum) = (0, 0u64);
        while served < game.messages {
            sum += receiver.recv().await.map_err(failed)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            served += 1;
        }
        sender.send(sum).await.map_err(failed)?;
        // The client says when it has everything.
        let _ = receiver.recv().await;
        Ok(served)
    })
}

pub fn client<N: Net>(game: &Stream, address: &str) -> io::Result<Played> {
    play(async {
        let (mut sender, mut receiver) = channel::<_, u64>(N::connect_async(address).await?).await?;
        let begun = Instant::now();
        for number in 0..game.messages {
            sender.send(number).await.map_err(failed)?;
        }
        let sum = receiver.recv().await.map_err(failed)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let time = begun.elapsed();
        sender.send(0).await.map_err(failed)?;
        Ok(Played { received: sum, time })
    })
}

/// What the base channel carries for the `mpsc` channel: its receiver, and the sum.
#[derive(serde::Serialize, serde::Deserialize)]
enum Message {
    Numbers(mpsc::Receiver<u64, remoc::codec::Postcard>),
    Sum(u64),
}

pub fn mpsc_server<N: Net>(_: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let (mut sender, mut receiver) = channel::<_, Message>(N::accept_async(&listener).await?).await?;
        let Some(Message::Numbers(mut numbers)) = receiver.recv().await.map_err(failed)? else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        let (mut served, mut sum) = (0, 0u64);
        while let Some(number) = numbers.recv().await.map_err(failed)? {
            (served, sum) = (served + 1, sum + number);
        }
        sender.send(Message::Sum(sum)).await.map_err(failed)?;
        // The client says when it has everything.
        let _ = receiver.recv().await;
        Ok(served)
    })
}

pub fn mpsc_client<N: Net>(game: &Stream, address: &str) -> io::Result<Played> {
    play(async {
        let (mut sender, mut receiver) = channel::<_, Message>(N::connect_async(address).await?).await?;
        let (numbers, theirs) = mpsc::with_local_buffer::<_, remoc::codec::Postcard>(ROOM);
        sender.send(Message::Numbers(theirs)).await.map_err(failed)?;
        let begun = Instant::now();
        for number in 0..game.messages {
            // Not waited for: it resolves when the number was taken by the connection.
            drop(numbers.send(number).await.map_err(failed)?);
        }
        drop(numbers);
        let Some(Message::Sum(sum)) = receiver.recv().await.map_err(failed)? else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        let time = begun.elapsed();
        sender.send(Message::Sum(0)).await.map_err(failed)?;
        Ok(Played { received: sum, time })
    })
}
