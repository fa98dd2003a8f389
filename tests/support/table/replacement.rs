//! What holds for channels in which a new message replaces an unread one: the last [`ROOM`](Flavor::ROOM)
//! unread messages are kept, and a send waits for no receiver.

use super::flavor::{Flavor, Missing, Receiver, Sender, TaskReceiver, pauses, send_and_close};
use super::reentrance::{Place, put, take};
use crate::{Counted, DropCounter, Rng, WakeCounter, begun, caught, effort, poll_future};
use futures::executor::block_on;
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

/// Receives with one of four kinds of receives. Only one of them has a timeout.
fn receive(receiver: &mut impl TaskReceiver, kind: u64, micros: u64) -> Result<Counted, Missing> {
    match kind {
        0 => receiver.try_recv(),
        1 => receiver.recv_timeout(Duration::from_micros(micros)),
        2 => block_on(receiver.recv_async()).ok_or(Missing::Closed),
        _ => receiver.recv().ok_or(Missing::Closed),
    }
}

/// The message comes after those with lower numbers; what was missed in between is known exactly, if at all.
fn account(receiver: &mut impl Receiver, next: &mut u64, message: &Counted) {
    let number = message.number;
    assert!(number >= *next, "{number} after {next}");
    assert_eq!(number - *next, receiver.missed().unwrap_or(number - *next), "missed messages");
    *next = number + 1;
}

/// Of several unread messages the last ones arrive, also after the close. Each of the others is dropped when
/// it is replaced.
pub fn last_messages_arrive<F: Flavor<Receiver: TaskReceiver>>() {
    for (replaced, closed) in (1..=4).flat_map(|replaced| [(replaced, false), (replaced, true)]) {
        let drops = DropCounter::new();
        let (mut sender, mut receiver) = F::channel();
        for number in 0..F::ROOM + replaced {
            assert!(sender.send(drops.make(number)).is_ok());
            assert_eq!(drops.dropped() as u64, (number + 1).saturating_sub(F::ROOM));
        }
        let sender = Some(sender).filter(|_| !closed);
        for number in replaced..F::ROOM + replaced {
            assert_eq!(receive(&mut receiver, number % 4, 0).expect("it was sent").number, number);
        }
        assert_eq!(receiver.missed().unwrap_or(replaced), replaced);
        let missing = if closed { Missing::Closed } else { Missing::Empty };
        assert_eq!(receiver.try_recv().unwrap_err(), missing);
        drop((sender, receiver));
        drops.assert_all_dropped();
    }
}

/// The destructor of a replaced message panics in the send that replaces it. Its message arrives, and the
/// channel is still good.
pub fn destructor_that_panics<F: Flavor>() {
    let drops = DropCounter::new();
    let (mut sender, mut receiver) = F::channel();
    assert!(sender.send(drops.make_panicking(0)).is_ok());
    (1..F::ROOM).for_each(|number| assert!(sender.send(drops.make(number)).is_ok()));
    let panic = caught(|| sender.send(drops.make(F::ROOM))).expect("the panic is not swallowed");
    assert_eq!((panic.downcast_ref(), drops.dropped()), (Some(&0_u64), 1));
    for number in 1..=F::ROOM {
        assert_eq!(receiver.recv().expect("it was sent").number, number);
    }
    assert_eq!(receiver.missed().unwrap_or(1), 1);
    assert!(sender.send(drops.make(7)).is_ok());
    drop(sender);
    assert_eq!(receiver.recv().expect("it was sent").number, 7);
    assert!(receiver.recv().is_none());
    drop(receiver);
    drops.assert_all_dropped();
}

