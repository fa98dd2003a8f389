//! Senders as `futures::Sink`s.

use super::flavor::{Flavor, Receiver, TaskReceiver};
use crate::{Counted, DropCounter, WakeCounter, give_way, spawn};
use futures::executor::block_on;
use futures::future::{FutureExt, LocalBoxFuture, join};
use futures::sink::Sink;
use futures::stream::{self, Stream};
use futures::{SinkExt, StreamExt, poll};
use pipes::SendError;
use std::task::{Context, Poll, Waker};

/// All messages arrive in order, and then the close: those that are sent one by one, and those of a stream
/// that is forwarded to the sink.
pub fn sent_and_closed<F: Flavor<Sender: Sink<Counted> + Unpin>>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = F::channel();
    let source = drops.clone();
    let sending = spawn(move || {
        for number in 0..50 {
            assert!(block_on(sender.send(source.make(number))).is_ok());
        }
        let messages = stream::iter(50..100).map(|number| Ok(source.make(number)));
        assert!(block_on(messages.forward(sender)).is_ok());
    });
    for number in 0..100 {
        assert_eq!(receiver.recv().expect("a message was sent").number, number);
    }
    assert!(receiver.recv().is_none());
    sending.join().expect("all messages are sent");
    drops.assert_all_dropped();
}

/// The ways to send in the next test.
const SENDS: [&str; 4] = ["send", "feed, flush and close", "forward", "send_all and a buffer"];
/// The ways to receive.
const RECEIVES: [&str; 3] = ["a stream", "cancelled receives", "chunks that are ready"];

fn send_all<S>(mut sender: S, drops: DropCounter, how: &str) -> LocalBoxFuture<'static, ()>
where
    S: Sink<Counted, Error: std::fmt::Debug> + Unpin + 'static,
{
    let mut messages = stream::iter((0..60).map(move |number| Ok(drops.make(number))));
    match how {
        "forward" => messages.forward(sender).map(|sent| sent.expect("the receiver is there")).boxed_local(),
        "send_all and a buffer" => async move {
            let mut sender = sender.buffer(3);
            sender.send_all(&mut messages).await.expect("the receiver is there");
            sender.close().await.expect("the receiver is there");
        }
        .boxed_local(),
        "send" => async move {
            while let Some(Ok(message)) = messages.next().await {
                sender.send(message).await.expect("the receiver is there");
            }
        }
        .boxed_local(),
        _ => async move {
            while let Some(Ok(message)) = messages.next().await {
                sender.feed(message).await.expect("the receiver is there");
                if poll!(&mut sender.flush()).is_pending() {
                    give_way(1).await;
                }
            }
            sender.close().await.expect("the receiver is there");
            // It is closed, although it is not dropped.
            give_way(1).await;
        }
        .boxed_local(),
    }
}

async fn receive_all<R>(mut receiver: R, how: &str) -> Vec<u64>
where
    R: Stream<Item = Counted> + Unpin + TaskReceiver,
{
    let mut all = Vec::new();
    match how {
        "a stream" => all = receiver.map(|message| message.number).collect().await,
        "cancelled receives" => loop {
            let polled = poll!(&mut receiver.recv_async());
            match polled {
                Poll::Ready(Some(message)) => all.push(message.number),
                Poll::Ready(None) => break,
                Poll::Pending => give_way(1).await,
            }
        },
        _ => {
            let chunks: Vec<_> = receiver.ready_chunks(4).concat().await;
            all.extend(chunks.iter().map(|message| message.number));
        }
    }
    all
}

/// A sink and a stream in one task, each used in every way.
pub fn both_sides_in_one_task<F>()
where
    F: Flavor<Sender: Sink<Counted, Error: std::fmt::Debug> + Unpin>,
    F::Receiver: Stream<Item = Counted> + Unpin + TaskReceiver,
{
    for (send, receive) in SENDS.iter().flat_map(|send| RECEIVES.map(|receive| (send, receive))) {
        let drops = DropCounter::new();
        let (sender, receiver) = F::channel();
        let all = block_on(join(send_all(sender, drops.clone(), send), receive_all(receiver, receive))).1;
        assert!(all.into_iter().eq(0..60), "{send}, {receive}");
        drops.assert_all_dropped();
    }
}

/// Feeds the sink until it has to wait. Returns `false` if it never waits.
fn feed_until_it_waits<S: Sink<Counted> + Unpin>(sender: &mut S, drops: &DropCounter) -> bool {
    for number in 0..50 {
        let Poll::Ready(ready) = sender.poll_ready_unpin(&mut Context::from_waker(Waker::noop())) else {
            return true;
        };
        assert!(ready.is_ok() && sender.start_send_unpin(drops.make(number)).is_ok());
    }
    false
}

/// The receiver leaves. A sink that waits is woken and learns of it, and the next message comes back.
pub fn receiver_leaves<F: Flavor<Sender: Sink<Counted, Error = SendError<Option<Counted>>> + Unpin>>() {
    for waits in [false, true] {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let (mut sender, receiver) = F::channel();
        let waits = waits && feed_until_it_waits(&mut sender, &drops);
        let ready = sender.poll_ready_unpin(&mut Context::from_waker(&waker));
        assert_eq!(ready.is_pending(), waits);
        drop(receiver);
        assert_eq!(wakes.count(), usize::from(waits));
        let Poll::Ready(Err(SendError(offered))) =
            sender.poll_ready_unpin(&mut Context::from_waker(Waker::noop()))
        else {
            panic!("it is closed")
        };
        assert!(offered.is_none_or(|it| waits && it.number == 0), "at capacity 0 the first one is on offer");
        let back = sender.start_send_unpin(drops.make(99)).expect_err("it is closed").into_payload();
        assert_eq!(back.expect("it comes back").number, 99);
        assert!(block_on(sender.send(drops.make(100))).is_err());
        drop(sender);
        drops.assert_all_dropped();
    }
}
