//! Messages that are unread when their receivers leave, or when a port is closed or drained.

use futures::FutureExt;
use futures::stream::{FusedStream, StreamExt};
use pipes::{
    Chan, ChanOne, Port, SendError, SharedChan, TrySendError, oneshot, shared_stream, shared_sync_stream,
    stream, sync_stream,
};
use pipes_tests::{
    Counted, DropCounter, WakeCounter, caught, effort, panics, poll_future, spin, spin_while, test_in,
    watched,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Waker};
use std::thread;

/// A sender of any kind of stream.
pub enum AnyChan<T> {
    One(Chan<T>),
    Many(SharedChan<T>),
}

impl<T> AnyChan<T> {
    pub fn send(&mut self, value: T) -> Result<(), T> {
        match self {
            AnyChan::One(chan) => chan.send(value),
            AnyChan::Many(chan) => chan.send(value),
        }
        .map_err(SendError::into_payload)
    }

    fn poll_closed(&mut self, waker: &Waker) -> Poll<()> {
        match self {
            AnyChan::One(chan) => chan.poll_closed(&mut Context::from_waker(waker)),
            AnyChan::Many(chan) => chan.poll_closed(&mut Context::from_waker(waker)),
        }
    }
}

/// A stream of each kind that has room for this many messages.
pub fn streams<T>(capacity: usize) -> [(AnyChan<T>, Port<T>); 4] {
    let one = |(chan, port)| (AnyChan::One(chan), port);
    let many = |(chan, port)| (AnyChan::Many(chan), port);
    [one(stream()), one(sync_stream(capacity)), many(shared_stream()), many(shared_sync_stream(capacity))]
}

/// The messages that are there are returned in order, and the stream is closed.
#[test]
fn a_closed_port_returns_them() {
    for count in [1, 2, 3, 31, 32, 33, 200] {
        for (mut chan, mut port) in streams(count as usize) {
            let drops = DropCounter::new();
            (0..count).for_each(|number| assert!(chan.send(drops.make(number)).is_ok()));
            assert_eq!(port.recv().expect("it was sent").number, 0);
            let left = port.close();
            assert!(left.iter().map(|value| value.number).eq(1..count));
            assert_eq!(drops.dropped(), 1, "none of them was dropped");
            assert!(chan.poll_closed(Waker::noop()).is_ready());
            assert_eq!(chan.send(drops.make(77)).expect_err("it is closed").number, 77);
            drop(left);
            drops.assert_all_dropped();
        }
    }
}

/// Messages of no size, and messages that are larger than the usual slots of a block.
#[test]
fn of_any_size() {
    for (mut chan, port) in streams(100) {
        (0..100).for_each(|_| chan.send(()).expect("the port is here"));
        assert_eq!(port.close().len(), 100);
    }
    for (mut chan, port) in streams(40) {
        (0..40).for_each(|number| chan.send([number; 3000]).expect("the port is here"));
        assert!(port.close().iter().map(|value| value[2999]).eq(0..40_u8));
    }
}

/// After the sender has left, and after the port has found that.
#[test]
fn a_port_that_is_closed_after_its_senders() {
    for (mut chan, port) in streams(2) {
        chan.send(2).expect("the port is here");
        drop(chan);
        assert_eq!(port.close(), [2]);
    }
    for (mut chan, mut port) in streams(2) {
        chan.send(3).expect("the port is here");
        drop(chan);
        assert_eq!(port.drain(), [3]);
        assert_eq!(port.drain(), []);
        assert!(port.recv().is_err());
        assert_eq!(port.close(), []);
    }
}

/// A port that was drained has still to return its end, as a stream.
#[test]
fn drain_does_not_take_the_end() {
    for (chan, mut port) in streams::<u8>(2) {
        drop(chan);
        assert_eq!(port.try_iter().next(), None);
        assert!(!port.is_terminated(), "try_iter does not take the end");
        assert_eq!(port.drain(), []);
        assert!(!port.is_terminated(), "the stream has not returned its end");
        assert_eq!(port.next().now_or_never(), Some(None));
        assert!(port.is_terminated());
    }
}

/// The value of a oneshot is returned, or comes back to its sender.
#[test]
fn a_closed_oneshot_returns_its_value() {
    let drops = DropCounter::new();
    let (chan, port) = oneshot();
    chan.send(drops.make(1)).expect("the port is here");
    assert_eq!(port.close().expect("it was sent").number, 1);
    let (mut chan, mut port) = oneshot();
    let (wakes, waker) = WakeCounter::new();
    assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
    drop(waker);
    assert!(chan.poll_closed(&mut Context::from_waker(Waker::noop())).is_pending());
    assert!(port.close().is_none() && chan.is_closed());
    assert_eq!((wakes.count(), wakes.wakers()), (0, 0));
    assert_eq!(chan.send(drops.make(2)).expect_err("it is closed").into_payload().number, 2);
    let (chan, port) = oneshot::<u8>();
    drop(chan);
    assert_eq!(port.close(), None);
    drops.assert_all_dropped();
}

