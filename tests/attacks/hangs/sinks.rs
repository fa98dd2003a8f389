//! Chans as sinks, used in each order that a `Sink` allows: ready without a send, flushes in between, a close
//! that waits, the close watched before and after, and the chan's own methods in between; without a limit,
//! and with capacities 0 to 2. No call may hang.

use futures::{Sink, SinkExt, StreamExt};
use pipes::{Chan, Port, TrySendError, stream, sync_stream};
use pipes_tests::{Bell, watched};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

fn kinds() -> Vec<(&'static str, Chan<u32>, Port<u32>)> {
    let mut all = Vec::new();
    let (chan, port) = stream();
    all.push(("without a limit", chan, port));
    for (kind, room) in [("without room", 0), ("with little room", 1), ("with room", 2)] {
        let (chan, port) = sync_stream(room);
        all.push((kind, chan, port));
    }
    all
}

fn closed(chan: &mut Chan<u32>, waker: &Waker) -> bool {
    chan.poll_closed(&mut Context::from_waker(waker)).is_ready()
}

/// After a close each method must report it, and none may wait.
#[test]
fn what_was_closed_as_a_sink() {
    watched(|| {
        for (kind, mut chan, mut port) in kinds() {
            let (bell, waker) = Bell::new();
            let mut cx = Context::from_waker(&waker);
            assert!(!closed(&mut chan, &waker), "{kind}");
            assert!(matches!(Pin::new(&mut chan).poll_close(&mut cx), Poll::Ready(Ok(()))), "{kind}");
            assert!(chan.is_closed(), "{kind}");
            assert!(closed(&mut chan, Waker::noop()), "{kind}");
            chan.wait_closed();
            assert!(matches!(chan.try_send(1), Err(TrySendError::Closed(1))), "{kind}");
            assert!(chan.send(2).is_err(), "{kind}");
            assert!(futures::executor::block_on(chan.send_async(3)).is_err(), "{kind}");
            assert!(Pin::new(&mut chan).poll_flush(&mut cx).is_ready(), "{kind}");
            assert!(Pin::new(&mut chan).poll_ready(&mut cx).is_ready(), "{kind}");
            assert!(Pin::new(&mut chan).start_send(4).is_err(), "{kind}");
            assert!(matches!(Pin::new(&mut chan).poll_close(&mut cx), Poll::Ready(Ok(()))), "{kind}");
            assert!(port.recv().is_err(), "{kind}");
            drop(bell);
        }
    });
}

/// A message that is still an offer when the close is polled, and is taken after that, counts as sent; then
/// the close is ready.
#[test]
fn a_close_that_waits() {
    watched(|| {
        for waits in [false, true] {
            let (mut chan, mut port) = sync_stream(0);
            let (bell, waker) = Bell::new();
            let mut cx = Context::from_waker(&waker);
            assert!(Pin::new(&mut chan).poll_ready(&mut cx).is_ready());
            Pin::new(&mut chan).start_send(1).expect("the port is there");
            assert!(Pin::new(&mut chan).poll_close(&mut cx).is_pending());
            assert!(!closed(&mut chan, &waker));
            assert!(Pin::new(&mut chan).poll_close(&mut cx).is_pending());
            if waits {
                let receiver = thread::spawn(move || (port.recv(), port.recv()));
                while Pin::new(&mut chan).poll_close(&mut cx).is_pending() {
                    while bell.rings() == 0 {
                        thread::yield_now();
                    }
                }
                assert_eq!(receiver.join().expect("it does not panic"), (Ok(1), Err(pipes::RecvError)));
            } else {
                drop(port);
                assert!(bell.rings() > 0);
                let Poll::Ready(Err(back)) = Pin::new(&mut chan).poll_close(&mut cx) else {
                    panic!("it has left")
                };
                assert_eq!(back.into_payload(), 1);
            }
        }
    });
}

/// The combinators of `futures`, between a thread and a task, and within one task.
#[test]
fn combinators() {
    watched(|| {
        for (kind, chan, port) in kinds() {
            let numbers = futures::stream::iter((0..100).map(Ok));
            let sender = thread::spawn(move || {
                futures::executor::block_on(numbers.forward(chan.buffer(3))).expect("the port is there");
            });
            assert!(port.into_iter().eq(0..100), "{kind}");
            sender.join().expect("it does not panic");
        }
        for (kind, mut chan, port) in kinds() {
            let sends = async move {
                let mut numbers = futures::stream::iter((0..100).map(Ok));
                SinkExt::send_all(&mut chan, &mut numbers).await.expect("the port is there");
                chan.flush().await.expect("the port is there");
                chan.feed(100).await.expect("the port is there");
                SinkExt::close(&mut chan).await.expect("the port is there");
                chan
            };
            let (_chan, all) =
                futures::executor::block_on(futures::future::join(sends, port.ready_chunks(4).concat()));
            assert!(all.into_iter().eq(0..101), "{kind}");
        }
        for (kind, chan, port) in kinds() {
            let (other, mut last) = sync_stream(0);
            let through = port.map(|number| number + 1).map(Ok).forward(other);
            let numbers = futures::stream::iter((0..100).map(Ok)).forward(chan);
            let end = async { last.by_ref().collect::<Vec<_>>().await };
            let (all, one, two) = futures::executor::block_on(futures::future::join3(end, through, numbers));
            assert!(one.is_ok() && two.is_ok() && all.into_iter().eq(1..101), "{kind}");
        }
    });
}

/// A task is ready to send, and does not send through the sink; the chan's own `send` is used instead.
#[test]
fn readiness_that_is_not_used() {
    watched(|| {
        for (kind, mut chan, mut port) in kinds() {
            let mut cx = Context::from_waker(Waker::noop());
            for number in 0..10 {
                let receiver = thread::spawn(move || (port.recv(), port));
                while Pin::new(&mut chan).poll_ready(&mut cx).is_pending() {}
                while Pin::new(&mut chan).poll_flush(&mut cx).is_pending() {}
                chan.send(number).expect("the port is there");
                let (received, back) = receiver.join().expect("it does not panic");
                assert_eq!(received, Ok(number), "{kind}");
                port = back;
            }
        }
    });
}
