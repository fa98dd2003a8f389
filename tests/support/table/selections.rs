//! Receivers in selections. A send may block until its message is received, so each sender has a thread of
//! its own.

use super::flavor::{Flavor, Sender, send_all_elsewhere, send_elsewhere};
use crate::{Counted, DropCounter, WakeCounter, begun, effort, poll_future, spawn, spin_while};
use pipes::{Either, Readiness, Receive, RecvError, select, select_async, select2};
use std::task::Poll;
use std::time::Duration;

type Received = (usize, Result<Counted, RecvError>);

/// Receives from the first of two that is ready, if there is one.
fn look<R>(mut one: &mut R, mut two: &mut R) -> Option<Received>
where
    R: Readiness,
    for<'a> &'a mut R: Receive<Message = Counted>,
{
    select! {
        received = one => Some((0, received)),
        received = two => Some((1, received)),
        default => None,
    }
}

/// Receives from the first of two that becomes ready in time.
fn wait<R>(mut one: &mut R, mut two: &mut R, timeout: Duration) -> Option<Received>
where
    R: Readiness,
    for<'a> &'a mut R: Receive<Message = Counted>,
{
    select! {
        received = one => Some((0, received)),
        received = two => Some((1, received)),
        timeout(timeout) => None,
    }
}

/// The same in a task.
async fn wait_async<R>(mut one: &mut R, mut two: &mut R) -> Received
where
    R: Readiness,
    for<'a> &'a mut R: Receive<Message = Counted>,
{
    select_async! {
        received = one => (0, received),
        received = two => (1, received),
    }
}

/// The receiver that has a message is chosen. The other one comes back and is still good.
pub fn message_at_one_of_two<F>()
where
    F: Flavor,
    for<'a> &'a mut F::Receiver: Receive<Message = Counted>,
{
    for first in [true, false] {
        let drops = DropCounter::new();
        let ((mut one, mut left), (mut two, mut right)) = (F::channel(), F::channel());
        let message = drops.make(1);
        let sending = spawn(move || {
            assert!(if first { one.send(message) } else { two.send(message) }.is_ok());
            (one, two)
        });
        let message = match select2(&mut left, &mut right) {
            Either::Left((message, _)) => {
                assert!(first);
                message
            }
            Either::Right((_, message)) => {
                assert!(!first);
                message
            }
        };
        assert_eq!(message.expect("it was sent").number, 1);
        drop(sending.join().expect("the message was sent"));
        assert!(left.recv().is_err() && right.recv().is_err());
        drops.assert_all_dropped();
    }
}

/// A close is chosen like a message, again and again, and the other receiver is still open.
pub fn close_of_one_of_two<F>()
where
    F: Flavor<Receiver: Readiness>,
    for<'a> &'a mut F::Receiver: Receive<Message = Counted>,
{
    let drops = DropCounter::new();
    let ((one, mut left), (two, mut right)) = (F::channel(), F::channel());
    assert!(look(&mut left, &mut right).is_none());
    let closing = spawn(move || drop(two));
    for _ in 0..2 {
        assert!(matches!(wait(&mut left, &mut right, Duration::MAX), Some((1, Err(RecvError)))));
    }
    closing.join().expect("it does not panic");
    let sending = send_elsewhere::<F>(one, &drops);
    assert_eq!(left.recv().expect("it was sent").number, 1);
    sending.join().expect("the message was sent");
}