/// The destructor of a replaced message receives the next one, and may drop the receiver.
pub fn destructor_that_uses_the_channel<F: Flavor>() {
    for leaves in [false, true] {
        let (drops, place) = (DropCounter::new(), Place::default());
        let (mut sender, receiver) = F::channel();
        let own = place.clone();
        let message = drops.make_with(0, move || {
            let mut receiver = take::<F::Receiver>(&own).expect("it is there");
            assert_eq!(receiver.try_recv().expect("it was sent").number, 1);
            assert_eq!(receiver.missed().unwrap_or(1), 1);
            if !leaves {
                put(&own, receiver);
            }
        });
        put(&place, receiver);
        assert!(sender.send(message).is_ok());
        (1..=F::ROOM).for_each(|number| assert!(sender.send(drops.make(number)).is_ok()));
        assert_eq!(sender.is_closed(), leaves);
        if let Some(mut receiver) = take(&place) {
            assert!(sender.send(drops.make(F::ROOM + 1)).is_ok());
            for number in 2..=F::ROOM + 1 {
                assert_eq!(receiver.recv().expect("it was sent").number, number);
            }
        }
        drop(sender);
        drops.assert_all_dropped();
    }
}

/// The number of messages of a race.
const MANY: u64 = 100;

/// Sends race with receives, of one kind or of all of them. The numbers rise, the last message arrives, and
/// then the close.
pub fn sends_that_race_with_every_kind_of_receive<F: Flavor<Receiver: TaskReceiver>>() {
    for seed in 0..effort(50) as u64 {
        let drops = DropCounter::new();
        let (sender, mut receiver) = F::channel();
        // Long enough for a receiver to block, also before the close.
        let sending = send_and_close::<F>(sender, &drops, 0..MANY, pauses(seed, 3_000));
        let (mut random, mut next) = (Rng::with_seed(!seed), 0);
        loop {
            let kind = if seed % 5 < 4 { seed % 5 } else { random.u64(..4) };
            match receive(&mut receiver, kind, random.u64(..100)) {
                Ok(message) => account(&mut receiver, &mut next, &message),
                Err(Missing::Empty) => thread::yield_now(),
                Err(Missing::Closed) => break,
            }
        }
        assert_eq!(next, MANY);
        sending.join().expect("all messages are sent");
        drop(receiver);
        drops.assert_all_dropped();
    }
}

/// Receives until it would have to wait, as a task with this waker does.
fn drain(receiver: &mut impl TaskReceiver, next: &mut u64, waker: &Waker) {
    loop {
        let polled = poll_future(&mut receiver.recv_async(), waker);
        let Poll::Ready(message) = polled else { return };
        account(receiver, next, &message.expect("the sender is there"));
    }
}

/// A task that waits again and again is woken each time: once by the first of two sends, and by the close.
pub fn each_wait_is_woken<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = F::channel();
    let mut next = 0;
    for round in 1..=5 {
        drain(&mut receiver, &mut next, &waker);
        assert_eq!(next, 2 * (round - 1));
        for number in [next, next + 1] {
            assert!(sender.send(drops.make(number)).is_ok());
            assert_eq!(wakes.count() as u64, round);
        }
    }
    drain(&mut receiver, &mut next, &waker);
    drop(sender);
    assert_eq!((next, wakes.count()), (10, 6));
    assert!(matches!(poll_future(&mut receiver.recv_async(), &waker), Poll::Ready(None)));
    drop(receiver);
    drops.assert_all_dropped();
}

/// A receive is cancelled, and messages come before the next one, or none. The next one gets them, is woken
/// by a later one, and needs nothing of the first waker.
pub fn cancelled_wait<F: Flavor<Receiver: TaskReceiver>>() {
    for sent in 0..4 {
        let drops = DropCounter::new();
        let ((first, old), (last, new)) = (WakeCounter::new(), WakeCounter::new());
        let (mut sender, mut receiver) = F::channel();
        assert!(poll_future(&mut receiver.recv_async(), &old).is_pending());
        (0..sent).for_each(|number| assert!(sender.send(drops.make(number)).is_ok()));
        let (before, mut next) = (first.count(), 0);
        drain(&mut receiver, &mut next, &new);
        assert_eq!((next, first.wakers()), (sent, 1));
        let mut receiving = begun(receiver.recv_async(), &new);
        assert!(sender.send(drops.make(sent)).is_ok());
        assert_eq!((first.count(), last.count()), (before, 1));
        let Poll::Ready(Some(message)) = poll_future(&mut receiving, &new) else { panic!("it was woken") };
        assert_eq!(message.number, sent);
    }
}
