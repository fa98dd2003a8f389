//! Arms that send: when they are ready, and what their values and the other parts of the macro see.

use crate::acceptance::Sleeper;
use futures::executor::block_on;
use pipes::{
    SharedChan, duplex_stream, select, select_async, shared_stream, shared_sync_stream, stream, sync_stream,
};
use pipes_tests::{WakeCounter, caught, poll_future, test_in, watched};
use std::cell::Cell;
use std::future::ready;
use std::task::{Poll, Waker};
use std::time::Duration;

/// The value of an arm that is not chosen.
fn never() -> u64 {
    panic!("there is no room")
}

/// Chans of each kind with room, and then without their port: a close is a reason to send, and the value
/// comes back.
#[test_in(watched)]
fn room_and_close() {
    let ((mut one, mut first), (mut two, mut second)) = (sync_stream(1), shared_sync_stream(1));
    let ((mut three, mut third), (mut four, mut fourth)) = (stream(), shared_stream());
    let (mut five, mut fifth) = duplex_stream::<_, ()>();
    let mut send = || {
        let asynchronous = async {
            let fourth = select_async! { sent = four.send(ready(4).await) => sent };
            (fourth, select_async! { sent = five.send(5) => sent, default => panic!("there is room") })
        };
        let (fourth, fifth) = block_on(asynchronous);
        let sent = [
            select! { sent = one.send(1) => sent },
            select! { sent = two.send(2) => sent, default => panic!("there is room") },
            select! { sent = three.send(3) => sent, timeout(Duration::ZERO) => panic!("there is room") },
            fourth,
            fifth,
        ];
        sent.map(|sent| sent.map_err(|error| error.into_payload()))
    };
    assert_eq!(send(), [Ok(()); 5]);
    let received = [first.recv(), second.recv(), third.recv(), fourth.recv(), fifth.recv()];
    assert_eq!(received, [Ok(1), Ok(2), Ok(3), Ok(4), Ok(5)]);
    drop((first, second, third, fourth, fifth));
    assert_eq!([send(), send()], [[1, 2, 3, 4, 5].map(Err); 2]);
}

/// A thread waits until one of two ports receives or leaves.
#[test_in(watched)]
fn a_thread_waits() {
    for (many, leaves) in [(false, false), (false, true), (true, false), (true, true)] {
        let ((mut one, first), (mut two, second)) = (sync_stream(1), shared_sync_stream(1));
        one.send(1).expect("the port is here");
        two.send(1).expect("the port is here");
        let waiting = Sleeper::spawn(move || {
            select! {
                sent = one.send(2) => (sent, "one"),
                sent = two.send(2) => (sent, "two"),
                timeout(Duration::from_secs(1_000)) => panic!("there will be room"),
            }
        });
        waiting.fall_asleep();
        let (mut port, _other) = if many { (second, first) } else { (first, second) };
        let port = if leaves {
            drop(port);
            None
        } else {
            assert_eq!(port.recv(), Ok(1));
            Some(port)
        };
        let (sent, chosen) = waiting.join().expect("it does not panic");
        assert_eq!(chosen, if many { "two" } else { "one" });
        assert_eq!(sent.map_err(|error| error.into_payload()), if leaves { Err(2) } else { Ok(()) });
        assert!(port.is_none_or(|port| port.into_iter().eq([2])));
    }
}

/// A task is woken when there is room. The value of the other arm is not evaluated.
#[test_in(watched)]
fn a_task_waits() {
    for many in [false, true] {
        let ((mut one, mut first), (mut two, mut second)) = (sync_stream(1), shared_sync_stream(1));
        one.send(1).expect("the port is here");
        two.send(1).expect("the port is here");
        let values = Cell::new(0);
        let (wakes, waker) = WakeCounter::new();
        let mut waiting = Box::pin(async {
            select_async! {
                sent = one.send({ values.set(values.get() + 1); 2 }) => (sent, "one"),
                sent = two.send({ values.set(values.get() + 1); 2 }) => (sent, "two"),
            }
        });
        assert!(poll_future(&mut waiting, Waker::noop()).is_pending());
        assert!(poll_future(&mut waiting, &waker).is_pending());
        let port = if many { &mut second } else { &mut first };
        assert_eq!(port.recv(), Ok(1));
        assert_eq!(wakes.count(), 1, "the last waker counts");
        let chosen = if many { "two" } else { "one" };
        assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready((Ok(()), chosen)));
        drop(waiting);
        assert_eq!((values.get(), port.recv()), (1, Ok(2)));
    }
}

