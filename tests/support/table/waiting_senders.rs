//! Several senders that wait for room, or at capacity 0 for a receive: they stand in a line.

use super::flavor::{Boxed, Limited, LimitedSender, Receiver, Sender, Unsent};
use super::limited::{fill, full, send_somehow};
use super::reentrance::{Place, put, take};
use crate::{
    Counted, DropCounter, Rng, WakeCounter, begun, caught, effort, panics, poll_future, spawn, spin,
};
use futures::TryFutureExt;
use pipes::{BroadcastChan, SharedChan};
use std::sync::Mutex;
use std::task::{Poll, Waker};
use std::time::Duration;

/// A sender that can be cloned, and that several sends can wait for.
pub trait LineSender: LimitedSender + Clone {
    /// Sends a message. Waits while there is no room.
    fn join_line(&self, message: Counted) -> Boxed<'_, Result<(), Counted>>;
}

macro_rules! line_senders {
    ($($sender:ty),*) => {
        $(impl LineSender for $sender {
            fn join_line(&self, message: Counted) -> Boxed<'_, Result<(), Counted>> {
                Box::pin(self.send_async(message).map_err(|error| error.into_payload()))
            }
        })*
    };
}

line_senders!(SharedChan<Counted>, BroadcastChan<Counted>);

/// Asserts that a message finds no room.
#[track_caller]
fn assert_full(sender: &impl LineSender, drops: &DropCounter) {
    assert!(matches!(sender.clone().try_send(drops.make(99)), Err(Unsent::Full(_))));
}

/// Takes everything that is there.
fn rest(receiver: &mut impl Receiver) -> Vec<u64> {
    std::iter::from_fn(|| receiver.try_recv().ok()).map(|message| message.number).collect()
}

/// Senders go on in the order in which they began to wait. A sender that comes later does not take their
/// room.
pub fn served_in_order<F: Limited<Sender: LineSender>>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = full::<F>(&drops);
    let (counters, wakers): (Vec<_>, Vec<_>) = (0..4).map(|_| WakeCounter::new()).unzip();
    let mut line = [0, 1, 2, 3].map(|place| sender.join_line(drops.make(F::CAPACITY + place)));
    for (sending, waker) in line.iter_mut().zip(&wakers) {
        assert!(poll_future(sending, waker).is_pending());
    }
    for place in 0..4 {
        assert_eq!(receiver.recv().expect("it was sent").number, place as u64);
        assert!(counters.iter().map(|wakes| wakes.count()).eq((0..4).map(|it| usize::from(it <= place))));
        assert_full(&sender, &drops);
        assert!(line[place + 1..].iter_mut().all(|later| poll_future(later, Waker::noop()).is_pending()));
        for (later, waker) in line.iter_mut().zip(&wakers).skip(place + 1) {
            assert!(poll_future(later, waker).is_pending(), "its waker counts again");
        }
        assert!(matches!(poll_future(&mut line[place], Waker::noop()), Poll::Ready(Ok(()))));
    }
    assert!(rest(&mut receiver).into_iter().eq(4..F::CAPACITY + 4));
    drop(line);
    drops.assert_all_dropped();
}

/// A send that is cancelled leaves the line, at any place, before or after it was granted room.
pub fn cancelled_in_the_line<F: Limited<Sender: LineSender>>() {
    for (place, granted) in (0..4).flat_map(|place| [(place, false), (place, true)]) {
        let drops = DropCounter::new();
        let (mut sender, mut receiver) = full::<F>(&drops);
        let mut line: Vec<_> = (0..4).map(|it| sender.join_line(drops.make(F::CAPACITY + it))).collect();
        assert!(line.iter_mut().all(|sending| poll_future(sending, Waker::noop()).is_pending()));
        let mut received = Vec::new();
        if granted {
            received.push(receiver.recv().expect("it was sent").number);
        }
        let cancelled = F::CAPACITY + place;
        drop(line.remove(place as usize));
        let expected =
            (0..F::CAPACITY + 4).filter(|number| *number != cancelled || received.contains(number));
        let expected: Vec<_> = expected.collect();
        while !line.is_empty() {
            received.extend(receiver.try_recv().map(|message| message.number));
            line.retain_mut(|sending| poll_future(sending, Waker::noop()).is_pending());
        }
        received.extend(rest(&mut receiver));
        assert_eq!(received, expected);
        drop(line);
        fill::<F>(&mut sender, &drops);
        assert_full(&sender, &drops);
        drop((sender, receiver));
        drops.assert_all_dropped();
    }
}

