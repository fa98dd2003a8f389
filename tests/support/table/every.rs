//! What holds for every kind of channel. A send may block until the message is received, so each sender has
//! a thread of its own.

use super::flavor::{Flavor, Missing, Receiver, Sender, send_and_close, until_closed};
use crate::{DropCounter, JoinHandle, effort, panics, spawn, spin_while};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

/// A message arrives, and then the close.
pub fn message_and_close<F: Flavor>() {
    for _ in 0..effort(50) {
        let drops = DropCounter::new();
        let (sender, mut receiver) = F::channel();
        let sending = send_one::<F>(sender, &drops);
        assert_eq!(receiver.recv().expect("a message was sent").number, 1);
        assert!(receiver.recv().is_none());
        assert!(receiver.recv().is_none(), "it stays closed");
        assert_eq!(receiver.try_recv().unwrap_err(), Missing::Closed);
        assert_eq!(receiver.recv_timeout(Duration::MAX).unwrap_err(), Missing::Closed);
        sending.join().expect("the message was sent");
        drops.assert_all_dropped();
    }
}

/// A receive that polls finds the message, too.
pub fn message_for_a_receiver_that_looks<F: Flavor>() {
    for _ in 0..effort(50) {
        let drops = DropCounter::new();
        let (sender, mut receiver) = F::channel();
        let sending = send_one::<F>(sender, &drops);
        let message = loop {
            match receiver.try_recv() {
                Ok(message) => break message,
                Err(missing) => assert_eq!(missing, Missing::Empty, "a message comes first"),
            }
            thread::yield_now();
        };
        assert_eq!(message.number, 1);
        drop(message);
        sending.join().expect("the message was sent");
        assert!(receiver.recv().is_none());
        drops.assert_all_dropped();
    }
}

/// Timeouts race with the send, and lose nothing. The send comes a little later after each message that came
/// in time, and a little earlier after each timeout, so most races are close.
pub fn timeouts_that_race_with_a_send<F: Flavor>() {
    const SHORT: Duration = Duration::from_micros(20);
    let (mut delay, mut step) = (SHORT, Duration::from_micros(16));
    for _ in 0..effort(300) {
        let drops = DropCounter::new();
        let (sender, mut receiver) = F::channel();
        let together = Arc::new(Barrier::new(2));
        let (begin, message) = (together.clone(), drops.make(1));
        let sending = spawn(move || {
            let mut sender = sender;
            begin.wait();
            let begin = Instant::now();
            spin_while(|| begin.elapsed() < delay);
            assert!(sender.send(message).is_ok(), "the receiver is there");
        });
        together.wait();
        let (mut timeout, mut is_late) = (SHORT, false);
        let message = loop {
            match receiver.recv_timeout(timeout) {
                Ok(message) => break message,
                Err(missing) => assert_eq!(missing, Missing::Empty, "a message comes first"),
            }
            (timeout, is_late) = (timeout * 2, true);
        };
        delay = if is_late { delay.saturating_sub(step) } else { delay + step };
        step = (step * 7 / 8).max(Duration::from_nanos(200));
        assert_eq!(message.number, 1);
        drop(message);
        assert!(receiver.recv().is_none());
        sending.join().expect("the message was sent");
        drops.assert_all_dropped();
    }
}

/// Without a message, a receive times out, and not before its time. Timeouts that no clock can count do not
/// end.
pub fn timeouts<F: Flavor>() {
    for long in [Duration::MAX, Duration::from_secs(1 << 62), Duration::from_secs(1 << 40)] {
        let drops = DropCounter::new();
        let (sender, mut receiver) = F::channel();
        assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty);
        assert_eq!(receiver.recv_timeout(Duration::ZERO).unwrap_err(), Missing::Empty);
        let begin = Instant::now();
        thread::current().unpark();
        assert_eq!(receiver.recv_timeout(Duration::from_millis(1)).unwrap_err(), Missing::Empty);
        assert!(begin.elapsed() >= Duration::from_millis(1));
        let sending = send_one::<F>(sender, &drops);
        assert_eq!(receiver.recv_timeout(long).expect("a message was sent").number, 1);
        sending.join().expect("the message was sent");
    }
}