/// Without room nothing waits, and nothing is evaluated. In the arm of a limit the chans are usable.
#[test_in(watched)]
fn default_and_timeout() {
    let ((mut one, mut first), (mut two, mut second)) = (sync_stream(1), shared_sync_stream(1));
    one.send(1).expect("the port is here");
    two.send(1).expect("the port is here");
    for _ in 0..3 {
        let defaulted = select! {
            _ = one.send(never()) => false,
            _ = two.send(never()) => false,
            default => true,
        };
        let task = async {
            select_async! {
                _ = one.send(never()) => false,
                _ = two.send(never()) => false,
                timeout(ready(())) => true,
            }
        };
        assert!(defaulted && block_on(task));
        let sent = select! {
            _ = one.send(never()) => Ok(()),
            _ = two.send(never()), if false => Ok(()),
            timeout(Duration::from_micros(20)) => {
                assert_eq!((first.recv(), second.recv()), (Ok(1), Ok(1)));
                one.send(1).and(two.send(1))
            }
        };
        assert_eq!(sent, Ok(()));
    }
}

/// Conditions, the limit, the values and the arms are written with the user's own variables, which may be
/// references.
#[test_in(watched)]
fn what_each_part_sees() {
    fn send(mut many: &SharedChan<Option<usize>>) {
        select! { sent = many.send(many.capacity()) => sent.expect("the port is here") }
    }
    let ((mut one, mut first), (mut two, mut second)) = (sync_stream(3), shared_sync_stream(4));
    let sent = select! {
        sent = one.send(two.capacity()), if one.capacity() == Some(3) => {
            assert_eq!(one.capacity(), Some(3));
            one.send(None).and(sent)
        }
        sent = two.send(Some(2)), if two.capacity() == Some(0) => sent,
        timeout(Duration::from_micros(one.capacity().map_or(0, |room| room as u64))) => Ok(()),
        else => unreachable!(),
    };
    assert_eq!((sent, first.recv(), first.recv()), (Ok(()), Ok(Some(4)), Ok(None)));
    send(&two);
    // The value is what another receiver has.
    let sent = select! {
        sent = one.send(second.recv().expect("it was sent")), if !first.is_ready() => sent,
        else => unreachable!(),
    };
    assert_eq!((sent, first.recv()), (Ok(()), Ok(Some(4))));
    let __request = 5;
    select! { sent = one.send(Some(__request)) => assert!(sent.is_ok() && __request == 5) }
    assert_eq!(first.recv(), Ok(Some(5)));
}

/// A stream without capacity has no room to wait for: such an arm panics, also beside others, and if it is
/// not wanted.
#[test_in(watched)]
fn capacity_0() {
    let ((mut chan, _port), (_idle, mut idle)) = (sync_stream(0), stream::<()>());
    assert!(caught(|| select! { _ = chan.send(1) => {}, default => {} }).is_some());
    let panic = caught(|| {
        select! {
            _ = chan.send(1), if false => {},
            _ = idle => {},
        }
    });
    assert!(panic.is_some());
    // If no arm is wanted, nothing is looked at.
    select! { _ = chan.send(1), if false => {}, else => {} }
    let (mut end, _other) = duplex_stream::<u64, ()>();
    *end.parts_mut().0 = chan;
    assert!(caught(|| select! { _ = end.send(1) => {}, default => {} }).is_some());
}
