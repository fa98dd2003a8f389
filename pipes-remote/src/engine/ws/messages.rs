//! Messages of a socket as a stream of bytes.

use bytes::{Buf, Bytes};
use futures_core::Stream;
use futures_sink::Sink;
use std::error::Error;
use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The most bytes of a message that is sent.
pub(super) const LONGEST: usize = 64 << 10;

/// How many messages without bytes are skipped in one poll, so that a stranger who sends nothing else does
/// not keep other tasks from running.
const SKIPPED: usize = 32;

/// The messages of a socket, as a stream of bytes for [`over`](crate::over).
///
/// So a session runs over a WebSocket that a web framework has accepted, on a port that also serves pages.
/// `S` is the socket, a [`Stream`] and a [`Sink`] of its messages. How the bytes are cut into messages means
/// nothing.
///
/// ```
/// use bytes::Bytes;
/// use futures::channel::mpsc;
/// use futures::{SinkExt, StreamExt};
/// use pipes_remote::engine::Messages;
/// use std::convert::Infallible;
///
/// pipes::proto! {
///     #[remote]
///     pub greeting { hello: send { hello(String) -> ! } }
/// }
///
/// /// A message of some web framework.
/// enum Message {
///     Binary(Bytes),
///     Ping,
/// }
///
/// fn into_bytes(message: Message) -> Option<Bytes> {
///     match message {
///         Message::Binary(bytes) => Some(bytes),
///         Message::Ping => None,
///     }
/// }
/// # fn socket(
/// #     out: mpsc::Sender<Message>,
/// #     back: mpsc::Receiver<Message>,
/// # ) -> impl futures::Stream<Item = Result<Message, mpsc::SendError>>
/// #     + futures::Sink<Message, Error = mpsc::SendError>
/// #     + Send
/// #     + Unpin
/// #     + 'static {
/// #     struct Socket(mpsc::Sender<Message>, mpsc::Receiver<Message>);
/// #     use std::pin::Pin;
/// #     use std::task::{Context, Poll};
/// #     impl futures::Stream for Socket {
/// #         type Item = Result<Message, mpsc::SendError>;
/// #         fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
/// #             self.1.poll_next_unpin(cx).map(|it| it.map(Ok))
/// #         }
/// #     }
/// #     impl futures::Sink<Message> for Socket {
/// #         type Error = mpsc::SendError;
/// #         fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
/// #             self.0.poll_ready_unpin(cx)
/// #         }
/// #         fn start_send(mut self: Pin<&mut Self>, it: Message) -> Result<(), Self::Error> {
/// #             self.0.start_send_unpin(it)
/// #         }
/// #         fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
/// #             self.0.poll_flush_unpin(cx)
/// #         }
/// #         fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
/// #             self.0.poll_close_unpin(cx)
/// #         }
/// #     }
/// #     Socket(out, back)
/// # }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// # let (to_server, at_server) = mpsc::channel(8);
/// # let (to_client, at_client) = mpsc::channel(8);
/// # let (accepted, connected) = (socket(to_client, at_server), socket(to_server, at_client));
/// // `accepted` is a socket of the framework.
/// let here = pipes_remote::over(Messages::new(accepted, into_bytes, Message::Binary));
/// let mut listener = greeting::listen_async(&here).await?;
/// # let there = pipes_remote::over(Messages::new(connected, into_bytes, Message::Binary));
/// # let client = async {
/// #     greeting::connect_async(&there).await?.hello("good morning".into())?;
/// #     Ok::<(), Box<dyn std::error::Error>>(())
/// # };
/// # let server = async {
/// let greeting::Hello::Hello(words) = listener.recv_async().await?.recv_async().await?;
/// assert_eq!(words, "good morning");
/// #     Ok::<(), Box<dyn std::error::Error>>(())
/// # };
/// # let (client, server) = tokio::join!(client, server);
/// # client.and(server)
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Messages<S, M> {
    socket: S,
    into_bytes: fn(M) -> Option<Bytes>,
    from_bytes: fn(Bytes) -> M,
    /// What was not read of the last message.
    rest: Bytes,
}

impl<S, M> Messages<S, M> {
    /// Uses this socket. `into_bytes` returns the bytes of a message, or `None` for a message that has none,
    /// such as a ping, which is skipped. `from_bytes` creates a message.
    pub fn new(socket: S, into_bytes: fn(M) -> Option<Bytes>, from_bytes: fn(Bytes) -> M) -> Self {
        Messages { socket, into_bytes, from_bytes, rest: Bytes::new() }
    }
}

impl<S, M, E> AsyncRead for Messages<S, M>
where
    S: Stream<Item = Result<M, E>> + Unpin,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut skipped = 0;
        while self.rest.is_empty() {
            if skipped == SKIPPED {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            match ready!(Pin::new(&mut self.socket).poll_next(cx)) {
                Some(Ok(message)) => self.rest = (self.into_bytes)(message).unwrap_or_default(),
                Some(Err(error)) => return Poll::Ready(Err(io::Error::other(error))),
                None => return Poll::Ready(Ok(())),
            }
            skipped += 1;
        }
        let bytes = self.rest.len().min(buffer.remaining());
        buffer.put_slice(&self.rest[..bytes]);
        self.rest.advance(bytes);
        if self.rest.is_empty() {
            // An empty slice would keep the memory of the message.
            self.rest = Bytes::new();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S, M, E> AsyncWrite for Messages<S, M>
where
    S: Sink<M, Error = E> + Unpin,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(Pin::new(&mut self.socket).poll_ready(cx)).map_err(io::Error::other)?;
        let sent = &bytes[..bytes.len().min(LONGEST)];
        let message = (self.from_bytes)(Bytes::copy_from_slice(sent));
        Pin::new(&mut self.socket).start_send(message).map_err(io::Error::other)?;
        Poll::Ready(Ok(sent.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx).map_err(io::Error::other)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_close(cx).map_err(io::Error::other)
    }
}

impl<S, M> fmt::Debug for Messages<S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages").finish_non_exhaustive()
    }
}
