//! At each moment one of two arms is ready, but not always the same one: others make one ready and take what
//! is at the other. So a selection finds one, and `default` and `timeout` do not run, although the arms are
//! looked at one after the other.
//!
//! (crossbeam-channel's tests `linearizable_*` ask the same of two threads. Here it is an arm that moves what
//! is there, when it is looked at.)

use futures::executor::block_on;
use pipes::{
    Chan, Closed, PortSet, Readiness, SharedPort, select, select_async, shared_stream, shared_sync_stream,
    stream, sync_stream,
};
use pipes_tests::watched;
use std::cell::{Cell, RefCell};
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

/// Two shared ports, and a function that moves the only message to the other one. If it lies `in_tray`, an
/// earlier receive has taken it out of the first stream.
fn two_shared(in_tray: bool) -> ([SharedPort<u64>; 2], impl FnMut()) {
    let ((chan, first), (other, second)) = (shared_stream(), shared_stream());
    let ports = [first.into_shared(), second.into_shared()];
    let (mut elsewhere, chans) = (ports.clone(), [chan, other]);
    (0..=usize::from(in_tray)).for_each(|_| chans[0].send(1).expect("the port is here"));
    if in_tray {
        assert_eq!(elsewhere[0].recv(), Ok(1));
    }
    let mut at = 0;
    let moves = move || {
        chans[1 - at].send(1).expect("the port is here");
        assert_eq!(elsewhere[at].try_recv(), Ok(1));
        at = 1 - at;
    };
    (ports, moves)
}

#[test]
fn default_with_shared_ports() {
    watched(|| {
        for round in 0..ROUNDS {
            let ([mut first, mut second], moves) = two_shared(round % 2 == 0);
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
            let ([mut first, mut second], moves) = two_shared(round % 2 == 0);
            let mut aside = aside(moves);
            // With the longer time it waits, and finds one when the time has passed.
            let time = Duration::from_nanos(u64::from(round % 4 < 2));
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
        for round in 0..ROUNDS {
            let ([mut first, mut second], moves) = two_shared(round % 2 == 0);
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
        for round in 0..ROUNDS {
            let ([mut first, mut second], moves) = two_shared(round % 2 == 0);
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

/// A message is sent to a port with one receiver, before one is taken from a shared port.
#[test]
fn from_a_shared_port_to_another_one() {
    watched(|| {
        for _ in 0..ROUNDS {
            let ((mut chan, first), (mut other, mut second)) = (stream(), stream());
            chan.send(1).expect("the port is here");
            let mut first = first.into_shared();
            let mut elsewhere = first.clone();
            let mut aside = once(|| {
                other.send(1).expect("the port is here");
                assert_eq!(elsewhere.try_recv(), Ok(1));
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

/// Offers a message when it is polled, and withdraws it when it is polled again. Returns the chan.
fn offer(mut chan: Chan<u64>) -> Pin<Box<impl Future<Output = Chan<u64>>>> {
    Box::pin(async move {
        let mut sending = chan.send_async(1);
        let mut is_offered = false;
        poll_fn(|cx| {
            assert!(Pin::new(&mut sending).poll(cx).is_pending(), "the port does not wait");
            if replace(&mut is_offered, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        drop(sending);
        chan
    })
}

/// At capacity 0 a message is offered elsewhere, before the first offer is withdrawn.
#[test]
fn offers() {
    watched(|| {
        let mut cx = Context::from_waker(Waker::noop());
        for _ in 0..ROUNDS {
            let ((chan, mut first), (other, mut second)) = (sync_stream(0), sync_stream(0));
            let (mut here, mut elsewhere) = (offer(chan), offer(other));
            assert!(here.as_mut().poll(&mut cx).is_pending());
            let mut chan = Poll::Pending;
            let mut aside = once(|| {
                assert!(elsewhere.as_mut().poll(&mut cx).is_pending());
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

/// A message moves between a member of a set and a port beside it.
#[test]
fn a_set_and_a_shared_port() {
    watched(|| {
        for round in 0..ROUNDS {
            let ([first, second], moves) = two_shared(round % 2 == 0);
            let (member, mut beside) = if round % 4 < 2 { (first, second) } else { (second, first) };
            let mut set = PortSet::from_iter([member]);
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

/// A message moves from one member of a set to another one, when it is the first one's turn.
#[test]
fn members_of_a_set() {
    watched(|| {
        let (ports, mut moves) = two_shared(false);
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
        wanted.set(9);
        let Ok((key, message)) = set.try_recv() else { panic!("one has the message") };
        assert_eq!((key.0, message, wanted.get()), (1, Ok::<_, Closed>(1), 0));
    });
}
