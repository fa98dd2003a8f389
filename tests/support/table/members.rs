//! Receivers as members of a `PortSet`. A send may block until the set receives, so most senders have a
//! thread of their own.

use super::flavor::{Flavor, Receiver, Sender, TaskReceiver, send_all_elsewhere, until_closed};
use super::reentrance::{Place, put, take};
use crate::{
    Counted, DropCounter, WakeCounter, caught, effort, panics, poll, poll_future, spawn, spin_while,
};
use pipes::{Closed, Member, PortSet, Readiness, RecvTimeoutError, SetEmpty};
use std::task::{Poll, Waker};
use std::time::Duration;

type SetOf<F> = PortSet<<F as Flavor>::Receiver>;

/// A set of this many receivers, whose keys are their numbers, and their senders.
fn set_of<F: Flavor<Receiver: Member>>(count: usize) -> (Vec<F::Sender>, SetOf<F>) {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| F::channel()).unzip();
    (senders, receivers.into_iter().collect())
}

/// Each member's messages come in order with its key, and then its close, once.
pub fn messages_and_closes<F: Flavor<Receiver: Member<Message = Counted>>>() {
    const EACH: u64 = 200;
    let drops = DropCounter::new();
    let (senders, mut set) = set_of::<F>(4);
    let sending: Vec<_> =
        senders.into_iter().map(|sender| send_all_elsewhere::<F>(sender, &drops, 0..EACH)).collect();
    let closing = spawn(move || sending.into_iter().for_each(|sending| drop(sending.join())));
    let mut next = [0; 4];
    while !set.is_empty() {
        match set.recv().expect("there are members") {
            (key, Ok(message)) => {
                assert_eq!(message.number, next[key]);
                next[key] += 1;
            }
            (key, Err(Closed)) => {
                assert_eq!(next[key], EACH, "a close comes after the messages");
                assert!(!set.contains_key(&key), "it comes once");
            }
        }
    }
    assert_eq!(next, [EACH; 4]);
    assert!(matches!(set.recv(), Err(SetEmpty)));
    closing.join().expect("all messages were sent");
    drops.assert_all_dropped();
}

/// Timeouts of any length race with a send, and lose nothing. The set waits in one thread after the other.
pub fn timeouts_that_race_with_a_send<F: Flavor<Receiver: Member<Message = Counted>>>() {
    for nanoseconds in 0..effort(50) as u64 {
        let drops = DropCounter::new();
        let (mut senders, mut set) = set_of::<F>(2);
        assert_eq!(set.recv_timeout(Duration::ZERO).map(drop), Err(RecvTimeoutError::Timeout(())));
        let sending = send_all_elsewhere::<F>(senders.remove(1), &drops, 0..1);
        let receiving = spawn(move || {
            let mut timeout = Duration::from_nanos(nanoseconds * 1000);
            let turn = loop {
                match set.recv_timeout(timeout) {
                    Ok(turn) => break turn,
                    Err(error) => assert_eq!(error, RecvTimeoutError::Timeout(())),
                }
                timeout *= 2;
            };
            (turn, set)
        });
        let ((key, message), mut set) = receiving.join().expect("there are members");
        assert_eq!((key, message.expect("a message comes first").number), (1, 0));
        drop(sending.join().expect("the message was sent"));
        assert!(matches!(set.recv(), Ok((1, Err(Closed)))));
        assert_eq!(set.len(), 1);
        drops.assert_all_dropped();
    }
}

/// A task that waits for the set is woken once by a message, and once by a close.
pub fn task_that_waits<F: Flavor<Receiver: Member<Message = Counted>>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (mut senders, mut set) = set_of::<F>(3);
    assert!(poll_future(&mut set.recv_async(), &waker).is_pending());
    let sending = send_all_elsewhere::<F>(senders.remove(1), &drops, 0..1);
    spin_while(|| wakes.count() == 0);
    let Poll::Ready(Ok((1, Ok(message)))) = poll_future(&mut set.recv_async(), &waker) else {
        panic!("it was woken")
    };
    assert_eq!(message.number, 0);
    let sender = sending.join().expect("the message was sent");
    assert!(poll_future(&mut set.recv_async(), &waker).is_pending());
    assert_eq!(wakes.count(), 1);
    drop(sender);
    assert_eq!(wakes.count(), 2);
    let Poll::Ready(Ok((1, Err(Closed)))) = poll_future(&mut set.recv_async(), &waker) else {
        panic!("it was woken")
    };
    drop(senders);
    assert_eq!((wakes.count(), wakes.wakers()), (2, 1), "no task waits");
}

