//! At each moment one of two arms is ready, but not always the same one: others make one ready, and then take
//! or withdraw what is at the other. So a selection finds one, and `default` and `timeout` do not run,
//! although the arms are looked at one after the other.
//!
//! (crossbeam-channel's tests `linearizable_*` ask the same of two threads. Here it is an arm that moves what
//! is there, when it is looked at.)

use futures::executor::block_on;
use pipes::{
    Chan, Closed, Port, PortSet, Readiness, select, select_async, shared_sync_stream, stream, sync_stream,
};
use pipes_tests::watched;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn, ready};
use std::hash::{Hash, Hasher};
use std::mem::replace;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// Enough for every order in which the arms are looked at.
const ROUNDS: usize = 200;

/// An arm that is never ready, and calls a function whenever it is looked at.
struct Aside<F>(RefCell<F>);

fn aside<F: FnMut()>(look: F) -> Aside<F> {
    Aside(RefCell::new(look))
}

/// The same; it calls the function at the first look only.
fn once(look: impl FnOnce()) -> Aside<impl FnMut()> {
    let mut look = Some(look);
    aside(move || look.take().map_or((), |look| look()))
}

impl<F: FnMut()> Aside<F> {
    fn recv(self) -> bool {
        unreachable!("it is never ready")
    }
}

impl<F: FnMut()> Readiness for Aside<F> {
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        self.0.get_mut()();
        Poll::Pending
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        unreachable!("it is never ready")
    }

    fn is_ready(&self) -> bool {
        self.0.borrow_mut()();
        false
    }

    fn is_closed(&self) -> bool {
        false
    }
}

