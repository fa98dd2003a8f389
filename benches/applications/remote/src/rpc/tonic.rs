//! Unary calls of `tonic`, without generated code: the callers have clones of a channel.

use super::{Rpc, total};
use crate::net::{Net, play};
use crate::sides::{Played, Ready, failed};
use futures::{StreamExt, stream};
use http::uri::PathAndQuery;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::future::{Ready as Done, ready as done};
use std::io::{self, IoSlice};
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::bytes::{Buf, BufMut};
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::server::Connected;
use tonic::transport::{Channel, Endpoint, Server, Uri};
use tonic::{Request, Response, Status, client, server};
use tower::Service;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tonic.rs")];

/// Numbers, eight bytes each.
#[derive(Clone, Copy)]
struct Numbers;

impl Codec for Numbers {
    type Encode = u64;
    type Decode = u64;
    type Encoder = Numbers;
    type Decoder = Numbers;

    fn encoder(&mut self) -> Numbers {
        Numbers
    }

    fn decoder(&mut self) -> Numbers {
        Numbers
    }
}

impl Encoder for Numbers {
    type Item = u64;
    type Error = Status;

    fn encode(&mut self, number: u64, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put_u64_le(number);
        Ok(())
    }
}

impl Decoder for Numbers {
    type Item = u64;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<u64>, Status> {
        buffer.try_get_u64_le().map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}

/// Returns the number, and counts.
#[derive(Clone, Default)]
struct Echo(Arc<AtomicU64>);

impl Service<Request<u64>> for Echo {
    type Response = Response<u64>;
    type Error = Status;
    type Future = Done<Result<Response<u64>, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<u64>) -> Self::Future {
        // ORDERING: the count is read after the last call has been answered and the connection was closed.
        self.0.fetch_add(1, Ordering::Relaxed);
        done(Ok(Response::new(request.into_inner())))
    }
}

/// A connection that says when it is dropped.
struct Connection<S>(S, #[expect(dead_code, reason = "it is dropped")] mpsc::Sender<Infallible>);

impl<S> Connected for Connection<S> {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }
}

pub fn server<N: Net>(_: &Rpc, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    play(async {
        let listener = N::bind_async(&place).await?;
        ready(&address);
        let (open, mut closed) = mpsc::channel(1);
        let connection = Connection(N::accept_async(&listener).await?, open);
        let echo = Echo::default();
        let calls = tower::service_fn({
            let echo = echo.clone();
            move |request: http::Request<Body>| {
                let echo = echo.clone();
                async { Ok::<_, Infallible>(server::Grpc::new(Numbers).unary(echo, request).await) }
            }
        });
        let incoming = stream::iter([io::Result::Ok(connection)]).chain(stream::pending());
        let serving = Server::builder().serve_with_incoming(calls, incoming);
        tokio::select! {
            ended = serving => ended.map_err(failed)?,
            _ = closed.recv() => {}
        }
        Ok(echo.0.load(Ordering::Relaxed))
    })
}

pub fn client<N: Net>(game: &Rpc, address: &str) -> io::Result<Played> {
    play(async {
        let mut stream = Some(TokioIo::new(N::connect_async(address).await?));
        let connector =
            tower::service_fn(move |_: Uri| done(stream.take().ok_or_else(|| failed("it reconnects"))));
        let endpoint = Endpoint::from_static("http://server");
        let channel = endpoint.connect_with_connector(connector).await.map_err(failed)?;
        let begun = Instant::now();
        let mut callers = JoinSet::new();
        for which in 0..game.clients {
            callers.spawn(call(channel.clone(), game.numbers(which)));
        }
        let received = total(callers).await?;
        Ok(Played { received, time: begun.elapsed() })
    })
}

async fn call(channel: Channel, numbers: Range<u64>) -> io::Result<u64> {
    let (mut client, mut received) = (client::Grpc::new(channel), 0);
    for number in numbers {
        client.ready().await.map_err(failed)?;
        let path = PathAndQuery::from_static("/bench.Echo/Ping");
        let answer = client.unary(Request::new(number), path, Numbers).await.map_err(failed)?;
        received += u64::from(answer.into_inner() == number);
    }
    Ok(received)
}