/// A waker that panics in a receive: its send was granted room all the same, and the others keep their
/// places.
pub fn waker_that_panics_in_a_receive<F: Limited<Sender: LineSender>>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = full::<F>(&drops);
    let ((_wakes, waker), (next, next_waker)) = (WakeCounter::on_wake(panics), WakeCounter::new());
    let mut first = sender.join_line(drops.make(F::CAPACITY));
    let mut second = sender.join_line(drops.make(F::CAPACITY + 1));
    assert!(poll_future(&mut first, &waker).is_pending());
    assert!(poll_future(&mut second, &next_waker).is_pending());
    assert!(caught(|| receiver.try_recv()).is_some(), "the panic is not swallowed");
    assert_eq!((drops.dropped(), next.count()), (1, 0), "the message is lost with the panic");
    assert!(matches!(poll_future(&mut first, Waker::noop()), Poll::Ready(Ok(()))));
    assert_eq!(receiver.recv().expect("it was sent").number, 1);
    assert_eq!(next.count(), 1);
    assert!(matches!(poll_future(&mut second, Waker::noop()), Poll::Ready(Ok(()))));
    assert!(rest(&mut receiver).into_iter().eq(2..F::CAPACITY + 2));
    drop((first, second));
    fill::<F>(&mut sender, &drops);
    assert_full(&sender, &drops);
    drop((sender, receiver));
    drops.assert_all_dropped();
}

/// When the receiver leaves, every waker is woken, though some of them panic. All messages come back.
pub fn wakers_that_panic_at_a_close<F: Limited<Sender: LineSender>>() {
    let drops = DropCounter::new();
    let (sender, receiver) = full::<F>(&drops);
    let counters = [WakeCounter::on_wake(panics), WakeCounter::new(), WakeCounter::on_wake(panics)];
    let mut line = [7, 8, 9].map(|number| sender.join_line(drops.make(number)));
    for (sending, (_, waker)) in line.iter_mut().zip(&counters) {
        assert!(poll_future(sending, waker).is_pending());
    }
    assert!(caught(|| drop(receiver)).is_some(), "the panic is not swallowed");
    for (number, (sending, (wakes, _))) in (7..).zip(line.iter_mut().zip(&counters)) {
        assert_eq!(wakes.count(), 1);
        let Poll::Ready(Err(unsent)) = poll_future(sending, Waker::noop()) else { panic!("it is closed") };
        assert_eq!(unsent.number, number);
    }
    drop(line);
    drops.assert_all_dropped();
}

/// A waker whose destructor panics, when it is replaced in the line, and when its send is cancelled.
pub fn waker_whose_destructor_panics<F: Limited<Sender: LineSender>>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = full::<F>(&drops);
    let mut sending = begun(sender.join_line(drops.make(F::CAPACITY)), &WakeCounter::on_drop(panics));
    assert!(caught(|| poll_future(&mut sending, Waker::noop()).is_ready()).is_some());
    let (wakes, waker) = WakeCounter::new();
    assert!(poll_future(&mut sending, &waker).is_pending(), "it still waits");
    let cancelled = begun(sender.join_line(drops.make(99)), &WakeCounter::on_drop(panics));
    assert!(caught(|| drop(cancelled)).is_some());
    assert_eq!(receiver.recv().expect("it was sent").number, 0);
    assert_eq!(wakes.count(), 1);
    assert!(matches!(poll_future(&mut sending, &waker), Poll::Ready(Ok(()))));
    assert!(rest(&mut receiver).into_iter().eq(1..=F::CAPACITY));
    drop((sending, receiver));
    drops.assert_all_dropped();
}