/// Offers a message when it is polled, and withdraws it when it is polled again. Returns the chan.
fn offer(mut chan: Chan<u64>) -> Pin<Box<impl Future<Output = Chan<u64>>>> {
    Box::pin(async move {
        let mut sending = chan.send_async(1);
        let mut is_offered = false;
        poll_fn(|cx| {
            assert!(Pin::new(&mut sending).poll(cx).is_pending(), "it was not taken");
            if replace(&mut is_offered, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        drop(sending);
        chan
    })
}

/// Two ports at capacity 0, and a function that offers a message to the first one. When it is called again,
/// it offers one to the other port, before it withdraws the first offer; and so on.
fn two_offered() -> ([Port<u64>; 2], impl FnMut()) {
    let ((chan, first), (other, second)) = (sync_stream(0), sync_stream(0));
    let (mut idle, mut offered) = (VecDeque::from([chan, other]), None);
    let moves = move || {
        let mut cx = Context::from_waker(Waker::noop());
        let mut next = offer(idle.pop_front().expect("one at least is idle"));
        assert!(next.as_mut().poll(&mut cx).is_pending());
        if let Some(mut before) = offered.replace(next) {
            let Poll::Ready(chan) = before.as_mut().poll(&mut cx) else { panic!("it is withdrawn") };
            idle.push_back(chan);
        }
    };
    ([first, second], moves)
}

/// The same after the first offer.
fn one_offered() -> ([Port<u64>; 2], impl FnMut()) {
    let (ports, mut moves) = two_offered();
    moves();
    (ports, moves)
}

#[test]
fn default_with_offers() {
    watched(|| {
        for _ in 0..ROUNDS {
            let ([mut first, mut second], moves) = one_offered();
            let mut aside = aside(moves);
            assert!(select! {
                message = first => message.is_ok(),
                found = aside => found,
                message = second => message.is_ok(),
                default => false,
            });
        }
    });
}

#[test]
fn a_time_that_has_passed() {
    watched(|| {
        for round in 0..ROUNDS {
            let ([mut first, mut second], moves) = one_offered();
            let mut aside = aside(moves);
            // With the longer time it waits, and finds one when the time has passed.
            let time = Duration::from_nanos(u64::from(round % 2 == 0));
            assert!(select! {
                message = first => message.is_ok(),
                found = aside => found,
                message = second => message.is_ok(),
                timeout(time) => false,
            });
        }
    });
}

#[test]
fn default_in_tasks() {
    watched(|| {
        for _ in 0..ROUNDS {
            let ([mut first, mut second], moves) = one_offered();
            let mut aside = aside(moves);
            assert!(block_on(async {
                select_async! {
                    message = first => message.is_ok(),
                    found = aside => found,
                    message = second => message.is_ok(),
                    default => false,
                }
            }));
        }
    });
}

#[test]
fn a_timer_that_is_ready_in_tasks() {
    watched(|| {
        for _ in 0..ROUNDS {
            let ([mut first, mut second], moves) = one_offered();
            let mut aside = aside(moves);
            assert!(block_on(async {
                select_async! {
                    message = first => message.is_ok(),
                    found = aside => found,
                    message = second => message.is_ok(),
                    timeout(ready(())) => false,
                }
            }));
        }
    });
}

/// A message is sent to a port, before the offer at another one is withdrawn.
#[test]
fn from_an_offer_to_a_message() {
    watched(|| {
        let mut cx = Context::from_waker(Waker::noop());
        for _ in 0..ROUNDS {
            let ((chan, mut first), (mut other, mut second)) = (sync_stream(0), stream());
            let mut here = offer(chan);
            assert!(here.as_mut().poll(&mut cx).is_pending());
            let mut chan = Poll::Pending;
            let mut aside = once(|| {
                other.send(1).expect("the port is here");
                chan = here.as_mut().poll(&mut cx);
                assert!(chan.is_ready());
            });
            assert!(select! {
                message = first => message.is_ok(),
                found = aside => found,
                message = second => message.is_ok(),
                default => false,
            });
        }
    });
}

/// Room is made in one bounded stream, before it is taken in another one.
#[test]
fn room_between_two_chans() {
    watched(|| {
        for _ in 0..ROUNDS {
            let ((mut first, _port), (mut second, mut other)) =
                (shared_sync_stream(1), shared_sync_stream(1));
            second.send(1).expect("the port is here");
            let elsewhere = first.clone();
            let mut aside = once(|| {
                assert_eq!(other.recv(), Ok(1));
                elsewhere.try_send(1).expect("there is room");
            });
            assert!(select! {
                sent = first.send(2) => sent.is_ok(),
                found = aside => found,
                sent = second.send(2) => sent.is_ok(),
                default => false,
            });
        }
    });
}

/// A message is sent to a port, before the room of a bounded stream is taken.
#[test]
fn from_room_to_a_message() {
    watched(|| {
        for _ in 0..ROUNDS {
            let ((mut first, _port), (mut other, mut second)) = (shared_sync_stream(1), stream());
            let elsewhere = first.clone();
            let mut aside = once(|| {
                other.send(1).expect("the port is here");
                elsewhere.try_send(1).expect("there is room");
            });
            assert!(select! {
                sent = first.send(2) => sent.is_ok(),
                found = aside => found,
                message = second => message.is_ok(),
                default => false,
            });
        }
    });
}

/// An offer moves between a member of a set and a port beside it.
#[test]
fn a_set_and_a_port() {
    watched(|| {
        for round in 0..ROUNDS {
            let ([first, second], mut moves) = two_offered();
            let (member, mut beside) = if round % 2 == 0 { (first, second) } else { (second, first) };
            let mut set = PortSet::from_iter([member]);
            moves();
            let mut aside = aside(moves);
            assert!(select! {
                turn = set => turn.is_ok_and(|(_, message)| message.is_ok()),
                found = aside => found,
                message = beside => message.is_ok(),
                default => false,
            });
        }
    });
}

/// A key that calls a function when it is cloned, which a set does at the member's turn.
struct Key(usize, Rc<RefCell<dyn FnMut()>>);

impl Clone for Key {
    fn clone(&self) -> Self {
        self.1.borrow_mut()();
        Key(self.0, self.1.clone())
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// An offer moves from one member of a set to another one, when it is the first one's turn.
#[test]
fn members_of_a_set() {
    watched(|| {
        let (ports, mut moves) = two_offered();
        let wanted = Rc::new(Cell::new(0_u32));
        let moves: Rc<RefCell<dyn FnMut()>> = Rc::new(RefCell::new({
            let wanted = wanted.clone();
            move || {
                if let Some(rest) = wanted.get().checked_sub(1) {
                    wanted.set(rest);
                    moves();
                }
            }
        }));
        let mut set: PortSet<_, Key> =
            ports.into_iter().enumerate().map(|(number, port)| (Key(number, moves.clone()), port)).collect();
        wanted.set(1);
        moves.borrow_mut()();
        wanted.set(9);
        let Ok((key, message)) = set.try_recv() else { panic!("one has the message") };
        assert_eq!((key.0, message, wanted.get()), (1, Ok::<_, Closed>(1), 0));
    });
}
