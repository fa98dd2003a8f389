//! The stream over the socket alone: eight bytes a number, written in pieces of 16 KiB.

use super::Stream;
use crate::net::{Net, linger, play};
use crate::sides::{Played, Ready};
use std::io;
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("raw.rs")];

/// The bytes of a piece.
const PIECE: usize = 16 << 10;

pub fn server<N: Net>(game: &Stream, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let mut stream = N::accept_async(&listener).await?;
        let (mut piece, mut filled, mut served, mut sum) = (vec![0; PIECE], 0, 0, 0u64);
        while served < game.messages {
            filled += match stream.read(&mut piece[filled..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                bytes => bytes,
            };
            let (numbers, rest) = piece[..filled].as_chunks();
            for number in numbers {
                sum += u64::from_le_bytes(*number);
            }
            served += numbers.len() as u64;
            let rest = filled - rest.len()..filled;
            filled = rest.len();
            piece.copy_within(rest, 0);
        }
        stream.write_all(&sum.to_le_bytes()).await?;
        linger(&mut stream).await;
        Ok(served)
    })
}

pub fn client<N: Net>(game: &Stream, address: &str) -> io::Result<Played> {
    play(async {
        let mut stream = N::connect_async(address).await?;
        let begun = Instant::now();
        let mut piece = Vec::with_capacity(PIECE);
        for number in 0..game.messages {
            piece.extend_from_slice(&number.to_le_bytes());
            if piece.len() == PIECE {
                stream.write_all(&piece).await?;
                piece.clear();
            }
        }
        stream.write_all(&piece).await?;
        stream.flush().await?;
        let sum = stream.read_u64_le().await?;
        Ok(Played { received: sum, time: begun.elapsed() })
    })
}
