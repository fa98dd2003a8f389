//! Streams that misbehave: their shutdown, their writes, their room.

use pipes::Cause;
use pipes_remote::Via;
use pipes_remote::engine::{Accept, Engine, Peer};
use pipes_remote_tests::raw::{BEAT, frame, taken};
use pipes_remote_tests::{Net, Plan, at_rest, session, talk, tasks, within};
use pipes_tests::watched;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream whose shutdown takes forever, as one whose other side does not read, does not keep its pump
/// busy.
#[tokio::test(start_paused = true)]
async fn a_shutdown_that_takes_forever() {
    let base = tasks();
    let net = Net::of(Plan { holds_shutdown: true, ..Plan::default() });
    let (listener, (client, link), (server, its_link)) = session!(talk, &net.via());
    client.stop().expect("the link stands");
    assert!(matches!(within(server).await, Ok(talk::Ask::Stop)));
    within(link.drained_async()).await.expect("it is confirmed");
    assert!(matches!(its_link.cause(), Cause::Ended));
    drop(listener);
    at_rest(base).await;
}

/// A server that takes its client, and then sends heartbeats, more than can be read. It never makes its
/// client's task wait.
struct Babbling {
    says: Vec<u8>,
}

struct Silent;

impl Engine for Babbling {
    type Stream = Babbling;
    type Accept = Silent;

    fn address(&self) -> String {
        String::from("Babel")
    }

    async fn open(&self) -> io::Result<(Babbling, Peer)> {
        Ok((Babbling { says: taken() }, Peer::new(self.address())))
    }

    async fn bind(&self) -> io::Result<Silent> {
        Ok(Silent)
    }
}

impl Accept for Silent {
    type Stream = Babbling;

    async fn accept(&mut self) -> Option<io::Result<(Babbling, Peer)>> {
        None
    }
}

impl AsyncRead for Babbling {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let bytes = self.says.len().min(buffer.remaining());
        buffer.put_slice(&self.says[..bytes]);
        self.says.drain(..bytes);
        if self.says.is_empty() {
            self.says = frame(BEAT, b"").repeat(100);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Babbling {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// A stream that is always ready does not keep the runtime's thread, nor its own user.
#[test]
fn a_stream_that_is_always_ready() {
    watched(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let via = Via::new(Babbling { says: Vec::new() });
            let (client, link) = talk::connect_with_link_async(&via).await.expect("it takes everyone");
            let asking = client.question(1).expect("the link stands");
            tokio::task::yield_now().await;
            assert!(matches!(link.cause(), Cause::Open), "{link:?}");
            drop(asking);
            while matches!(link.cause(), Cause::Open) {
                tokio::task::yield_now().await;
            }
            assert!(matches!(link.cause(), Cause::LeftHere), "{link:?}");
        });
    });
}