/// Of several wakers, the last one is woken. A thread that waits takes the place of the task, and a set that
/// is dropped drops its waker.
pub fn last_of_several_wakers<F: Flavor<Receiver: Member<Message = Counted>>>() {
    let ((first, one), (last, two)) = (WakeCounter::new(), WakeCounter::new());
    let (mut senders, mut set) = set_of::<F>(3);
    for waker in [&one, &two, &one, &two] {
        assert!(poll_future(&mut set.recv_async(), waker).is_pending());
    }
    assert_eq!(first.wakers(), 1, "it was dropped");
    drop(senders.pop());
    assert_eq!((first.count(), last.count()), (0, 1));
    assert!(matches!(set.try_recv(), Ok((2, Err(Closed)))));
    assert!(poll(&mut set, &one).is_pending());
    first.gives_way(|time| assert!(set.recv_timeout(time).is_err()));
    drop(senders.pop());
    assert_eq!((first.count(), last.count()), (0, 1), "no task waits");
    assert!(matches!(set.try_recv(), Ok((1, Err(Closed)))));
    assert!(poll(&mut set, &one).is_pending());
    drop(set);
    drop(senders);
    assert_eq!((first.count(), first.wakers(), last.wakers()), (0, 1, 1));
}

/// What a waker of the set may do at a close: panic, receive from the set, or drop it.
pub fn what_a_waker_may_do<F: Flavor<Receiver: Member<Message = Counted>>>() {
    let (mut senders, mut set) = set_of::<F>(2);
    let (_wakes, waker) = WakeCounter::on_wake(panics);
    assert!(poll(&mut set, &waker).is_pending());
    let sender = senders.remove(0);
    assert!(caught(|| drop(sender)).is_some());
    assert!(matches!(set.recv(), Ok((0, Err(Closed)))));

    let place = Place::<SetOf<F>>::default();
    let inside = place.clone();
    let (wakes, waker) = WakeCounter::on_wake(move || {
        let mut set = take(&inside).expect("it is there");
        assert!(matches!(set.try_recv(), Ok((1, Err(Closed)))));
        assert_eq!(set.insert(F::channel().1), 2);
        put(&inside, set);
    });
    assert!(poll(&mut set, &waker).is_pending());
    put(&place, set);
    drop(senders);
    assert_eq!(wakes.count(), 1);
    assert_eq!(take(&place).map(|set| set.len()), Some(1));

    let (mut senders, mut set) = set_of::<F>(2);
    let inside = place.clone();
    let (wakes, waker) = WakeCounter::on_wake(move || drop(take(&inside)));
    assert!(poll(&mut set, &waker).is_pending());
    put(&place, set);
    drop(senders.remove(0));
    assert_eq!(wakes.count(), 1);
    until_closed(&senders[0]);
}

/// A member that is removed brings along what was sent to it, or is being sent, and works: alone, in a task,
/// in another set, and in the same set again, under its old key and under another one.
pub fn removed_member<F: Flavor<Receiver: Member<Message = Counted> + TaskReceiver>>() {
    for (looks, place) in (0..10).map(|case| (case % 2 == 0, case / 2)) {
        let drops = DropCounter::new();
        let (mut senders, mut set) = set_of::<F>(2);
        assert!(!looks || poll(&mut set, Waker::noop()).is_pending());
        let sending = send_all_elsewhere::<F>(senders.remove(0), &drops, 0..3);
        let mut receiver = set.remove(&0).expect("it is a member");
        assert_eq!(set.len(), 1);
        let mut receive: Box<dyn FnMut() -> Option<Counted>> = match place {
            0 => Box::new(|| Receiver::recv(&mut receiver)),
            1 => Box::new(|| futures::executor::block_on(TaskReceiver::recv_async(&mut receiver))),
            2 => {
                let mut other: SetOf<F> = [receiver].into_iter().collect();
                Box::new(move || other.recv().ok()?.1.ok())
            }
            key => {
                let key = key - 3;
                assert!(set.insert_at(key * 7, receiver).is_none());
                let set = &mut set;
                Box::new(move || {
                    let (from, message) = set.recv().expect("there are members");
                    assert_eq!(from, key * 7);
                    message.ok()
                })
            }
        };
        for number in 0..3 {
            assert_eq!(receive().expect("it was sent").number, number);
        }
        drop(sending.join().expect("all messages are sent"));
        assert!(receive().is_none());
        drop(receive);
        assert!(set.try_recv().is_err(), "nothing is left for the set");
        drop(senders);
        assert!(matches!(set.recv(), Ok((1, Err(Closed)))));
        assert!(set.is_empty());
        drops.assert_all_dropped();
    }
}

/// A member whose key is given to another one comes back and still works. The key is free again when its
/// member has closed.
pub fn replaced_member<F: Flavor<Receiver: Member<Message = Counted>>>() {
    let drops = DropCounter::new();
    for looks in [false, true] {
        let ((old, old_receiver), (new, new_receiver)) = (F::channel(), F::channel());
        let mut set = PortSet::new();
        assert!(set.insert_at("key", old_receiver).is_none());
        assert!(!looks || poll(&mut set, Waker::noop()).is_pending());
        let sending =
            [(old, 1), (new, 2)].map(|(sender, count)| send_all_elsewhere::<F>(sender, &drops, 0..count));
        let mut back = set.insert_at("key", new_receiver).expect("there was one");
        assert_eq!(set.len(), 1);
        assert_eq!(Receiver::recv(&mut back).expect("it was sent").number, 0);
        for number in 0..2 {
            let (key, message) = set.recv().expect("there is a member");
            assert_eq!((key, message.expect("it was sent").number), ("key", number));
        }
        sending.into_iter().for_each(|sending| drop(sending.join().expect("all messages are sent")));
        assert!(matches!(set.recv(), Ok(("key", Err(Closed)))));
        assert!(!set.contains_key(&"key") && set.insert_at("key", back).is_none());
        assert!(matches!(set.recv(), Ok(("key", Err(Closed)))));
        assert!(set.is_empty());
    }
    drops.assert_all_dropped();
}

