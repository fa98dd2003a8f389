//! The ping-pong as calls of `tarpc`.

use super::Pingpong;
use crate::net::{Net, play};
use crate::sides::{Played, Ready, failed};
use futures::StreamExt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tarpc::server::{BaseChannel, Channel};
use tarpc::{client, context};
use tokio::io::{AsyncRead, AsyncWrite};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tarpc.rs")];

#[tarpc::service]
pub trait Echo {
    /// Returns the number.
    async fn ping(number: u64) -> u64;
}

#[derive(Clone)]
struct Counting(Arc<AtomicU64>);

impl Echo for Counting {
    async fn ping(self, _: context::Context, number: u64) -> u64 {
        // ORDERING: the count is read after the last call has been answered and the connection was closed.
        self.0.fetch_add(1, Ordering::Relaxed);
        number
    }
}

/// A transport over this stream.
macro_rules! transport {
    ($stream:expr) => {
        ::tarpc::serde_transport::new(
            ::tokio_util::codec::Framed::new($stream, ::tokio_util::codec::LengthDelimitedCodec::new()),
            ::tokio_serde::formats::Bincode::default(),
        )
    };
}
pub(crate) use transport;

/// Serves calls over this stream until it is closed. Returns their number.
pub async fn serve<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(stream: S) -> u64 {
    let counting = Counting(Arc::default());
    let calls = BaseChannel::with_defaults(transport!(stream)).execute(counting.clone().serve());
    calls.for_each(|call| call).await;
    counting.0.load(Ordering::Relaxed)
}

/// A client over this stream.
pub fn connected<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(stream: S) -> EchoClient {
    EchoClient::new(client::Config::default(), transport!(stream)).spawn()
}

pub fn server<N: Net>(_: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        Ok(serve(N::accept_async(&listener).await?).await)
    })
}

pub fn client<N: Net>(game: &Pingpong, address: &str) -> io::Result<Played> {
    play(async {
        let client = connected(N::connect_async(address).await?);
        let begun = Instant::now();
        for round in 0..game.rounds {
            if client.ping(context::current(), round).await.map_err(failed)? != round {
                return Ok(Played::default());
            }
        }
        Ok(Played { received: game.rounds, time: begun.elapsed() })
    })
}
