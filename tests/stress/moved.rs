//! At each moment one of two arms is ready, because another thread makes the second one ready before it takes
//! or withdraws what is at the first. So a selection finds one, and `default` does not run, although the arms
//! are looked at one after the other. (The idea is that of crossbeam-channel's tests `linearizable_*`.)

use crate::race::{alone, race};
use pipes::{Chan, Port, PortSet, Readiness, SharedChan, select, shared_sync_stream, sync_stream};
use pipes_tests::Random;
use std::any::Any;
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// Ends of streams, which are kept until the selection has ended: an arm whose stream is closed is ready.
type Kept = Box<dyn Any + Send>;

/// What the other thread does: it makes the second arm ready, and takes or withdraws what is at the first.
type Move = Box<dyn FnOnce() -> Kept + Send>;

/// An arm that is never ready, and takes a while to say so.
struct Slow(RefCell<Random>);

impl Slow {
    fn recv(self) -> bool {
        unreachable!("it is never ready")
    }
}

impl Readiness for Slow {
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        self.0.get_mut().dawdle(5_000);
        Poll::Pending
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        unreachable!("it is never ready")
    }

    fn is_ready(&self) -> bool {
        self.0.borrow_mut().dawdle(5_000);
        false
    }

    fn is_closed(&self) -> bool {
        false
    }
}

/// `select` chooses one of two arms that `make` makes, while another thread moves what is at the first.
fn finds_one<A: Send + 'static>(
    make: impl Fn(usize) -> (A, Move) + Sync + Send + 'static,
    select: impl Fn(A, Slow) -> bool + Sync + Send + 'static,
) {
    const ROUNDS: usize = 20_000;
    alone(move || {
        let kept = Mutex::new(None);
        let keep = |ends| drop(kept.lock().expect("no thread panics with it").replace(ends));
        race(
            ROUNDS,
            |round| {
                let (arms, moves) = make(round);
                ((arms, Slow(RefCell::new(Random::new(round as u64)))), moves)
            },
            |(arms, slow)| assert!(select(arms, slow), "one of the two is ready"),
            |moves| keep(moves()),
        );
    });
}

/// An offer of a message, which owns its chan.
type Offer = Pin<Box<dyn Future<Output = Chan<u64>> + Send>>;

/// Offers a message when it is polled, and withdraws it when it is polled again, unless it was taken. Returns
/// the chan.
fn offer(mut chan: Chan<u64>) -> Offer {
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

/// Two ports at capacity 0, of which `arms` makes the arms. Then a message is offered to the first one, and
/// the other thread offers one to the second one, before it withdraws the first offer.
fn two_offered<A>(arms: impl FnOnce([Port<u64>; 2]) -> A) -> (A, Move) {
    let ((chan, first), (other, second)) = (sync_stream(0), sync_stream(0));
    let (arms, mut here, mut there) = (arms([first, second]), offer(chan), offer(other));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(here.as_mut().poll(&mut cx).is_pending());
    let moves = move || -> Kept {
        let mut cx = Context::from_waker(Waker::noop());
        let offered = there.as_mut().poll(&mut cx);
        let withdrawn = here.as_mut().poll(&mut cx);
        Box::new((offered, withdrawn, there, here))
    };
    (arms, Box::new(moves))
}

#[test]
fn default_with_offers() {
    finds_one(
        |_| two_offered(|ports| ports),
        |[mut first, mut second]: [Port<u64>; 2], mut slow| {
            select! {
                found = slow => found,
                message = first => message.is_ok(),
                message = second => message.is_ok(),
                default => false,
            }
        },
    );
}

/// An offer moves between two members of a set.
#[test]
fn members_of_a_set() {
    finds_one(
        |_| two_offered(|ports| ports.into_iter().collect::<PortSet<_>>()),
        |mut set: PortSet<Port<u64>>, _| set.try_recv().is_ok_and(|(_, message)| message.is_ok()),
    );
}

/// Room moves from a bounded stream with many senders to another one.
#[test]
fn default_with_two_that_send() {
    let make = |_| {
        let ((first, drain), (second, mut other)) = (shared_sync_stream(1), shared_sync_stream(1));
        second.send(1).expect("the port is here");
        let elsewhere = first.clone();
        let moves = move || -> Kept {
            let _ = other.recv();
            let _ = elsewhere.try_send(1);
            Box::new((drain, other))
        };
        ([first, second], Box::new(moves) as Move)
    };
    finds_one(make, |[mut first, mut second]: [SharedChan<u64>; 2], mut slow| {
        select! {
            found = slow => found,
            sent = first.send(2) => sent.is_ok(),
            sent = second.send(2) => sent.is_ok(),
            default => false,
        }
    });
}
