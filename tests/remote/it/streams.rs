//! Streams that misbehave: their shutdown, and their reads.

use pipes::remote::Cause;
use pipes_remote::over;
use pipes_remote_tests::raw::{BEAT, frame, taken};
use pipes_remote_tests::{Net, Plan, at_rest, session, talk, tasks, within};
use std::io::Result;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::task::yield_now;

/// A stream whose shutdown takes forever, as one whose other side does not read, does not keep its pump
/// busy.
#[tokio::test(start_paused = true)]
async fn a_shutdown_that_takes_forever() {
    let base = tasks();
    let net = Net::of(Plan { holds_shutdown: true, ..Plan::default() });
    let (listener, (client, link), (server, its_link)) = session!(talk, &net.via());
    client.stop().expect("the link stands");
    assert!(matches!(within(server).await, Ok(talk::Ask::Stop)));
    within(link.delivered_async()).await.expect("it is confirmed");
    assert!(matches!(its_link.cause(), Cause::Ended));
    drop(listener);
    at_rest(base).await;
}

/// Bytes that are always there.
struct Endless(Box<dyn Iterator<Item = u8> + Send>);

impl AsyncRead for Endless {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let bytes: Vec<u8> = self.0.by_ref().take(buffer.remaining().min(500)).collect();
        buffer.put_slice(&bytes);
        Poll::Ready(Ok(()))
    }
}

/// A stream that is always ready does not keep the runtime's thread, nor its own user. The server takes its
/// client, and then sends heartbeats, more than can be read.
#[tokio::test]
async fn a_stream_that_is_always_ready() {
    let says = taken().into_iter().chain(frame(BEAT, b"").into_iter().cycle());
    let via = over(tokio::io::join(Endless(Box::new(says)), tokio::io::sink()));
    let (client, link) = talk::connect_with_link_async(&via).await.expect("it takes everyone");
    let asking = client.question(1).expect("the link stands");
    yield_now().await;
    assert!(matches!(link.cause(), Cause::Open), "{link:?}");
    drop(asking);
    while matches!(link.cause(), Cause::Open) {
        yield_now().await;
    }
    assert!(matches!(link.cause(), Cause::LeftHere), "{link:?}");
}
