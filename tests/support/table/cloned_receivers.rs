//! Receivers that can be cloned: each message goes to one of them.

use super::flavor::{Flavor, Missing, Receiver, Sender, TaskReceiver, send_all_elsewhere, until_closed};
use super::reentrance::{Place, Task, put, take, task};
use crate::{
    Counted, DropCounter, Rng, WakeCounter, begun, caught, effort, panics, poll_future, spawn, spin,
    spin_while,
};
use futures::Stream;
use futures::executor::block_on;
use futures::future::select;
use std::cell::Cell;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

/// Each message goes to one receiver, in whichever way they receive. Each gets its messages in order.
pub fn messages_for_several<F: Flavor<Receiver: TaskReceiver + Clone>>() {
    const MESSAGES: u64 = if cfg!(miri) { 10 } else { 300 };
    for seed in 0..effort(10) as u64 {
        let drops = DropCounter::new();
        let (sender, receiver) = F::channel();
        let receiving = [0, 1, 2].map(|own| {
            let (mut receiver, mut random) = (receiver.clone(), Rng::with_seed(seed * 3 + own));
            spawn(move || {
                let mut numbers = Vec::new();
                loop {
                    match receive_somehow(&mut receiver, &mut random) {
                        Ok(message) => numbers.push(message.number),
                        Err(Missing::Empty) => {}
                        Err(Missing::Closed) => return numbers,
                    }
                }
            })
        });
        drop(receiver);
        let sending = send_all_elsewhere::<F>(sender, &drops, 0..MESSAGES);
        drop(sending.join().expect("the receivers are here"));
        let received = receiving.map(|receiving| receiving.join().expect("the sender has left"));
        assert!(received.iter().all(|own| own.is_sorted()));
        let mut all = received.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..MESSAGES));
        drops.assert_all_dropped();
    }
}

/// The channel closes when the last receiver leaves.
pub fn last_one_closes<F: Flavor<Receiver: Clone>>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = F::channel();
    let mut other = receiver.clone();
    drop(receiver);
    assert!(!sender.is_closed());
    assert_eq!(other.try_recv().unwrap_err(), Missing::Empty);
    drop(other);
    until_closed(&sender);
    assert!(sender.send(drops.make(1)).is_err());
}

/// A close wakes all receivers that wait as streams, although two of their wakers panic.
pub fn two_wakers_panic_at_a_close<F: Flavor<Receiver: Clone + Stream + Unpin>>() {
    let (sender, receiver) = F::channel();
    let mut receivers = [receiver.clone(), receiver.clone(), receiver];
    let panicking = || WakeCounter::on_wake(panics).1;
    let (wakes, waker) = WakeCounter::new();
    for (receiver, waker) in receivers.iter_mut().zip([panicking(), waker, panicking()]) {
        assert!(Pin::new(receiver).poll_next(&mut Context::from_waker(&waker)).is_pending());
    }
    assert!(caught(|| drop(sender)).is_some(), "one of the panics comes out");
    assert_eq!(wakes.count(), 1);
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

/// Receives in one of several ways, some of which give up.
fn receive_somehow<R: TaskReceiver + Clone>(receiver: &mut R, random: &mut Rng) -> Result<Counted, Missing> {
    let found = match random.u64(..6) {
        0 => receiver.recv(),
        1 => return receiver.try_recv(),
        2 => return receiver.recv_timeout(Duration::from_nanos(random.u64(..30_000))),
        3 => block_on(receiver.recv_async()),
        // A receive that is cancelled, and may have been woken.
        4 => {
            let mut receiving = receiver.recv_async();
            let polled = poll_future(&mut receiving, Waker::noop());
            spin(random.u64(..300));
            let Poll::Ready(found) = polled else { return Err(Missing::Empty) };
            found
        }
        // Two receives at once, one of which is cancelled.
        _ => {
            let mut other = receiver.clone();
            block_on(select(receiver.recv_async(), other.recv_async())).factor_first().0
        }
    };
    found.ok_or(Missing::Closed)
}

/// Receivers that leave during the sends. Each message is received or dropped.
pub fn receivers_that_leave<F: Flavor<Receiver: TaskReceiver + Clone>>() {
    for seed in 0..effort(30) as u64 {
        let drops = DropCounter::new();
        let (mut sender, receiver) = F::channel();
        let receiving = [0, 1, 2].map(|own| {
            let (mut receiver, mut random) = (receiver.clone(), Rng::with_seed(seed * 3 + own));
            spawn(move || {
                for _ in 0..random.u64(..40) {
                    drop(receive_somehow(&mut receiver, &mut random));
                }
            })
        });
        drop(receiver);
        while let Ok(()) = sender.send(drops.make(0)) {}
        assert!(sender.is_closed());
        receiving.into_iter().for_each(|receiving| receiving.join().expect("it does not panic"));
        drops.assert_all_dropped();
    }
}

/// A close wakes every thread and every task that waits.
pub fn close_wakes_all<F: Flavor<Receiver: TaskReceiver + Clone>>() {
    for _ in 0..effort(20) {
        let (sender, receiver) = F::channel();
        let mut own = [receiver.clone(), receiver.clone()];
        let counters = [WakeCounter::new(), WakeCounter::new()];
        let mut tasks = own.each_mut().map(TaskReceiver::recv_async);
        for (task, (_, waker)) in tasks.iter_mut().zip(&counters) {
            assert!(poll_future(task, waker).is_pending());
        }
        let threads = [0, 1, 2].map(|number| {
            let mut receiver = receiver.clone();
            spawn(move || match number {
                0 => receiver.recv().is_none(),
                1 => receiver.recv_timeout(Duration::MAX).is_err(),
                _ => block_on(receiver.recv_async()).is_none(),
            })
        });
        drop(sender);
        // The first one that is woken wakes the others when it finds the end.
        for (task, (wakes, waker)) in tasks.iter_mut().zip(&counters) {
            spin_while(|| wakes.count() == 0);
            assert!(matches!(poll_future(task, waker), Poll::Ready(None)));
        }
        assert!(threads.into_iter().all(|thread| thread.join().expect("it does not panic")));
    }
}

/// Tasks are woken in the order in which they began to wait, one for each message.
pub fn woken_in_order<F: Flavor<Receiver: TaskReceiver + Clone>>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = F::channel();
    let mut receivers = [(); 4].map(|()| receiver.clone());
    let (counters, wakers): (Vec<_>, Vec<_>) = (0..4).map(|_| WakeCounter::new()).unzip();
    let mut tasks = receivers.each_mut().map(TaskReceiver::recv_async);
    // The second poll of the first one keeps its place.
    for index in [2, 0, 3, 1, 2] {
        assert!(poll_future(&mut tasks[index], &wakers[index]).is_pending());
    }
    for (number, index) in (0..).zip([2, 0, 3, 1]) {
        let sending = send_all_elsewhere::<F>(sender, &drops, number..number + 1);
        spin_while(|| counters[index].count() == 0);
        assert_eq!(counters.iter().map(|wakes| wakes.count() as u64).sum::<u64>(), number + 1);
        let Poll::Ready(Some(message)) = poll_future(&mut tasks[index], &wakers[index]) else {
            panic!("it was woken")
        };
        assert_eq!(message.number, number);
        sender = sending.join().expect("the message was sent");
    }
    assert!(counters.iter().all(|wakes| wakes.count() == 1 && wakes.wakers() == 1));
}

