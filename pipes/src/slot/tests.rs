//! The transition table of `state.rs`, cell by cell, in one thread.

use super::message::{Head, Then};
use super::state::{Place, State, Word};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use super::flow::{endless, once};
use super::session::Received;

fn head() -> &'static Head {
    const { &Head::of_value::<()>(Then::Again) }
}

/// A word in the state of this name.
fn word(state: &str) -> Word {
    let word = Word::new();
    match state {
        "EMPTY" => {}
        "WAITING" => assert!(word.register(Place::First)),
        "FULL" => assert!(matches!(word.publish(head()), State::Empty)),
        "CLOSED" => assert!(matches!(word.close(), State::Empty)),
        other => panic!("no state is called {other}"),
    }
    word
}

fn name(state: State) -> String {
    format!("{state:?}").split(' ').next().unwrap_or_default().to_owned()
}

const STATES: [&str; 4] = ["EMPTY", "WAITING", "FULL", "CLOSED"];

#[test]
fn publish_leaves_full_and_gives_what_was_there() {
    for old in STATES {
        let word = word(old);
        assert_eq!(name(word.publish(head())), old);
        assert_eq!(name(word.look()), "FULL", "from {old}");
    }
}

#[test]
fn close_leaves_closed_and_gives_what_was_there() {
    for old in STATES {
        let word = word(old);
        assert_eq!(name(word.close()), old);
        assert_eq!(name(word.look()), "CLOSED", "from {old}");
    }
}

#[test]
fn register_takes_an_empty_slot_only() {
    for old in STATES {
        let word = word(old);
        let took = word.register(Place::Second);
        assert_eq!(took, old == "EMPTY", "from {old}");
        assert_eq!(name(word.look()), if took { "WAITING" } else { old });
    }
}

#[test]
fn unregister_leaves_its_own_seat_only() {
    for old in STATES {
        let word = word(old);
        assert!(!word.unregister(Place::Second), "from {old}: the second seat was never taken");
        let left = word.unregister(Place::First);
        assert_eq!(left, old == "WAITING", "from {old}");
        assert_eq!(name(word.look()), if left { "EMPTY" } else { old });
    }
}

#[test]
fn look_changes_nothing_and_reset_empties() {
    for old in STATES {
        let word = word(old);
        assert_eq!(name(word.look()), old);
        assert_eq!(name(word.look()), old);
        word.reset();
        assert_eq!(name(word.look()), "EMPTY", "from {old}");
    }
}

#[test]
fn a_full_word_gives_back_its_description() {
    let word = word("FULL");
    let State::Full(found) = word.look() else { panic!("a message was published") };
    assert!(std::ptr::eq(found, head()));
    assert_eq!(found.then, Then::Again);
}

#[derive(Default)]
struct Bell(std::sync::atomic::AtomicUsize);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

impl Bell {
    fn rings(&self) -> usize {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }
}

#[test]
fn a_sender_rings_the_waiter_once() {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let (mut sender, mut receiver) = endless::<u8>();
    for round in 1..=5 {
        assert!(receiver.poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(sender.send(7), Ok(()));
        assert_eq!(bell.rings(), round);
        assert!(matches!(receiver.take(), Received::Message(7)));
    }
    assert!(receiver.poll(&mut Context::from_waker(&waker)).is_pending());
    drop(sender);
    assert_eq!(bell.rings(), 6);
    assert_eq!(receiver.poll(&mut Context::from_waker(&waker)), Poll::Ready(()));
    assert!(matches!(receiver.take(), Received::Closed));
    drop(waker);
    assert_eq!(Arc::strong_count(&bell), 1, "a waker was leaked");
}

#[test]
fn a_receiver_that_leaves_takes_its_waiter_along() {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let (sender, mut receiver) = once::<u8>();
    assert!(receiver.poll(&mut Context::from_waker(&waker)).is_pending());
    drop((receiver, waker));
    assert_eq!(Arc::strong_count(&bell), 1, "a waker was leaked");
    assert_eq!(bell.rings(), 0);
    assert!(sender.receiver_has_left());
    assert_eq!(sender.send(7), Err(7));
}

#[test]
fn payloads_are_dropped_once_whoever_has_them_last() {
    let counted = Arc::new(());
    let (mut sender, receiver) = endless();
    for _ in 0..200 {
        assert!(sender.send(counted.clone()).is_ok());
    }
    assert_eq!(Arc::strong_count(&counted), 201);
    drop(receiver);
    assert_eq!(Arc::strong_count(&counted), 1, "unread messages are dropped at once");
    assert!(sender.send(counted.clone()).is_err());
    assert!(sender.send(counted.clone()).is_err(), "once closed, always closed");
    drop(sender);
    assert_eq!(Arc::strong_count(&counted), 1);
}