/// Of messages at all receivers each selection takes one, and in the end all were received.
pub fn messages_at_all<F>()
where
    F: Flavor,
    for<'a> &'a mut F::Receiver: Receive<Message = Counted>,
{
    const EACH: u64 = 100;
    let drops = DropCounter::new();
    let (senders, mut receivers): (Vec<_>, Vec<_>) = (0..3).map(|_| F::channel()).unzip();
    let sending: Vec<_> =
        senders.into_iter().map(|sender| send_all_elsewhere::<F>(sender, &drops, 0..EACH)).collect();
    let mut next = [0; 3];
    for received in 1..=3 * EACH as usize {
        let (index, message, others) = select(receivers.iter_mut().collect());
        assert_eq!(others.len(), 2);
        assert_eq!(message.expect("a message comes first").number, next[index]);
        next[index] += 1;
        assert_eq!(drops.dropped(), received);
    }
    assert_eq!(next, [EACH; 3]);
    sending.into_iter().for_each(|sending| drop(sending.join().expect("all messages are sent")));
    drops.assert_all_dropped();
}

/// Timeouts of any length race with the send, and lose nothing.
pub fn timeouts_that_race_with_a_send<F>()
where
    F: Flavor<Receiver: Readiness>,
    for<'a> &'a mut F::Receiver: Receive<Message = Counted>,
{
    for nanoseconds in 0..effort(50) as u64 {
        let drops = DropCounter::new();
        let ((_one, mut left), (two, mut right)) = (F::channel(), F::channel());
        assert!(wait(&mut left, &mut right, Duration::ZERO).is_none());
        let sending = send_elsewhere::<F>(two, &drops);
        let mut timeout = Duration::from_nanos(nanoseconds * 1000);
        let (chosen, message) = loop {
            if let Some(received) = wait(&mut left, &mut right, timeout) {
                break received;
            }
            timeout *= 2;
        };
        assert_eq!((chosen, message.expect("a message comes first").number), (1, 1));
        sending.join().expect("the message was sent");
        drops.assert_all_dropped();
    }
}

/// A task is woken by a message and by a close. Of several wakers the last one is woken.
pub fn task_that_waits<F>()
where
    F: Flavor<Receiver: Readiness>,
    for<'a> &'a mut F::Receiver: Receive<Message = Counted>,
{
    let drops = DropCounter::new();
    let ((first, old), (last, new)) = (WakeCounter::new(), WakeCounter::new());
    let ((one, mut left), (two, mut right)) = (F::channel(), F::channel());
    let mut waiting = Box::pin(wait_async(&mut left, &mut right));
    for waker in [&old, &new, &old, &new] {
        assert!(poll_future(&mut waiting, waker).is_pending());
    }
    assert_eq!(first.wakers(), 1, "it was dropped wherever it was");
    let sending = send_elsewhere::<F>(two, &drops);
    spin_while(|| last.count() == 0);
    let Poll::Ready((1, Ok(message))) = poll_future(&mut waiting, &new) else { panic!("it was woken") };
    drop(waiting);
    let _two = sending.join().expect("the message was sent");
    assert_eq!((message.number, first.count(), last.count()), (1, 0, 1));
    let mut waiting = begun(Box::pin(wait_async(&mut left, &mut right)), &new);
    drop(one);
    assert_eq!(last.count(), 2);
    assert!(matches!(poll_future(&mut waiting, &new), Poll::Ready((0, Err(RecvError)))));
}

/// A task that is cancelled loses nothing, whether it was woken or not.
pub fn cancelled_task<F>()
where
    F: Flavor<Receiver: Readiness>,
    for<'a> &'a mut F::Receiver: Receive<Message = Counted>,
{
    for woken in [false, true] {
        let drops = DropCounter::new();
        let (wakes, waker) = WakeCounter::new();
        let ((_one, mut left), (two, mut right)) = (F::channel(), F::channel());
        let waiting = begun(Box::pin(wait_async(&mut left, &mut right)), &waker);
        let waiting = Some(waiting).filter(|_| woken);
        let sending = send_elsewhere::<F>(two, &drops);
        spin_while(|| waiting.is_some() && wakes.count() == 0);
        drop(waiting);
        assert_eq!(right.recv().expect("it was sent").number, 1);
        assert!(left.try_recv().is_err_and(|error| !error.is_closed()));
        sending.join().expect("the message was sent");
        drops.assert_all_dropped();
    }
}