/// A task that was woken wakes the next one, if it leaves something: a message, or the close. It may
/// receive, or be cancelled.
pub fn woken_task_wakes_the_next<F: Flavor<Receiver: TaskReceiver + Clone>>() {
    let cases = [(false, 2), (true, 1), (true, 0)];
    for (cancelled, messages) in cases.into_iter().cycle().take(effort(100)) {
        let drops = DropCounter::new();
        let (sender, mut first) = F::channel();
        let mut second = first.clone();
        let ((one, one_waker), (two, two_waker)) = (WakeCounter::new(), WakeCounter::new());
        let (mut first, mut second) = (first.recv_async(), second.recv_async());
        assert!(poll_future(&mut first, &one_waker).is_pending());
        assert!(poll_future(&mut second, &two_waker).is_pending());
        // The sender is dropped when its messages are sent.
        drop(send_all_elsewhere::<F>(sender, &drops, 1..messages + 1));
        spin_while(|| one.count() == 0);
        if !cancelled {
            assert!(matches!(poll_future(&mut first, &one_waker), Poll::Ready(Some(_))));
        }
        drop(first);
        spin_while(|| two.count() == 0);
        let Poll::Ready(found) = poll_future(&mut second, &two_waker) else { panic!("it was woken") };
        assert_eq!(found.map(|message| message.number), (messages > 0).then_some(messages));
    }
}

/// A task is woken, and another receiver takes its message: it waits again, and is woken again.
pub fn message_taken_by_another<F: Flavor<Receiver: TaskReceiver + Clone>>() {
    let drops = DropCounter::new();
    let (mut sender, mut patient) = F::channel();
    let mut hasty = patient.clone();
    let (wakes, waker) = WakeCounter::new();
    let mut receiving = begun(patient.recv_async(), &waker);
    for round in 1..=3 {
        let sending = send_all_elsewhere::<F>(sender, &drops, round..round + 1);
        spin_while(|| (wakes.count() as u64) < round);
        if round < 3 {
            assert_eq!(hasty.try_recv().expect("it was sent").number, round);
            assert!(poll_future(&mut receiving, &waker).is_pending());
        } else {
            assert!(matches!(poll_future(&mut receiving, &waker), Poll::Ready(Some(_))));
        }
        sender = sending.join().expect("the message was sent");
    }
}