/// A oneshot is closed, its waker's destructor panics, and the value comes at that moment: it is dropped with
/// the panic. (It was once leaked.)
#[test_in(watched)]
fn a_value_that_comes_while_its_oneshot_is_closed() {
    let (drops, [ready, go, sent]) = (DropCounter::new(), [0; 3].map(AtomicUsize::new));
    let (give, given) = channel::<ChanOne<Counted>>();
    thread::scope(|scope| {
        scope.spawn(|| {
            for (round, chan) in (1..).zip(given) {
                let value = drops.make(0);
                ready.store(round, Ordering::SeqCst);
                spin_while(|| go.load(Ordering::SeqCst) < round);
                spin(100);
                // If the waker is still there, its destructor panics here, and the value is sent.
                let was_late = matches!(catch_unwind(AssertUnwindSafe(|| chan.send(value))), Ok(Err(_)));
                sent.fetch_add(1 + usize::from(was_late), Ordering::SeqCst);
            }
        });
        let mut pause = 0;
        for round in 1..=effort(4_000) {
            let (chan, mut port) = oneshot();
            let waker = WakeCounter::on_drop(panics);
            assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
            drop(waker);
            let before = sent.load(Ordering::SeqCst);
            give.send(chan).expect("the sender's thread goes on");
            spin_while(|| ready.load(Ordering::SeqCst) < round);
            go.store(round, Ordering::SeqCst);
            spin(pause);
            drop(caught(|| drop(port.close())));
            spin_while(|| sent.load(Ordering::SeqCst) == before);
            // The pause grows when the value came too late, and shrinks when it came in time.
            let was_late = sent.load(Ordering::SeqCst) - before == 2;
            pause = if was_late { pause + 5 } else { pause.saturating_sub(5) };
        }
        drop(give);
    });
    drops.assert_all_dropped();
}

/// Neither a drain nor a close goes on for ever while the sender does.
#[test_in(watched)]
fn a_sender_that_does_not_stop() {
    let (mut chan, mut port) = stream();
    let sending = thread::spawn(move || (0..).take_while(|&number| chan.send(number).is_ok()).count());
    spin_while(|| port.is_empty());
    let drained = port.drain();
    assert!(drained.iter().copied().eq(0..drained.len() as u64));
    let left = port.close();
    assert!(left.iter().copied().eq((drained.len() as u64..).take(left.len())));
    assert_eq!(sending.join().expect("it does not panic"), drained.len() + left.len());
}

/// The receivers of a shared port, after one of them has received, and so taken others ahead.
fn three_receivers<T>(port: Port<T>) -> [pipes::SharedPort<T>; 3] {
    let port = port.into_shared();
    drop(port.recv());
    [port.clone(), port.clone(), port]
}

/// The last receiver drops all of them. A destructor that panics, at any place, keeps no other one from
/// running.
#[test]
fn a_destructor_that_panics() {
    for bomb in [1, 2, 20, 40, 80, 99] {
        for (mut chan, port) in streams(100) {
            let drops = DropCounter::new();
            let make =
                |number| if number == bomb { drops.make_panicking(number) } else { drops.make(number) };
            (0..100).for_each(|number| assert!(chan.send(make(number)).is_ok()));
            let [first, second, third] = three_receivers(port);
            drop((first, second));
            assert_eq!(drops.dropped(), 1, "the one that was received");
            let panic = caught(|| drop(third)).expect("one destructor panics");
            assert_eq!(panic.downcast_ref(), Some(&bomb));
            assert!(chan.poll_closed(Waker::noop()).is_ready());
            drops.assert_all_dropped();
        }
    }
}

/// A message whose destructor sends another one.
struct Echo(Option<(SharedChan<Echo>, usize)>);

static REFUSED: AtomicUsize = AtomicUsize::new(0);

impl Drop for Echo {
    fn drop(&mut self) {
        let Some((chan, verb)) = self.0.take() else { return };
        let is_refused = match verb {
            0 => matches!(chan.try_send(Echo(None)), Err(TrySendError::Closed(_))),
            1 => chan.send(Echo(None)).is_err(),
            2 => matches!(poll_future(&mut chan.send_async(Echo(None)), Waker::noop()), Poll::Ready(Err(_))),
            3 => chan.send_timeout(Echo(None), std::time::Duration::ZERO).is_err_and(|it| it.is_closed()),
            _ => chan.try_reserve().is_err_and(|error| error == TrySendError::Closed(())),
        };
        REFUSED.fetch_add(usize::from(is_refused), Ordering::SeqCst);
    }
}

/// A stream with many senders refuses sends before its unread messages are dropped, also those that a
/// receiver of a shared port took out ahead. (They were once accepted, and lost.)
#[test]
fn sends_fail_before_unread_messages_are_dropped() {
    for (is_shared, verb) in (0..5).flat_map(|verb| [(false, verb), (true, verb)]) {
        for (chan, port) in [shared_stream(), shared_sync_stream(4)] {
            for _ in 0..4 {
                assert!(chan.send(Echo(Some((chan.clone(), verb)))).is_ok());
            }
            REFUSED.store(0, Ordering::SeqCst);
            if is_shared {
                let receivers = three_receivers(port);
                // The destructor of the one that was received has sent one.
                assert_eq!(REFUSED.load(Ordering::SeqCst), 0);
                drop(receivers);
            } else {
                drop(port);
            }
            assert_eq!(REFUSED.load(Ordering::SeqCst), if is_shared { 3 } else { 4 }, "way {verb}");
        }
    }
}
