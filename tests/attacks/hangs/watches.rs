//! A task watches whether its receiver has left, sends, and watches again, because a send may drop the waker.
//! The close must wake it.

use futures::Stream;
use pipes::{Chan, Port, stream, sync_stream};
use pipes_tests::{Bell, poll_future, watched};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Forwards messages until no more can come, or the receiver has left.
fn forward(mut from: Port<u32>, mut to: Chan<u32>) -> impl Future<Output = ()> + Unpin {
    poll_fn(move |cx: &mut Context<'_>| {
        loop {
            if to.poll_closed(cx).is_ready() {
                return Poll::Ready(());
            }
            match Pin::new(&mut from).poll_next(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Ready(Some(number)) => to.try_send(number).expect("there is room"),
            }
        }
    })
}

fn woken_by_the_close(kind: &str, make: impl Fn() -> (Chan<u32>, Port<u32>)) {
    for sends in 0..3 {
        let (mut source, from) = stream();
        let (to, mut port) = make();
        let mut task = forward(from, to);
        let (bell, waker) = Bell::new();
        for number in 0..sends {
            source.send(number).expect("the task is there");
            assert!(poll_future(&mut task, &waker).is_pending());
            assert_eq!(port.try_recv(), Ok(number));
        }
        assert!(poll_future(&mut task, &waker).is_pending());
        source.send(sends).expect("the task is there");
        assert!(poll_future(&mut task, &waker).is_pending());
        let before = bell.rings();
        drop(port);
        assert!(bell.rings() > before, "{kind}: the task sleeps for ever");
        assert!(poll_future(&mut task, &waker).is_ready());
    }
}

#[test]
fn of_a_stream() {
    watched(|| woken_by_the_close("without a limit", stream));
}

#[test]
fn of_a_stream_with_a_limit() {
    watched(|| woken_by_the_close("with a limit", || sync_stream(2)));
}