/// A task that waited for a receiver is not woken for it once it is a member, and the set's task is not woken
/// for a member that was removed.
pub fn wakers_from_before<F: Flavor<Receiver: Member<Message = Counted>>>() {
    let ((of_receiver, receivers_waker), (of_set, sets_waker)) = (WakeCounter::new(), WakeCounter::new());
    let (sender, mut receiver) = F::channel();
    assert!(poll(&mut receiver, &receivers_waker).is_pending());
    let mut set = PortSet::new();
    let key = set.insert(receiver);
    assert_eq!(of_receiver.wakers(), 1, "the set has taken its place");
    assert!(poll(&mut set, &sets_waker).is_pending());
    drop(sender);
    assert_eq!((of_receiver.count(), of_set.count()), (0, 1));
    assert!(matches!(set.try_recv(), Ok((closed, Err(Closed))) if closed == key));

    let (sender, receiver) = F::channel();
    let (_other, others_receiver) = F::channel();
    let key = set.insert(receiver);
    set.insert(others_receiver);
    assert!(poll(&mut set, &sets_waker).is_pending());
    let mut receiver = set.remove(&key).expect("it is a member");
    assert!(poll(&mut receiver, &receivers_waker).is_pending());
    drop(sender);
    assert_eq!((of_receiver.count(), of_set.count()), (1, 1));
}

/// The set's task is woken when a member is inserted that has a message, and when the last member is removed.
pub fn woken_by_a_change_of_members<F: Flavor<Receiver: Member<Message = Counted>>>() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = F::channel();
    let sending = send_all_elsewhere::<F>(sender, &drops, 0..1);
    assert!(receiver.wait(None));
    let (_senders, mut set) = set_of::<F>(1);
    assert!(poll(&mut set, &waker).is_pending());
    let key = set.insert(receiver);
    assert_eq!(wakes.count(), 1);
    assert!(matches!(set.try_recv(), Ok((from, Ok(_))) if from == key));
    drop(sending.join().expect("the message was sent"));
    assert!(matches!(set.try_recv(), Ok((from, Err(Closed))) if from == key));
    assert!(poll(&mut set, &waker).is_pending());
    let before = wakes.count();
    assert!(set.remove(&0).is_some());
    assert_eq!(wakes.count(), before + 1);
    assert!(poll(&mut set, &waker).is_ready());
}

/// Members that are removed and inserted again while they are sent to lose nothing.
pub fn members_that_come_and_go<F: Flavor<Receiver: Member<Message = Counted>>>() {
    const EACH: u64 = 200;
    let drops = DropCounter::new();
    let (senders, mut set) = set_of::<F>(3);
    let sending: Vec<_> =
        senders.into_iter().map(|sender| send_all_elsewhere::<F>(sender, &drops, 0..EACH)).collect();
    let closing = spawn(move || sending.into_iter().for_each(|sending| drop(sending.join())));
    let mut next = [0; 3];
    let mut check = |key: usize, message: Counted| {
        assert_eq!(message.number, next[key]);
        next[key] += 1;
    };
    for moved in (0..3).cycle() {
        match set.recv() {
            Ok((key, Ok(message))) => check(key, message),
            Ok((_, Err(Closed))) => {}
            Err(SetEmpty) => break,
        }
        if let Some(mut receiver) = set.remove(&moved) {
            if let Ok(message) = Receiver::try_recv(&mut receiver) {
                check(moved, message);
            }
            assert!(set.insert_at(moved, receiver).is_none());
        }
    }
    assert_eq!(next, [EACH; 3]);
    closing.join().expect("all messages were sent");
    drops.assert_all_dropped();
}

/// A set that is dropped closes its members and drops their unread messages. Senders that wait go on.
pub fn dropped_set<F: Flavor<Receiver: Member<Message = Counted>>>() {
    for _ in 0..effort(20) {
        let drops = DropCounter::new();
        let (senders, mut set) = set_of::<F>(3);
        let sending: Vec<_> = senders
            .into_iter()
            .map(|mut sender| {
                let drops = drops.clone();
                spawn(move || {
                    let _: bool = (0..100).any(|number| sender.send(drops.make(number)).is_err());
                    sender
                })
            })
            .collect();
        assert!(matches!(set.recv(), Ok((_, Ok(_)))));
        drop(set);
        for sending in sending {
            until_closed(&sending.join().expect("a send returns"));
        }
        drops.assert_all_dropped();
    }
}
