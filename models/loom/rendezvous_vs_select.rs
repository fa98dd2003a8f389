//! A sender withdraws its offer while a selection looks at two ports. Before it does so, a message is sent to
//! the other port. So one of the two is ready at each moment, and `default` does not run.

use crate::support::Bell;
use loom::thread;
use pipes::{Chan, select, stream, sync_stream};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Offers a message when it is polled, and withdraws it when it is polled again. Returns the chan.
fn offer(mut chan: Chan<u32>) -> Pin<Box<impl Future<Output = Chan<u32>> + Send>> {
    Box::pin(async move {
        let (mut sending, mut polls) = (chan.send_async(1), 0);
        poll_fn(|cx| {
            polls += 1;
            let polled = Pin::new(&mut sending).poll(cx).map(drop);
            if polls == 2 { Poll::Ready(()) } else { polled }
        })
        .await;
        drop(sending);
        chan
    })
}

#[test]
fn withdrawn_vs_default() {
    loom::model(|| {
        let ((chan, mut first), (mut other, mut second)) = (sync_stream(0), stream());
        let (_, waker) = Bell::new();
        let mut offer = offer(chan);
        assert!(offer.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        let moves = thread::spawn(move || {
            other.send(9).expect("the port is there");
            let chan = offer.as_mut().poll(&mut Context::from_waker(&waker));
            (chan, other)
        });
        let is_received = select! {
            message = second => message.is_ok(),
            message = first => message.is_ok(),
            default => false,
        };
        drop((moves.join().unwrap(), first, second));
        assert!(is_received, "one of the two is ready");
    });
}
