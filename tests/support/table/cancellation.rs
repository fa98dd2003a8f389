//! Receives that are cancelled, of kinds whose receive borrows the receiver: nothing is lost.

use super::flavor::{Flavor, Receiver, Sender, TaskReceiver};
use crate::{Bell, Tally, caught, lend, poll_future};
use std::sync::{Arc, Mutex};

/// Sends a message in another thread, because the send may block until the message is received.
fn send_elsewhere<F: Flavor>(mut sender: F::Sender, tally: &Tally) -> crate::Lent<F::Sender> {
    let message = tally.make(1);
    lend(move || {
        assert!(sender.send(message).is_ok());
        sender
    })
}

/// A receive that was cancelled after it was polled loses nothing that is sent later.
pub fn before_the_message<F: Flavor<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (bell, waker) = Bell::new();
    let (sender, mut receiver) = F::channel();
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    drop(receiving);
    let sending = send_elsewhere::<F>(sender, &tally);
    assert_eq!(receiver.recv().expect("a message was sent").number, 1);
    drop(sending.join().expect("the message was sent"));
    drop(receiver);
    assert_eq!(bell.wakers(), 1);
    tally.assert_all_gone();
}

/// A receive that is cancelled after it was woken leaves the message for the next one.
pub fn after_the_message<F: Flavor<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (bell, waker) = Bell::new();
    let (sender, mut receiver) = F::channel();
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    let sending = send_elsewhere::<F>(sender, &tally);
    crate::spin_while(|| bell.rings() == 0);
    drop(receiving);
    assert_eq!(receiver.recv().expect("a message was sent").number, 1);
    sending.join().expect("the message was sent");
    tally.assert_all_gone();
}

/// A future that is forgotten keeps nothing from being received.
pub fn forgotten<F: Flavor<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (_bell, waker) = Bell::new();
    let (sender, mut receiver) = F::channel();
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    std::mem::forget(receiving);
    let sending = send_elsewhere::<F>(sender, &tally);
    assert_eq!(receiver.recv().expect("a message was sent").number, 1);
    sending.join().expect("the message was sent");
    tally.assert_all_gone();
}

/// A waker that receives the message at once, in the sender's thread.
pub fn received_by_the_waker<F: Flavor<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    let own = Arc::new(Mutex::new(None::<F::Receiver>));
    let shared = own.clone();
    let received = Arc::new(Mutex::new(None));
    let found = received.clone();
    let (_bell, waker) = Bell::that(move || {
        let mut receiver = shared.lock().expect("not poisoned").take().expect("it was put there");
        *found.lock().expect("not poisoned") = receiver.try_recv().ok().map(|message| message.number);
    });
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    // The registration stays, as after a wait that was forgotten.
    std::mem::forget(receiving);
    *own.lock().expect("not poisoned") = Some(receiver);
    let sent = sender.send(tally.make(1));
    drop((sent, sender));
    assert_eq!(*received.lock().expect("not poisoned"), Some(1));
    tally.assert_all_gone();
}

/// The destructor of a waker panics when another waker takes its place. No message is lost.
pub fn waker_panics_when_it_is_replaced<F: Flavor<Receiver: TaskReceiver>>() {
    let tally = Tally::new();
    let (sender, mut receiver) = F::channel();
    let first = Bell::at_last(|| std::panic::resume_unwind(Box::new("on purpose")));
    let mut receiving = receiver.recv_async();
    assert!(poll_future(&mut receiving, &first).is_pending());
    drop(first);
    let (bell, second) = Bell::new();
    assert!(caught(|| poll_future(&mut receiving, &second)).is_some());
    drop(receiving);
    let sending = send_elsewhere::<F>(sender, &tally);
    assert_eq!(receiver.recv().expect("a message was sent").number, 1);
    drop((sending.join().expect("the message was sent"), receiver));
    assert_eq!(bell.wakers(), 1);
    tally.assert_all_gone();
}
