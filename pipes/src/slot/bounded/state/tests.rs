//! The table of transitions, cell by cell.

use super::{SlotState, SlotWord};
use crate::wait::{CellIndex, Party};

/// A word in the state of this name, in which no side waits.
fn word(state: &str) -> SlotWord {
    let word = SlotWord::new();
    match state {
        "EMPTY" => {}
        "FULL" => assert_eq!(word.publish(), SlotState::EMPTY),
        closed => {
            let word = self::word(closed.strip_suffix(" CLOSED").expect("a state has one of these names"));
            assert!(!close(&word).is_closed());
            return word;
        }
    }
    word
}

fn close(word: &SlotWord) -> SlotState {
    word.close(|_| false).expect("nothing keeps it from closing")
}

fn name(state: SlotState) -> String {
    format!("{state:?}").split(',').next().unwrap_or_default().to_owned()
}

fn now(word: &SlotWord) -> String {
    format!("{:?}", word.look())
}

const OPEN: [&str; 2] = ["EMPTY", "FULL"];
const ALL: [&str; 4] = ["EMPTY", "FULL", "EMPTY CLOSED", "FULL CLOSED"];

#[test]
fn publish_leaves_its_message_and_gives_what_was_there() {
    for old in ["EMPTY", "EMPTY CLOSED"] {
        let word = word(old);
        assert_eq!(name(word.publish()), old);
        assert_eq!(now(&word), "FULL", "from {old}");
    }
    let word = word("EMPTY");
    assert!(word.register(Party::Receiver, CellIndex::Second, SlotState::is_full));
    assert_eq!(word.publish().waiter(Party::Receiver), Some(CellIndex::Second));
    assert_eq!(now(&word), "FULL", "the waiter is taken out");
}

#[test]
fn take_empties_and_leaves_the_mark_of_a_close() {
    for old in ["FULL", "FULL CLOSED"] {
        let word = word(old);
        assert_eq!(name(word.take()), old);
        assert_eq!(now(&word), if old.ends_with("CLOSED") { "EMPTY CLOSED" } else { "EMPTY" });
    }
    let waited = word("FULL");
    assert!(waited.register(Party::Sender, CellIndex::First, |seen| !seen.is_full()));
    assert_eq!(waited.take().waiter(Party::Sender), Some(CellIndex::First));
    assert_eq!(now(&waited), "EMPTY", "the waiter is taken out");
}

#[test]
fn register_is_refused_when_it_has_come_or_the_other_side_has_left() {
    for (side, come) in [
        (Party::Receiver, SlotState::is_full as fn(SlotState) -> bool),
        (Party::Sender, |seen| !seen.is_full()),
        (Party::Sender, SlotState::is_closed),
    ] {
        for old in ALL {
            let word = word(old);
            let waits = word.register(side, CellIndex::First, come);
            assert_eq!(waits, !word.look().is_closed() && !come(word.look()), "from {old}");
            assert_eq!(word.look().waiter(side), waits.then_some(CellIndex::First));
            assert_eq!(name(word.look()), old);
        }
    }
}

#[test]
fn unregister_leaves_its_own_seat_only() {
    for old in ALL {
        let word = word(old);
        assert!(!word.unregister(Party::Sender, CellIndex::First), "from {old}: no sender waits");
        assert_eq!(now(&word), old);
    }
    for old in OPEN {
        let word = word(old);
        assert!(word.register(Party::Sender, CellIndex::First, SlotState::is_closed));
        assert!(word.register(Party::Receiver, CellIndex::Second, |_| false));
        assert!(!word.unregister(Party::Sender, CellIndex::Second), "that cell was never taken");
        assert!(word.unregister(Party::Sender, CellIndex::First), "from {old}");
        assert_eq!(word.look().waiter(Party::Sender), None);
        assert!(!close(&word).is_closed());
        assert!(!word.unregister(Party::Receiver, CellIndex::Second), "the side that closes has the waiter");
    }
}

#[test]
fn close_marks_and_changes_nothing_else() {
    for old in ALL {
        let word = word(old);
        assert_eq!(name(close(&word)), old);
        assert!(word.look().is_closed());
        assert!(now(&word).starts_with(old));
    }
    for old in ALL {
        let word = word(old);
        assert_eq!(word.close(SlotState::is_full).is_some(), old.starts_with("EMPTY"), "from {old}");
        assert_eq!(word.look().is_closed(), old != "FULL");
    }
}