/// A receiver learns that the sender has left, whether it waits or not.
pub fn sender_leaves<F: Flavor>() {
    for _ in 0..effort(50) {
        let (sender, mut receiver) = F::channel();
        let leaving = spawn(move || drop(sender));
        assert!(receiver.recv().is_none());
        leaving.join().expect("it does not panic");
        let (sender, mut receiver) = F::channel();
        drop(sender);
        assert!(receiver.recv().is_none());
    }
}

/// A sender learns that the receiver has left, and gets its message back.
pub fn receiver_leaves<F: Flavor>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = F::channel();
    assert!(!sender.is_closed());
    drop(receiver);
    until_closed(&sender);
    assert_eq!(sender.send(drops.make(1)).unwrap_err().number, 1);
    assert!(sender.is_closed(), "it stays closed");
    drops.assert_all_dropped();
}

/// The receiver leaves while a message is sent, which comes back or is dropped.
pub fn receiver_leaves_during_a_send<F: Flavor>() {
    for _ in 0..effort(50) {
        let drops = DropCounter::new();
        let (mut sender, receiver) = F::channel();
        let message = drops.make(1);
        let sending = spawn(move || {
            if let Err(message) = sender.send(message) {
                assert_eq!(message.number, 1);
            }
        });
        drop(receiver);
        sending.join().expect("a send returns");
        drops.assert_all_dropped();
    }
}

/// Both ends leave at once.
pub fn both_leave_at_once<F: Flavor>() {
    for _ in 0..effort(50) {
        let (sender, receiver) = F::channel();
        let leaving = spawn(move || drop(sender));
        drop(receiver);
        leaving.join().expect("it does not panic");
    }
}

/// A thread that panics closes the ends that it owns.
pub fn ends_of_a_panicking_thread<F: Flavor>() {
    let (sender, mut receiver) = F::channel();
    let panicking = spawn(move || {
        let _sender = sender;
        panics();
    });
    assert!(receiver.recv().is_none());
    assert!(panicking.join().is_err());

    let (sender, receiver) = F::channel();
    let panicking = spawn(move || {
        let _receiver = receiver;
        panics();
    });
    until_closed(&sender);
    assert!(panicking.join().is_err());
}

/// An end may be used by one thread after the other.
pub fn ends_that_move_between_threads<F: Flavor>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = F::channel();
    let mut receiver = spawn(move || {
        assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty);
        assert_eq!(receiver.recv_timeout(Duration::from_micros(50)).unwrap_err(), Missing::Empty);
        receiver
    })
    .join()
    .expect("nothing was sent");
    let sender = spawn(move || {
        assert!(!sender.is_closed());
        sender
    })
    .join()
    .expect("the receiver is here");
    let receiving = spawn(move || receiver.recv().expect("a message was sent").number);
    send_one::<F>(sender, &drops).join().expect("the message was sent");
    assert_eq!(receiving.join().expect("a message was sent"), 1);
    drops.assert_all_dropped();
}

/// A forgotten end does not close, and harms no other one.
pub fn forgotten_ends<F: Flavor>() {
    let (sender, mut receiver) = F::channel();
    std::mem::forget(sender);
    assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty);
    assert_eq!(receiver.recv_timeout(Duration::from_micros(50)).unwrap_err(), Missing::Empty);
    drop(receiver);
    let (sender, receiver) = F::channel();
    std::mem::forget(receiver);
    assert!(!sender.is_closed());
    drop(sender);
}

fn send_one<F: Flavor>(sender: F::Sender, drops: &DropCounter) -> JoinHandle<()> {
    send_and_close::<F>(sender, drops, 1..2, || ())
}

/// A thread that is unparked for another reason goes on waiting.
pub fn unparks_of_others<F: Flavor>() {
    let drops = DropCounter::new();
    let (sender, mut receiver) = F::channel();
    let receiving = thread::spawn(move || {
        thread::current().unpark();
        receiver.recv().expect("a message is sent").number
    });
    (0..100).for_each(|_| receiving.thread().unpark());
    send_one::<F>(sender, &drops).join().expect("the message was sent");
    assert_eq!(receiving.join().expect("it waits for the message"), 1);
    drops.assert_all_dropped();
}
