//! At each moment one of two arms is ready, because another thread makes the second one ready before it takes
//! what is at the first. So a selection finds one, and `default` and `timeout` do not run, although the arms
//! are looked at one after the other. (The idea is that of crossbeam-channel's tests `linearizable_*`.)

use crate::race::{alone, race};
use futures::executor::block_on;
use pipes::{
    Chan, Port, PortSet, SharedChan, SharedPort, select, select_async, shared_sync_stream, stream,
    sync_stream,
};
use std::any::Any;
use std::future::{Future, poll_fn, ready};
use std::mem::replace;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Ends of streams, which are kept until the selection has ended: an arm whose stream is closed is ready.
type Kept = Box<dyn Any + Send>;

/// What the other thread does: it makes the second arm ready, and takes what is at the first.
type Move = Box<dyn FnOnce() -> Kept + Send>;

/// Ports of streams into which nothing is sent.
type Idle = [Port<u64>; 3];

/// A selection that has three idle arms as well, so that it takes longer.
macro_rules! beside_idle {
    ($select:ident, $idle:expr, $($arms:tt)*) => {{
        let [mut one, mut two, mut three] = $idle;
        $select! { _ = one => false, _ = two => false, _ = three => false, $($arms)* }
    }};
}

/// `select` chooses one of two arms that `make` makes, while another thread moves what is at the first.
fn finds_one<A: Send + 'static>(
    make: impl Fn(usize) -> (A, Move) + Sync + Send + 'static,
    select: impl Fn(A, Idle) -> bool + Sync + Send + 'static,
) {
    const ROUNDS: usize = 20_000;
    alone(move || {
        let kept = Mutex::new(None);
        let keep = |ends| drop(kept.lock().expect("no thread panics with it").replace(ends));
        race(
            ROUNDS,
            |round| {
                let (arms, moves) = make(round);
                let [one, two, three] = [stream(), stream(), stream()];
                ((arms, [one.1, two.1, three.1], [one.0, two.0, three.0]), moves)
            },
            |(arms, idle, _open)| assert!(select(arms, idle), "one of the two is ready"),
            |moves| keep(moves()),
        );
    });
}

/// Two shared ports, between which a message moves. In each second round it lies in the tray.
fn two_shared(round: usize) -> ([SharedPort<u64>; 2], Move) {
    let ((mut chan, first), (mut other, second)) = (stream(), stream());
    let (mut first, second) = (first.into_shared(), second.into_shared());
    chan.send(1).expect("the port is here");
    if round.is_multiple_of(2) {
        chan.send(1).expect("the port is here");
        assert_eq!(first.recv(), Ok(1));
    }
    let mut elsewhere = first.clone();
    let moves = move || -> Kept {
        // The selection may have ended, and its ports with it.
        let _ = other.send(1);
        let _ = elsewhere.try_recv();
        Box::new((chan, other))
    };
    ([first, second], Box::new(moves))
}

#[test]
fn default_with_shared_ports() {
    finds_one(two_shared, |[mut first, mut second], idle| {
        beside_idle! { select, idle,
            message = first => message.is_ok(),
            message = second => message.is_ok(),
            default => false,
        }
    });
}

#[test]
fn no_time_with_shared_ports() {
    finds_one(two_shared, |[mut first, mut second], idle| {
        beside_idle! { select, idle,
            message = first => message.is_ok(),
            message = second => message.is_ok(),
            timeout(Duration::ZERO) => false,
        }
    });
}

#[test]
fn a_short_time_with_shared_ports() {
    finds_one(two_shared, |[mut first, mut second], idle| {
        beside_idle! { select, idle,
            message = first => message.is_ok(),
            message = second => message.is_ok(),
            timeout(Duration::from_nanos(1)) => false,
        }
    });
}

#[test]
fn tasks_with_shared_ports() {
    finds_one(two_shared, |[mut first, mut second], idle| {
        block_on(async {
            beside_idle! { select_async, idle,
                message = first => message.is_ok(),
                        message = second => message.is_ok(),
                    timeout(ready(())) => false,
            }
        })
    });
}

