//! Receivers as `futures::Stream`s.

use super::flavor::{Flavor, Missing, Receiver, Sender, TaskReceiver, send_and_close, send_elsewhere};
use crate::{Counted, DropCounter, WakeCounter, poll_future, spawn, spin_while};
use futures::executor::block_on;
use futures::stream::Stream;
use futures::{FutureExt, StreamExt};
use std::task::{Poll, Waker};
use std::time::Duration;

/// All messages come in order, and then the end.
pub fn collected<F: Flavor<Receiver: Stream<Item = Counted> + Unpin>>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = F::channel();
    let sending = send_and_close::<F>(sender, &drops, 0..100, || ());
    for number in 0..100 {
        assert_eq!(block_on(receiver.next()).expect("a message was sent").number, number);
    }
    for _ in 0..3 {
        assert!(block_on(receiver.next()).is_none(), "it stays at its end");
    }
    sending.join().expect("all messages are sent");
    drops.assert_all_dropped();
}

/// A task polls the stream and then looks whether there is a message. It is woken all the same: by a message,
/// or by the close.
pub fn look_after_a_poll<F>()
where
    F: Flavor<Receiver: Stream<Item = Counted> + Unpin + TaskReceiver>,
{
    for (look, sends) in (0..4).flat_map(|look| [(look, false), (look, true)]) {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let (mut sender, mut receiver) = F::channel();
        assert!(poll_future(&mut receiver.next(), &waker).is_pending());
        match look {
            0 => assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty),
            1 => assert_eq!(receiver.recv_timeout(Duration::ZERO).unwrap_err(), Missing::Empty),
            // A future that is never polled.
            2 => drop(receiver.recv_async()),
            _ => drop(receiver.next()),
        }
        let message = drops.make(1);
        let sending = spawn(move || {
            if sends {
                assert!(sender.send(message).is_ok())
            }
        });
        crate::spin_while(|| wakes.count() == 0);
        assert_eq!(block_on(receiver.next()).is_some(), sends);
        sending.join().expect("it was sent");
    }
}

/// A message wakes the task, with its last waker, and so does the end.
pub fn woken_by_a_message_and_by_the_end<F: Flavor<Receiver: Stream<Item = Counted> + Unpin>>() {
    let drops = DropCounter::new();
    let ((first, one), (last, two)) = (WakeCounter::new(), WakeCounter::new());
    let (sender, mut receiver) = F::channel();
    for waker in [&one, &two] {
        assert!(poll_future(&mut receiver.next(), waker).is_pending());
    }
    assert_eq!((first.wakers(), last.count()), (1, 0));
    let sending = send_elsewhere::<F>(sender, &drops);
    spin_while(|| last.count() == 0);
    assert!(matches!(poll_future(&mut receiver.next(), &two), Poll::Ready(Some(_))));
    let sender = sending.join().expect("the message was sent");
    assert!(poll_future(&mut receiver.next(), &two).is_pending());
    drop(sender);
    assert_eq!((first.count(), last.count()), (0, 2));
    assert!(matches!(poll_future(&mut receiver.next(), &two), Poll::Ready(None)));
    drop(receiver);
    assert_eq!(last.wakers(), 1);
}

/// A task that first looks with a receive and then waits as a stream sleeps until a message comes.
pub fn look_and_wait<F: Flavor<Receiver: Stream<Item = Counted> + TaskReceiver + Unpin>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    for _ in 0..3 {
        assert!(receiver.recv_async().now_or_never().is_none());
        assert!(poll_future(&mut receiver.next(), &waker).is_pending());
        assert_eq!(wakes.count(), 0, "nothing has come");
    }
    let sending = send_and_close::<F>(sender, &drops, 1..2, || ());
    spin_while(|| wakes.count() == 0);
    assert!(poll_future(&mut receiver.next(), Waker::noop()).is_ready());
    sending.join().expect("the message was sent");
}
