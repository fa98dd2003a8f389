//! Receivers that can be cloned: each message goes to one of them.

use super::cancellation::receive_somehow;
use super::flavor::{Flavor, Missing, Receiver, Sender, TaskReceiver, until_closed};
use super::reentrance::{Place, Task, put, take, task};
use crate::{Bell, Random, Tally, caught, effort, lend, poll_future, spin_while};
use futures::Stream;
use futures::executor::block_on;
use std::cell::Cell;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake};

/// Each message goes to one receiver. Each receiver gets its messages in order.
pub fn messages_for_several<F: Flavor<Receiver: Clone>>() {
    const MESSAGES: u64 = 300;
    let tally = Tally::new();
    let (mut sender, receiver) = F::channel();
    let receiving: Vec<_> = (0..3)
        .map(|_| {
            let mut receiver = receiver.clone();
            lend(move || {
                std::iter::from_fn(|| receiver.recv()).map(|message| message.number).collect::<Vec<_>>()
            })
        })
        .collect();
    drop(receiver);
    for number in 0..MESSAGES {
        assert!(sender.send(tally.make(number)).is_ok());
    }
    drop(sender);
    let received = receiving.into_iter().map(|receiving| receiving.join().expect("the sender has left"));
    let mut all: Vec<_> = received.inspect(|own| assert!(own.is_sorted())).flatten().collect();
    all.sort_unstable();
    assert_eq!(all, (0..MESSAGES).collect::<Vec<_>>());
    tally.assert_all_gone();
}

/// The channel closes when the last receiver leaves.
pub fn last_one_closes<F: Flavor<Receiver: Clone>>() {
    let tally = Tally::new();
    let (mut sender, receiver) = F::channel();
    let mut other = receiver.clone();
    drop(receiver);
    assert!(!sender.is_closed());
    assert_eq!(other.try_recv().unwrap_err(), Missing::Empty);
    drop(other);
    until_closed(&sender);
    assert!(sender.send(tally.make(1)).is_err());
}

/// A close wakes all receivers that wait as streams, although two of their wakers panic.
pub fn two_wakers_panic_at_a_close<F: Flavor<Receiver: Clone + Stream + Unpin>>() {
    let (sender, receiver) = F::channel();
    let mut receivers = [receiver.clone(), receiver.clone(), receiver];
    let panics = || Bell::that(|| std::panic::resume_unwind(Box::new("on purpose"))).1;
    let (bell, waker) = Bell::new();
    for (receiver, waker) in receivers.iter_mut().zip([panics(), waker, panics()]) {
        assert!(Pin::new(receiver).poll_next(&mut Context::from_waker(&waker)).is_pending());
    }
    assert!(caught(|| drop(sender)).is_some(), "one of the panics comes out");
    assert_eq!(bell.rings(), 1);
}

thread_local! {
    /// How many wakers are being called one inside the other, now and at most.
    static DEPTH: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// A task that its waker polls at once, as the simplest executor does.
struct Eager(Place<Task>);

impl Eager {
    fn poll(self: Arc<Self>) {
        // There is none while it is being polled, and when it is done.
        let Some(mut task) = take(&self.0) else { return };
        if poll_future(&mut task, &self.clone().into()).is_pending() {
            put(&self.0, task);
        }
    }
}

impl Wake for Eager {
    fn wake(self: Arc<Self>) {
        let (now, most) = DEPTH.get();
        DEPTH.set((now + 1, most.max(now + 1)));
        self.poll();
        DEPTH.set((now, DEPTH.get().1));
    }
}

/// At the close, tasks that their wakers poll are not woken one inside the other, which would need a stack as
/// deep as there are tasks.
pub fn woken_one_after_the_other<F: Flavor<Receiver: Clone + TaskReceiver>>() {
    const TASKS: usize = 300;
    let (sender, receiver) = F::channel();
    let ended = Arc::new(AtomicUsize::new(0));
    for _ in 0..TASKS {
        let (waiting, ended) = (task::<F>(receiver.clone()), ended.clone());
        let waiting = Box::pin(async move {
            assert!(waiting.await.is_none());
            ended.fetch_add(1, Ordering::Relaxed);
            None
        });
        Arc::new(Eager(Place::new(Mutex::new(Some(waiting))))).poll();
    }
    drop((receiver, sender));
    let (_, most) = DEPTH.get();
    assert_eq!(ended.load(Ordering::Relaxed), TASKS);
    assert!(most < TASKS / 2, "{most} wakers, one inside the other");
}

/// Each message arrives once at receivers that receive in every way, and that give up many receives.
pub fn every_kind_of_receive<F: Flavor<Receiver: Clone + TaskReceiver>>() {
    for seed in 0..effort(10) as u64 {
        let tally = Tally::new();
        let (mut sender, receiver) = F::channel();
        let receiving: Vec<_> = (0..4)
            .map(|number| {
                let mut receiver = receiver.clone();
                lend(move || {
                    let mut random = Random::new(4 * seed + number);
                    let messages = std::iter::from_fn(|| receive_somehow(&mut receiver, &mut random));
                    messages.map(|message| message.number).collect::<Vec<_>>()
                })
            })
            .collect();
        drop(receiver);
        (0..200).for_each(|number| assert!(sender.send(tally.make(number)).is_ok()));
        drop(sender);
        let mut all: Vec<_> = receiving.into_iter().flat_map(|it| it.join().expect("it ends")).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..200));
        tally.assert_all_gone();
    }
}

/// A receive that is cancelled, before the message or after it, leaves the message to another receiver that
/// waits.
pub fn cancelled_receive<F: Flavor<Receiver: Clone + TaskReceiver>>() {
    for is_woken in [false, true] {
        let tally = Tally::new();
        let (mut sender, mut receiver) = F::channel();
        let mut other = receiver.clone();
        let ((first, one), (second, two)) = (Bell::new(), Bell::new());
        let mut receiving = receiver.recv_async();
        assert!(poll_future(&mut receiving, &one).is_pending());
        let mut waiting = other.recv_async();
        assert!(poll_future(&mut waiting, &two).is_pending());
        let receiving = is_woken.then_some(receiving);
        let message = tally.make(1);
        let sending = lend(move || assert!(sender.send(message).is_ok()));
        if is_woken {
            spin_while(|| first.rings() == 0);
        }
        drop(receiving);
        spin_while(|| second.rings() == 0);
        assert!(block_on(waiting).is_some());
        sending.join().expect("the message was sent");
    }
}