/// A message moves from a shared port to one that nobody else has.
#[test]
fn default_with_a_shared_port_and_another_one() {
    let make = |_| {
        let ((mut chan, first), (mut other, second)) = (stream(), stream());
        let first = first.into_shared();
        chan.send(1).expect("the port is here");
        let mut elsewhere = first.clone();
        let moves = move || -> Kept {
            let _ = other.send(1);
            let _ = elsewhere.try_recv();
            Box::new((chan, other))
        };
        ((first, second), Box::new(moves) as Move)
    };
    finds_one(make, |(mut first, mut second), idle| {
        beside_idle! { select, idle,
            message = first => message.is_ok(),
            message = second => message.is_ok(),
            default => false,
        }
    });
}

/// A message moves between two members of a set.
#[test]
fn members_of_a_set() {
    let make = |round| {
        let (ports, moves) = two_shared(round);
        (PortSet::from_iter(ports), moves)
    };
    finds_one(make, |mut set, _| set.try_recv().is_ok_and(|(_, message)| message.is_ok()));
}

/// A message moves from a member of a set to a port beside it, or the other way round.
#[test]
fn default_with_a_set() {
    let make = |round| {
        let ([first, second], moves) = two_shared(round);
        let (member, beside) = if round % 4 < 2 { (first, second) } else { (second, first) };
        ((PortSet::from_iter([member]), beside), moves)
    };
    finds_one(make, |(mut set, mut beside), idle| {
        beside_idle! { select, idle,
            message = set => message.is_ok_and(|(_, message)| message.is_ok()),
            message = beside => message.is_ok(),
            default => false,
        }
    });
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
    finds_one(make, |[mut first, mut second]: [SharedChan<u64>; 2], idle| {
        beside_idle! { select, idle,
            sent = first.send(2) => sent.is_ok(),
            sent = second.send(2) => sent.is_ok(),
            default => false,
        }
    });
}

/// Another thread makes room move to a port: it sends there before it takes the room.
#[test]
fn default_with_one_that_sends_and_a_port() {
    let make = |_| {
        let ((first, drain), (mut other, second)) = (shared_sync_stream(1), stream());
        let elsewhere = first.clone();
        let moves = move || -> Kept {
            let _ = other.send(1);
            let _ = elsewhere.try_send(1);
            Box::new((drain, other))
        };
        ((first, second), Box::new(moves) as Move)
    };
    finds_one(make, |(mut first, mut second), idle| {
        beside_idle! { select, idle,
            sent = first.send(2) => sent.is_ok(),
            message = second => message.is_ok(),
            default => false,
        }
    });
}

/// Offers a message when it is polled, and withdraws it when it is polled again. Returns the chan.
fn offer(mut chan: Chan<u64>) -> Pin<Box<impl Future<Output = Chan<u64>> + Send>> {
    Box::pin(async move {
        let mut sending = chan.send_async(1);
        let mut is_offered = false;
        poll_fn(|cx| {
            let polled = Pin::new(&mut sending).poll(cx).map(drop);
            if replace(&mut is_offered, true) { Poll::Ready(()) } else { polled }
        })
        .await;
        drop(sending);
        chan
    })
}

/// At capacity 0 a sender offers a message elsewhere before it withdraws the first offer.
#[test]
fn default_with_offers() {
    let make = |_| {
        let ((chan, first), (other, second)) = (sync_stream(0), sync_stream(0));
        let (mut first_offer, mut second_offer) = (offer(chan), offer(other));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(first_offer.as_mut().poll(&mut cx).is_pending());
        let moves = move || -> Kept {
            let mut cx = Context::from_waker(Waker::noop());
            let offered = second_offer.as_mut().poll(&mut cx);
            let withdrawn = first_offer.as_mut().poll(&mut cx);
            Box::new((second_offer, offered, withdrawn))
        };
        ([first, second], Box::new(moves) as Move)
    };
    finds_one(make, |[mut first, mut second], idle| {
        beside_idle! { select, idle,
            message = first => message.is_ok(),
            message = second => message.is_ok(),
            default => false,
        }
    });
}