/// A waker that sends, in the thread that receives: the room is its own send's.
pub fn waker_that_sends<F: Limited<Sender: LineSender>>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = full::<F>(&drops);
    let (other, extra) = (Mutex::new(sender.clone()), drops.make(99));
    let outcome = Place::default();
    let result = outcome.clone();
    let (_wakes, waker) = WakeCounter::on_wake(move || {
        let sent = other.lock().expect("not poisoned").try_send(extra);
        put(&result, sent);
    });
    let mut sending = begun(sender.join_line(drops.make(F::CAPACITY)), &waker);
    assert_eq!(receiver.try_recv().expect("it was sent").number, 0);
    assert!(matches!(take(&outcome), Some(Err(Unsent::Full(_)))));
    assert!(matches!(poll_future(&mut sending, &waker), Poll::Ready(Ok(()))));
    assert!(rest(&mut receiver).into_iter().eq(1..=F::CAPACITY));
    drop(sending);
    drop(sender);
    drops.assert_all_dropped();
}

/// Threads and tasks that wait get their messages back when the receiver leaves.
pub fn threads_and_tasks_at_a_close<F: Limited<Sender: LineSender>>() {
    for _ in 0..effort(20) {
        let drops = DropCounter::new();
        let (sender, receiver) = full::<F>(&drops);
        let start = |number: u64| {
            let (mut sender, message) = (sender.clone(), drops.make(number));
            spawn(move || match number % 2 {
                0 => sender.send(message).unwrap_err().number,
                _ => {
                    let sent = sender.send_timeout(message, Duration::MAX);
                    sent.unwrap_err().into_message().number
                }
            })
        };
        let sending = [90, 91, 92, 93].map(start);
        let mut task = begun(sender.join_line(drops.make(94)), Waker::noop());
        drop(receiver);
        assert_eq!(sending.map(|sending| sending.join().expect("it is closed")), [90, 91, 92, 93]);
        assert!(matches!(poll_future(&mut task, Waker::noop()), Poll::Ready(Err(_))));
        drop(task);
        drops.assert_all_dropped();
    }
}

/// Several threads send in every way, and cancel some of their sends. What was sent arrives, in the order of
/// its sender. What was cancelled after it was polled arrives or does not.
pub fn every_kind_of_send_of_several<F: Limited<Sender: LineSender>>() {
    /// The numbers of a sender's messages begin with its own number times this.
    const EACH: u64 = if cfg!(miri) { 10 } else { 100 };
    for seed in 0..effort(20) as u64 {
        let drops = DropCounter::new();
        let (sender, mut receiver) = F::channel();
        let start = |own: u64| {
            let (mut sender, source, mut random) =
                (sender.clone(), drops.clone(), Rng::with_seed(seed * 3 + own));
            spawn(move || {
                let (mut sent, mut unknown) = (Vec::new(), Vec::new());
                for number in own * EACH..(own + 1) * EACH {
                    let message = source.make(number);
                    let is_sent = if random.u64(..4) > 0 {
                        send_somehow(&mut sender, message, &mut random)
                    } else {
                        let mut sending = sender.send_async(message);
                        let is_sent = poll_future(&mut sending, Waker::noop()).is_ready();
                        unknown.extend((!is_sent).then_some(number));
                        spin(random.u64(..100));
                        is_sent
                    };
                    sent.extend(is_sent.then_some(number));
                }
                (sent, unknown)
            })
        };
        let sending = [0, 1, 2].map(start);
        drop(sender);
        let received: Vec<_> = std::iter::from_fn(|| receiver.recv()).map(|message| message.number).collect();
        for (own, sending) in (0..).zip(sending) {
            let (sent, unknown) = sending.join().expect("the receiver is here");
            let mine: Vec<_> = received.iter().copied().filter(|number| number / EACH == own).collect();
            assert!(mine.is_sorted_by(|one, next| one < next), "each once, and in order");
            assert!(mine.iter().filter(|number| !unknown.contains(number)).eq(&sent));
        }
        drops.assert_all_dropped();
    }
}
