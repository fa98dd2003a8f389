//! A sink that collects values and sends them in runs.

use futures::executor::block_on;
use futures::{FutureExt, Sink, SinkExt, StreamExt, stream};
use pipes::{BatchSink, SendError};
use pipes_tests::{Bell, Counted, Tally, caught, watched};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

type Outcome<T> = Result<(), SendError<Vec<T>>>;

fn poll_ready<T>(sink: &mut BatchSink<T>, waker: &Waker) -> Poll<Outcome<T>> {
    Pin::new(sink).poll_ready(&mut Context::from_waker(waker))
}

fn poll_flush<T>(sink: &mut BatchSink<T>, waker: &Waker) -> Poll<Outcome<T>> {
    Pin::new(sink).poll_flush(&mut Context::from_waker(waker))
}

fn start_send<T>(sink: &mut BatchSink<T>, value: T) -> Outcome<T> {
    Pin::new(sink).start_send(value)
}

/// A full batch is sent at once, the rest by a flush, all in order.
#[test]
fn a_batch_is_sent_when_it_is_full() {
    let (chan, mut port) = pipes::stream();
    let mut sink = chan.into_batch_sink(3);
    for number in 0..8 {
        assert!(poll_ready(&mut sink, Waker::noop()).is_ready());
        start_send(&mut sink, number).expect("the port is here");
    }
    assert_eq!(port.drain(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(sink.collected(), [6, 7]);
    assert!(poll_flush(&mut sink, Waker::noop()).is_ready());
    assert_eq!(port.drain(), [6, 7]);
}

/// The receiver is woken once for each batch.
#[test]
fn a_batch_wakes_once() {
    let (chan, mut port) = pipes::stream();
    let mut sink = chan.into_batch_sink(4);
    let (bell, waker) = Bell::new();
    assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
    for number in 0..3 {
        start_send(&mut sink, number).expect("the port is here");
        assert_eq!(bell.rings(), 0);
    }
    start_send(&mut sink, 3).expect("the port is here");
    assert_eq!(bell.rings(), 1);
    assert_eq!(port.drain(), [0, 1, 2, 3]);
}

/// In a bounded stream, what has no room stays collected, and the sink waits.
#[test]
fn a_sink_waits_for_room() {
    let (chan, mut port) = pipes::sync_stream(2);
    let mut sink = chan.into_batch_sink(3);
    (0..3).for_each(|number| start_send(&mut sink, number).expect("the port is here"));
    assert_eq!(sink.collected(), [2], "there was room for two");
    let (bell, waker) = Bell::new();
    assert!(poll_ready(&mut sink, &waker).is_ready(), "it can collect two more");
    (3..5).for_each(|number| start_send(&mut sink, number).expect("the port is here"));
    assert!(poll_ready(&mut sink, &waker).is_pending());
    assert_eq!(port.recv(), Ok(0));
    assert_eq!(bell.rings(), 1);
    assert!(poll_ready(&mut sink, &waker).is_ready());
    assert_eq!(sink.collected(), [3, 4]);
    assert!(poll_flush(&mut sink, &waker).is_pending());
    assert_eq!(port.drain(), [1, 2]);
    assert_eq!(bell.rings(), 2);
    assert!(poll_flush(&mut sink, &waker).is_ready());
    assert_eq!(port.drain(), [3, 4]);
}

/// `forward` sends everything, flushes and closes, whatever the room and the batch.
#[test]
fn a_stream_is_forwarded() {
    watched(|| {
        for capacity in [None, Some(1), Some(3), Some(64)] {
            for batch in [1, 2, 64, 5000] {
                let (chan, port) = capacity.map_or_else(pipes::stream, pipes::sync_stream);
                let sends = thread::spawn(move || {
                    block_on(stream::iter(0..1000).map(Ok).forward(chan.into_batch_sink(batch)))
                });
                assert!(port.into_iter().eq(0..1000));
                assert!(sends.join().expect("it does not panic").is_ok());
            }
        }
    });
}

/// `feed` collects, `send` flushes, `close` flushes and closes.
#[test]
fn the_verbs_of_sinks() {
    block_on(async {
        let (chan, mut port) = pipes::stream();
        let mut sink = chan.into_batch_sink(10);
        sink.feed(1).await?;
        assert!(port.is_empty());
        sink.send(2).await?;
        assert_eq!(port.drain(), [1, 2]);
        sink.feed(3).await?;
        sink.close().await?;
        assert_eq!((port.recv(), port.recv()), (Ok(3), Err(pipes::RecvError)));
        assert_eq!(sink.send(4).await.expect_err("it is closed").into_payload(), [4]);
        Ok::<(), SendError<Vec<i32>>>(())
    })
    .expect("the port is here");
}

/// An error contains everything that was not sent, in order.
#[test]
fn the_port_leaves() {
    for is_flush in [false, true] {
        let (chan, mut port) = pipes::sync_stream(2);
        let mut sink = chan.into_batch_sink(4);
        (0..4).for_each(|number| start_send(&mut sink, number).expect("the port is here"));
        (4..6).for_each(|number| start_send(&mut sink, number).expect("the port is here"));
        assert_eq!(port.recv(), Ok(0));
        let waits = poll_flush(&mut sink, Waker::noop());
        assert!(waits.is_pending());
        let left = port.close();
        assert_eq!(left, [1, 2]);
        let failed = if is_flush {
            poll_flush(&mut sink, Waker::noop())
        } else {
            Poll::Ready(start_send(&mut sink, 6))
        };
        let Poll::Ready(Err(error)) = failed else { panic!("the port has left") };
        assert!(error.into_payload().into_iter().eq(if is_flush { 3..6 } else { 3..7 }));
        assert!(sink.collected().is_empty());
        assert_eq!(start_send(&mut sink, 9), Ok(()), "it is collected");
        assert_eq!(sink.into_parts().1, [9]);
    }
}

/// Dropping the sink sends what has room, and drops the rest, each once.
#[test]
fn a_sink_is_dropped() {
    for capacity in [None, Some(2)] {
        let tally = Tally::new();
        let (chan, port) = capacity.map_or_else(pipes::stream, pipes::sync_stream);
        let mut sink = chan.into_batch_sink(10);
        (0..5).for_each(|number| start_send(&mut sink, tally.make(number)).expect("the port is here"));
        drop(sink);
        let sent = port.into_iter().map(|value: Counted| value.number);
        assert!(sent.eq(0..if capacity.is_some() { 2 } else { 5 }));
        tally.assert_all_gone();
    }
}

/// A waker that panics costs nothing that was collected and not sent.
#[test]
fn a_waker_panics() {
    let tally = Tally::new();
    let (chan, mut port) = pipes::sync_stream(2);
    let mut sink = chan.into_batch_sink(3);
    let (_bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
    assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
    (0..2).for_each(|number| start_send(&mut sink, tally.make(number)).expect("the port is here"));
    let last = tally.make(2);
    assert!(caught(|| start_send(&mut sink, last)).is_some(), "the panic is not swallowed");
    assert_eq!(sink.collected().iter().map(|value| value.number).collect::<Vec<_>>(), [2]);
    assert_eq!(port.drain().len(), 2);
    assert!(sink.flush().now_or_never().is_some_and(|sent| sent.is_ok()));
    assert_eq!(port.drain().len(), 1);
    tally.assert_all_gone();
}

/// The chan comes back, with what was not sent.
#[test]
fn the_parts() {
    let (chan, mut port) = pipes::sync_stream(8);
    let mut sink = chan.into_batch_sink(4);
    (0..3).for_each(|number| start_send(&mut sink, number).expect("the port is here"));
    let (mut chan, mut values) = sink.into_parts();
    assert!(port.is_empty());
    chan.send_all(&mut values).expect("the port is here");
    chan.send(3).expect("the port is here");
    assert_eq!(port.drain(), [0, 1, 2, 3]);
}

/// What makes no sense is refused.
#[test]
fn a_batch_has_a_size_and_room() {
    assert!(caught(|| pipes::stream::<u8>().0.into_batch_sink(0)).is_some());
    assert!(caught(|| pipes::sync_stream::<u8>(0).0.into_batch_sink(1)).is_some());
}
