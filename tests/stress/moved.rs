//! At each moment one of two arms is ready, because another thread makes the second one ready before it takes
//! what is at the first. So a selection finds one, and `default` does not run, although the arms are looked
//! at one after the other. (The idea is that of crossbeam-channel's tests `linearizable_*`.)

use crate::race::{alone, race};
use pipes::{PortSet, Readiness, SharedChan, SharedPort, select, shared_sync_stream, stream};
use pipes_tests::Random;
use std::any::Any;
use std::cell::RefCell;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::time::Instant;

/// Ends of streams, which are kept until the selection has ended: an arm whose stream is closed is ready.
type Kept = Box<dyn Any + Send>;

/// What the other thread does: it makes the second arm ready, and takes what is at the first.
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
    finds_one(two_shared, |[mut first, mut second], mut slow| {
        select! {
            found = slow => found,
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
