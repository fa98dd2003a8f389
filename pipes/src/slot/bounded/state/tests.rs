//! The table of transitions, cell by cell.

use super::{SlotState, SlotWord};
use crate::slot::seat::{Party, SeatNumber};

/// A word in the state of this name, in which no side waits.
fn word(state: &str) -> SlotWord {
    let word = SlotWord::new();
    match state {
        "EMPTY" => {}
        "FULL" => assert_eq!(word.publish(SlotState::FULL), SlotState::EMPTY),
        "OFFERED" => assert_eq!(word.publish(SlotState::OFFERED), SlotState::EMPTY),
        "HELD" => {
            assert_eq!(word.publish(SlotState::OFFERED), SlotState::EMPTY);
            assert_eq!(name(word.hold(SlotState::OFFERED)), "HELD");
        }
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

const OPEN: [&str; 4] = ["EMPTY", "FULL", "OFFERED", "HELD"];
const ALL: [&str; 8] =
    ["EMPTY", "FULL", "OFFERED", "HELD", "EMPTY CLOSED", "FULL CLOSED", "OFFERED CLOSED", "HELD CLOSED"];

#[test]
fn publish_leaves_its_message_and_gives_what_was_there() {
    for (message, left) in [(SlotState::FULL, "FULL"), (SlotState::OFFERED, "OFFERED")] {
        for old in ["EMPTY", "EMPTY CLOSED"] {
            let word = word(old);
            assert_eq!(name(word.publish(message)), old);
            assert_eq!(now(&word), left, "from {old}");
        }
        let word = word("EMPTY");
        assert!(word.register(Party::Receiver, SeatNumber::Second, SlotState::is_full));
        assert_eq!(word.publish(message).waiter(Party::Receiver), Some(SeatNumber::Second));
        assert_eq!(now(&word), left, "the waiter is taken out");
    }
}

#[test]
fn hand_over_needs_a_receiver_that_waits() {
    for old in ALL {
        let word = word(old);
        assert_eq!(word.hand_over().map_err(name), Err(old.to_owned()));
        assert_eq!(now(&word), old);
    }
    let waited = word("EMPTY");
    assert!(waited.register(Party::Receiver, SeatNumber::First, SlotState::is_full));
    assert_eq!(waited.hand_over().map(|found| found.waiter(Party::Receiver)), Ok(Some(SeatNumber::First)));
    assert_eq!(now(&waited), "FULL");
    let left = word("EMPTY");
    assert!(left.register(Party::Receiver, SeatNumber::First, SlotState::is_full));
    assert!(!close(&left).is_closed());
    assert!(left.hand_over().is_err(), "whoever closes has the waiter");
}

#[test]
fn hold_changes_a_loose_offer_only() {
    for old in ALL {
        let word = word(old);
        let held = word.hold(SlotState::OFFERED);
        assert_eq!(now(&word), if old == "OFFERED" { "HELD" } else { old });
        assert_eq!(held, word.look(), "from {old}");
    }
    let left = word("OFFERED CLOSED");
    assert_eq!(name(left.hold(left.look())), "HELD CLOSED", "a sender that has left takes nothing back");
}

#[test]
fn take_empties_and_leaves_the_mark_of_a_close() {
    for old in ["FULL", "HELD", "FULL CLOSED", "HELD CLOSED"] {
        let word = word(old);
        assert_eq!(name(word.take()), old);
        assert_eq!(now(&word), if old.ends_with("CLOSED") { "EMPTY CLOSED" } else { "EMPTY" });
    }
    let waited = word("FULL");
    assert!(waited.register(Party::Sender, SeatNumber::First, |seen| !seen.is_full()));
    assert_eq!(waited.take().waiter(Party::Sender), Some(SeatNumber::First));
    assert_eq!(now(&waited), "EMPTY", "the waiter is taken out");
}

#[test]
fn withdraw_takes_back_what_is_loose_and_leaves_what_is_held() {
    for old in ALL {
        let word = word(old);
        assert_eq!(name(word.withdraw()), old);
        let left = match old {
            "OFFERED" => "EMPTY",
            "HELD" => "FULL",
            other => other,
        };
        assert_eq!(now(&word), left);
    }
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
            let waits = word.register(side, SeatNumber::First, come);
            assert_eq!(waits, !word.look().is_closed() && !come(word.look()), "from {old}");
            assert_eq!(word.look().waiter(side), waits.then_some(SeatNumber::First));
            assert_eq!(name(word.look()), old);
        }
    }
}

#[test]
fn unregister_leaves_its_own_seat_only() {
    for old in ALL {
        let word = word(old);
        assert!(!word.unregister(Party::Sender, SeatNumber::First), "from {old}: nobody waits");
        assert_eq!(now(&word), old);
    }
    for old in OPEN {
        let word = word(old);
        assert!(word.register(Party::Sender, SeatNumber::First, SlotState::is_closed));
        assert!(word.register(Party::Receiver, SeatNumber::Second, |_| false));
        assert!(!word.unregister(Party::Sender, SeatNumber::Second), "that seat was never taken");
        assert!(word.unregister(Party::Sender, SeatNumber::First), "from {old}");
        assert_eq!(word.look().waiter(Party::Sender), None);
        assert!(!close(&word).is_closed());
        assert!(!word.unregister(Party::Receiver, SeatNumber::Second), "whoever closes has the waiter");
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
        assert_eq!(word.look().is_closed(), old != "FULL" && old != "OFFERED" && old != "HELD");
    }
}
