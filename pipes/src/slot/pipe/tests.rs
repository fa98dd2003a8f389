//! Tests the transition table of `state.rs`, cell by cell, in one thread.

use super::message::{Head, Then};
use super::state::{SlotState, SlotWord};
use crate::wait::Waitable;
use crate::wait::tests::{END, WakeCounter};
use crate::wait::{CellIndex, Party};
use std::panic::Location;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::oneshot::once;
use super::stream::unbounded;
use crate::slot::received::Received;

fn head() -> &'static Head {
    const { &Head::of_value::<()>(Then::Again) }
}

/// Creates a word in the state with this name. A side that waits does so in its first cell.
fn word(state: &str) -> SlotWord {
    let word = SlotWord::new();
    match state {
        "EMPTY" => {}
        "WAITING" => assert!(word.register(Party::Receiver, CellIndex::First)),
        "WATCHED" => assert!(word.register(Party::Sender, CellIndex::First)),
        "BOTH" => {
            assert!(word.register(Party::Receiver, CellIndex::First));
            assert!(word.register(Party::Sender, CellIndex::First));
        }
        "FULL" => assert!(matches!(word.publish(head()), SlotState::Empty)),
        "CLOSED" => assert!(matches!(word.close(), SlotState::Empty)),
        other => panic!("no state is called {other}"),
    }
    word
}

fn name(state: SlotState) -> String {
    format!("{state:?}").split(' ').next().unwrap_or_default().to_owned()
}

const STATES: [&str; 6] = ["EMPTY", "WAITING", "WATCHED", "BOTH", "FULL", "CLOSED"];

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
fn register_adds_a_mark_while_nothing_has_happened() {
    let after = |old, party| match (old, party) {
        ("EMPTY", Party::Receiver) => Some("WAITING"),
        ("EMPTY", Party::Sender) => Some("WATCHED"),
        ("WATCHED", Party::Receiver) | ("WAITING", Party::Sender) => Some("BOTH"),
        _ => None,
    };
    for party in [Party::Receiver, Party::Sender] {
        for old in STATES {
            let word = word(old);
            if word.look().has(party) {
                // No side registers twice.
                continue;
            }
            let new = after(old, party);
            assert_eq!(word.register(party, CellIndex::Second), new.is_some(), "{party:?} from {old}");
            assert_eq!(name(word.look()), new.unwrap_or(old), "{party:?} from {old}");
            assert_eq!(word.look().has(party), new.is_some(), "{party:?} from {old}");
        }
    }
}

#[test]
fn unregister_removes_its_own_mark_only() {
    let after = |old, party| match (old, party) {
        ("WAITING", Party::Receiver) | ("WATCHED", Party::Sender) => Some("EMPTY"),
        ("BOTH", Party::Receiver) => Some("WATCHED"),
        ("BOTH", Party::Sender) => Some("WAITING"),
        _ => None,
    };
    for party in [Party::Receiver, Party::Sender] {
        for old in STATES {
            let word = word(old);
            assert!(
                !word.unregister(party, CellIndex::Second),
                "from {old}: the second cell was never taken"
            );
            assert_eq!(name(word.look()), old);
            let new = after(old, party);
            assert_eq!(word.unregister(party, CellIndex::First), new.is_some(), "{party:?} from {old}");
            assert_eq!(name(word.look()), new.unwrap_or(old), "{party:?} from {old}");
        }
    }
}

/// Each side finds the other one's waiter, whichever cells they are in.
#[test]
fn each_side_has_waiter_cells_of_its_own() {
    for receiver in [CellIndex::First, CellIndex::Second] {
        for sender in [CellIndex::First, CellIndex::Second] {
            let word = SlotWord::new();
            assert!(word.register(Party::Sender, sender) && word.register(Party::Receiver, receiver));
            assert!(word.unregister(Party::Sender, sender));
            assert!(
                matches!(word.look(), SlotState::Marked(marks) if marks.only(Party::Receiver) == Some(receiver))
            );
            assert!(word.register(Party::Sender, sender) && word.unregister(Party::Receiver, receiver));
            assert!(
                matches!(word.close(), SlotState::Marked(marks) if marks.only(Party::Sender) == Some(sender))
            );
        }
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
    let SlotState::Full(found) = word.look() else { panic!("a message was published") };
    assert!(std::ptr::eq(found, head()));
    assert_eq!(found.then, Then::Again);
}

#[test]
fn a_sender_wakes_the_waiter_once() {
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = unbounded::<u8>();
    for round in 1..=5 {
        assert!(receiver.waiting().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(sender.send(7), Ok(()));
        assert_eq!(wakes.count(), round);
        assert!(matches!(receiver.take(), Received::Message(7)));
    }
    assert!(receiver.waiting().poll(&mut Context::from_waker(&waker)).is_pending());
    drop(sender);
    assert_eq!(wakes.count(), 6);
    assert_eq!(receiver.waiting().poll(&mut Context::from_waker(&waker)), Poll::Ready(()));
    assert!(matches!(receiver.take(), Received::Closed));
    drop(waker);
    assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
}

#[test]
fn a_receiver_that_leaves_takes_its_waiter_along() {
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = once::<u8>();
    assert!(receiver.waiting().poll(&mut Context::from_waker(&waker)).is_pending());
    drop((receiver, waker));
    assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
    assert_eq!(wakes.count(), 0);
    assert!(sender.receiver_has_left());
    assert_eq!(sender.send(7), Err(7));
}

#[test]
fn payloads_are_dropped_once_whoever_has_them_last() {
    let counted = Arc::new(());
    let (mut sender, receiver) = unbounded();
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

#[test]
fn a_closing_receiver_wakes_the_watcher_once() {
    let (wakes, waker) = WakeCounter::new();
    for sent in [0, 1, 200] {
        let before = wakes.count();
        let (mut sender, receiver) = unbounded::<u8>();
        for _ in 0..sent {
            assert!(sender.closing().poll(&mut Context::from_waker(&waker)).is_pending());
            assert_eq!(sender.send(7), Ok(()), "a watch is no hindrance");
        }
        assert!(!sender.closing().block(Some(std::time::Instant::now()), END, Location::caller()));
        assert!(sender.closing().poll(&mut Context::from_waker(&waker)).is_pending());
        drop(receiver);
        assert_eq!(wakes.count(), before + 1, "with {sent} messages unread");
        assert!(sender.closing().poll(&mut Context::from_waker(&waker)).is_ready());
        assert!(sender.closing().block(None, END, Location::caller()));
        assert_eq!(sender.send(7), Err(7));
        assert!(
            sender.closing().poll(&mut Context::from_waker(&waker)).is_ready(),
            "once closed, always closed"
        );
        assert!(sender.closing().block(None, END, Location::caller()));
    }
    drop(waker);
    assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
}

#[test]
fn a_sender_that_goes_on_takes_its_watcher_along() {
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut receiver) = once::<u8>();
    assert!(sender.closing().poll(&mut Context::from_waker(&waker)).is_pending());
    assert!(receiver.waiting().poll(&mut Context::from_waker(&waker)).is_pending());
    assert_eq!(Arc::strong_count(&wakes), 4, "each waits in a cell of its own");
    assert_eq!(sender.send(7), Ok(()));
    assert_eq!((wakes.count(), Arc::strong_count(&wakes)), (1, 2), "the receiver is woken, not the watcher");
    assert!(matches!(receiver.take(), Received::Message(7)));
    drop(waker);
    assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
}
