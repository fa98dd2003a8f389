//! Futures, borrows and tokens are forgotten in the middle. What they had registered stays behind, and
//! everything must go on without them.

use pipes::{Chan, Member, PortSet, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Tally, poll, poll_future, watched};
use std::future::Future;
use std::mem::forget;
use std::task::{Context, Poll, Waker};

/// Forgets a value. It is generic, because whether these types have a destructor may change.
fn lose<T>(it: T) {
    forget(it);
}

fn numbers(messages: impl Iterator<Item = Counted>) -> Vec<u64> {
    messages.map(|message| message.number).collect()
}

/// A forgotten offer at capacity 0 is still open: the receiver takes it, or the drop of the stream drops it.
/// The next messages wait behind it.
#[test]
fn a_forgotten_offer() {
    watched(|| {
        let tally = Tally::new();
        let offer = |chan: &mut Chan<Counted>, number| {
            let mut future = chan.send_async(tally.make(number));
            assert!(poll_future(&mut future, Waker::noop()).is_pending());
            lose(future);
        };
        let (mut chan, mut port) = sync_stream(0);
        offer(&mut chan, 1);
        // The second send finds no room, and takes back nothing but its own message.
        let mut second = chan.send_async(tally.make(2));
        assert!(poll_future(&mut second, Waker::noop()).is_pending());
        assert_eq!(second.into_inner().map(|it| it.number), Some(2));
        assert!(chan.try_send(tally.make(3)).is_err());
        assert!(chan.send_timeout(tally.make(4), std::time::Duration::from_millis(1)).is_err());
        assert_eq!(port.try_recv().map(|it| it.number), Ok(1));
        assert!(port.try_recv().is_err());

        // The receiver holds the offer, and the sender leaves.
        offer(&mut chan, 5);
        assert!(poll(&mut port, Waker::noop()).is_ready());
        drop(chan);
        assert_eq!(numbers(port.iter()), [5]);

        // The receiver leaves without taking it; the chan sends once more, or is dropped.
        for again in [true, false] {
            let (mut chan, mut port) = sync_stream(0);
            offer(&mut chan, 6);
            assert!(again || poll(&mut port, Waker::noop()).is_ready());
            drop(port);
            if again {
                assert_eq!(chan.send(tally.make(7)).expect_err("it has left").into_payload().number, 7);
            }
            drop(chan);
        }

        // Both ends are dropped, the sender first.
        let (mut chan, port) = sync_stream(0);
        offer(&mut chan, 8);
        drop(chan);
        drop(port);
        tally.assert_all_gone();
    });
}

/// Borrows of a port, a set and a chan are forgotten while a task is registered through them.
#[test]
fn forgotten_borrows() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, mut port) = stream();
        let (bell, waker) = Bell::new();
        let mut future = port.recv_async();
        assert!(poll_future(&mut future, &waker).is_pending());
        lose(future);
        let mut future = port.ready();
        assert!(poll_future(&mut future, Waker::noop()).is_pending());
        lose(future);
        lose(port.iter());
        assert_eq!(bell.wakers(), 1, "the second one has taken the first one's place");
        assert!(chan.send(tally.make(1)).is_ok());
        assert_eq!((bell.rings(), port.recv().map(|it| it.number)), (0, Ok(1)));

        let mut future = chan.closed();
        assert!(poll_future(&mut future, &waker).is_pending());
        lose(future);
        assert!(chan.send(tally.make(2)).is_ok());
        assert_eq!(bell.wakers(), 1, "a send forgets who watches");
        let mut set = PortSet::new();
        set.insert(port);
        let mut future = set.recv_async();
        assert!(poll_future(&mut future, &waker).is_ready());
        let mut future = set.recv_async();
        assert!(poll_future(&mut future, &waker).is_pending());
        lose(future);
        lose(set.messages());
        assert!(chan.send(tally.make(3)).is_ok());
        assert_eq!(bell.rings(), 1);
        drop(chan);
        assert_eq!(numbers(set.messages()), [3]);

        let (shared, port) = shared_stream();
        let mut group = port.into_shared();
        let mut future = group.recv_async();
        assert!(poll_future(&mut future, &waker).is_pending());
        lose(future);
        let mut other = group.clone();
        assert!(shared.send(tally.make(4)).is_ok());
        assert_eq!(bell.rings(), 2);
        assert_eq!(other.recv().map(|it| it.number), Ok(4));
        drop((group, other));
        assert!(shared.send(tally.make(5)).is_err());
        tally.assert_all_gone();
    });
}

/// A member is removed while its token is still with its sender, and is inserted into another set. The first
/// set is dropped while a token is on its way to it.
#[test]
fn members_that_leave_their_tokens() {
    watched(|| {
        let tally = Tally::new();
        let mut set = PortSet::new();
        let (mut chan, port) = stream();
        set.insert_at("a", port);
        assert!(set.try_recv().is_err());
        // The port that comes back under the same key has no token, and can be polled, received from
        // elsewhere, and inserted again.
        let (mut next, next_port) = stream();
        let mut port = set.insert_at("a", next_port).expect("it was a member");
        assert!(chan.send(tally.make(1)).is_ok());
        assert!(Member::unregister_token(&mut port).is_none());
        assert!(port.is_ready());
        let mut other = PortSet::new();
        assert!(other.insert_at(0, port).is_none());
        assert!(next.send(tally.make(2)).is_ok());
        // The first set is dropped while its token is on its way.
        let left = set.remove(&"a").expect("it is a member");
        drop(set);
        assert!(next.send(tally.make(3)).is_ok());
        assert!(other.insert_at(1, left).is_none());
        drop((chan, next));
        let mut came = numbers(other.messages());
        came.sort_unstable();
        assert_eq!(came, [1, 2, 3]);
        tally.assert_all_gone();
    });
}

/// A selection that is polled and given up stays registered at its ports, which others send to and receive
/// from.
#[test]
fn a_selection_that_is_given_up() {
    watched(|| {
        let tally = Tally::new();
        let ((mut left, mut first), (shared, mut second), (mut meet, mut third)) =
            (stream(), shared_stream(), sync_stream(0));
        let (bell, waker) = Bell::new();
        {
            let mut selection = Box::pin(async {
                pipes::select_async! {
                    message = first => message.map(|it: Counted| it.number),
                    message = second => message.map(|it: Counted| it.number),
                    message = third => message.map(|it: Counted| it.number),
                }
            });
            assert!(selection.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Pending);
        }
        let senders = std::thread::spawn({
            let tally = tally.clone();
            move || {
                assert!(left.send(tally.make(1)).is_ok());
                assert!(shared.send(tally.make(2)).is_ok());
                assert!(meet.send(tally.make(3)).is_ok());
            }
        });
        assert_eq!(third.recv().map(|it| it.number), Ok(3));
        assert_eq!((numbers(first.iter()), numbers(second.iter())), (vec![1], vec![2]));
        senders.join().expect("it does not panic");
        // Which of the two the offer wakes, the task or this thread, depends on which came first.
        assert!((2..=3).contains(&bell.rings()));
        tally.assert_all_gone();
    });
}
