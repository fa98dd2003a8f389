//! The `select!` of `futures` skips a stream that reports that it is terminated. A port must report this only
//! after it has returned `None`, not when the end has come. Otherwise a loop that stops at the end would
//! never see it, and wait forever for its other receivers.

use futures::stream::FusedStream;
use futures::{Stream, StreamExt};
use pipes::{Listener, Port, listen, shared_stream, stream, sync_stream};
use pipes_tests::{greeting, watched};
use std::fmt::Debug;

/// Selects between a receiver and an idle one, and stops at the end of the first. Its sender leaves while the
/// task is busy with a message. Returns how many messages came.
fn stops_at_the_end<S>(kind: &str, mut port: S, mut leave: impl FnMut(), messages: usize) -> usize
where
    S: Stream<Item: Debug> + FusedStream + Unpin,
{
    let (_idle, mut never) = stream::<u32>();
    let mut count = 0;
    futures::executor::block_on(async {
        loop {
            futures::select! {
                message = port.next() => match message {
                    None => break,
                    Some(_) => {
                        count += 1;
                        if count == messages {
                            // The task has not seen the end yet.
                            leave();
                        }
                    }
                },
                number = never.next() => panic!("{kind}: nothing sends {number:?}"),
            }
        }
    });
    count
}

fn of_a_port<C>(kind: &'static str, chan: C, port: Port<u32>) {
    let mut chan = Some(chan);
    assert_eq!(stops_at_the_end(kind, port, || drop(chan.take()), 1), 1, "{kind}");
}

#[test]
fn of_a_stream() {
    watched(|| {
        let (mut chan, port) = stream();
        chan.send(1).expect("the port is there");
        of_a_port("a stream", chan, port);
    });
}

#[test]
fn of_a_stream_with_a_limit() {
    watched(|| {
        let (mut chan, port) = sync_stream(1);
        chan.send(1).expect("the port is there");
        of_a_port("a stream with a limit", chan, port);
    });
}

#[test]
fn of_a_stream_of_many() {
    watched(|| {
        let (chan, port) = shared_stream();
        chan.send(1).expect("the port is there");
        of_a_port("a stream of many", chan, port);
    });
}

#[test]
fn of_a_listener() {
    watched(|| {
        let (connector, listener): (_, Listener<greeting::Protocol<u32>>) = listen();
        let _client = connector.connect().expect("the listener is there");
        let mut connector = Some(connector);
        assert_eq!(stops_at_the_end("a listener", listener, || drop(connector.take()), 1), 1);
    });
}

/// No port says that it has ended before it has returned the end.
#[test]
fn none_says_so_before() {
    let (chan, port) = stream::<u32>();
    drop(chan);
    assert!(!port.is_terminated(), "a stream");
    let (chan, port) = sync_stream::<u32>(1);
    drop(chan);
    assert!(!port.is_terminated(), "a stream with a limit");
    let (chan, mut port) = shared_stream::<u32>();
    drop(chan);
    assert!(!port.is_terminated(), "a stream of many");
    assert_eq!(futures::executor::block_on(port.next()), None);
    assert!(port.is_terminated(), "a stream of many");
}

/// The end comes between the question and the poll, as when the last sender leaves in another thread. The
/// poll must return `Pending`, and not panic.
#[test]
fn the_end_comes_between_the_question_and_the_poll() {
    use futures::future::FusedFuture;
    let (chan, mut port) = shared_stream::<u32>();
    let mut next = port.select_next_some();
    assert!(!next.is_terminated());
    drop(chan);
    assert!(pipes_tests::poll_future(&mut next, std::task::Waker::noop()).is_pending());
}

/// After each message a task takes those that follow with `try_iter`, which does not tell whether more will
/// come. The task must still see the end.
fn drains_beside(kind: &str, mut port: Port<u32>) {
    let (_idle, mut never) = stream::<u32>();
    let mut count = 0;
    futures::executor::block_on(async {
        loop {
            futures::select! {
                message = port.next() => match message {
                    None => break,
                    Some(_) => count += 1 + port.try_iter().count(),
                },
                number = never.next() => panic!("{kind}: nothing sends {number:?}"),
            }
        }
    });
    assert_eq!(count, 2, "{kind}");
}

#[test]
fn drained_beside_a_stream() {
    watched(|| {
        let (mut chan, port) = stream();
        assert!(chan.send(1).and_then(|()| chan.send(2)).is_ok());
        drop(chan);
        drains_beside("a stream", port);
    });
}

#[test]
fn drained_beside_a_stream_with_a_limit() {
    watched(|| {
        let (mut chan, port) = sync_stream(2);
        assert!(chan.send(1).and_then(|()| chan.send(2)).is_ok());
        drop(chan);
        drains_beside("a stream with a limit", port);
    });
}
