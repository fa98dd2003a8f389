//! The transition table of `state`, cell by cell, and what both ends make of it, in one thread.

use super::state::{Side, Spot, State, Word};
use super::{BoundedReceiver, BoundedSender, Sent, bounded};
use crate::slot::session::Received;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

/// A word in the state of this name, in which nobody waits.
fn word(state: &str) -> Word {
    let word = Word::new();
    match state {
        "EMPTY" => {}
        "FULL" => assert_eq!(word.publish(State::FULL), State::EMPTY),
        "OFFERED" => assert_eq!(word.publish(State::OFFERED), State::EMPTY),
        "HELD" => {
            assert_eq!(word.publish(State::OFFERED), State::EMPTY);
            assert_eq!(name(word.hold(State::OFFERED)), "HELD");
        }
        closed => {
            let word = self::word(closed.strip_suffix(" CLOSED").expect("a state has one of these names"));
            assert!(!close(&word).is_closed());
            return word;
        }
    }
    word
}

fn close(word: &Word) -> State {
    word.close(|_| false).expect("nothing keeps it from closing")
}

fn name(state: State) -> String {
    format!("{state:?}").split(',').next().unwrap_or_default().to_owned()
}

fn now(word: &Word) -> String {
    format!("{:?}", word.look())
}

const OPEN: [&str; 4] = ["EMPTY", "FULL", "OFFERED", "HELD"];
const ALL: [&str; 8] =
    ["EMPTY", "FULL", "OFFERED", "HELD", "EMPTY CLOSED", "FULL CLOSED", "OFFERED CLOSED", "HELD CLOSED"];

#[test]
fn publish_leaves_its_message_and_gives_what_was_there() {
    for (message, left) in [(State::FULL, "FULL"), (State::OFFERED, "OFFERED")] {
        for old in ["EMPTY", "EMPTY CLOSED"] {
            let word = word(old);
            assert_eq!(name(word.publish(message)), old);
            assert_eq!(now(&word), left, "from {old}");
        }
        let word = word("EMPTY");
        assert!(word.register(Side::Receiver, Spot::Second, State::is_full));
        assert_eq!(word.publish(message).waiter(Side::Receiver), Some(Spot::Second));
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
    assert!(waited.register(Side::Receiver, Spot::First, State::is_full));
    assert_eq!(waited.hand_over().map(|found| found.waiter(Side::Receiver)), Ok(Some(Spot::First)));
    assert_eq!(now(&waited), "FULL");
    let left = word("EMPTY");
    assert!(left.register(Side::Receiver, Spot::First, State::is_full));
    assert!(!close(&left).is_closed());
    assert!(left.hand_over().is_err(), "whoever closes has the waiter");
}

#[test]
fn hold_changes_a_loose_offer_only() {
    for old in ALL {
        let word = word(old);
        let held = word.hold(State::OFFERED);
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
    assert!(waited.register(Side::Sender, Spot::First, |seen| !seen.is_full()));
    assert_eq!(waited.take().waiter(Side::Sender), Some(Spot::First));
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
        (Side::Receiver, State::is_full as fn(State) -> bool),
        (Side::Sender, |seen| !seen.is_full()),
        (Side::Sender, State::is_closed),
    ] {
        for old in ALL {
            let word = word(old);
            let waits = word.register(side, Spot::First, come);
            assert_eq!(waits, !word.look().is_closed() && !come(word.look()), "from {old}");
            assert_eq!(word.look().waiter(side), waits.then_some(Spot::First));
            assert_eq!(name(word.look()), old);
        }
    }
}

#[test]
fn unregister_leaves_its_own_seat_only() {
    for old in ALL {
        let word = word(old);
        assert!(!word.unregister(Side::Sender, Spot::First), "from {old}: nobody waits");
        assert_eq!(now(&word), old);
    }
    for old in OPEN {
        let word = word(old);
        assert!(word.register(Side::Sender, Spot::First, State::is_closed));
        assert!(word.register(Side::Receiver, Spot::Second, |_| false));
        assert!(!word.unregister(Side::Sender, Spot::Second), "that seat was never taken");
        assert!(word.unregister(Side::Sender, Spot::First), "from {old}");
        assert_eq!(word.look().waiter(Side::Sender), None);
        assert!(!close(&word).is_closed());
        assert!(!word.unregister(Side::Receiver, Spot::Second), "whoever closes has the waiter");
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
        assert_eq!(word.close(State::is_full).is_some(), old.starts_with("EMPTY"), "from {old}");
        assert_eq!(word.look().is_closed(), old != "FULL" && old != "OFFERED" && old != "HELD");
    }
}

#[derive(Default)]
struct Bell(AtomicUsize);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Bell {
    fn rings(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

fn bell() -> (Arc<Bell>, Waker) {
    let bell = Arc::new(Bell::default());
    (bell.clone(), bell.into())
}

/// Polls until there is something, or room.
fn poll<T>(receiver: &mut BoundedReceiver<T>, waker: &Waker) -> Poll<()> {
    receiver.poll(&mut Context::from_waker(waker))
}

fn poll_room<T>(sender: &mut BoundedSender<T>, waker: &Waker) -> Poll<()> {
    sender.poll(&mut Context::from_waker(waker))
}

fn taken<T>(receiver: &mut BoundedReceiver<T>) -> Option<T> {
    match receiver.take() {
        Received::Message(value) => Some(value),
        Received::Nothing(()) | Received::Closed => None,
    }
}

fn long_ago() -> Option<Instant> {
    Some(Instant::now())
}

#[test]
fn as_many_fit_as_the_capacity_says() {
    for capacity in [1, 2, 3, 64] {
        let (mut sender, mut receiver) = bounded(capacity);
        for round in 0..3 * capacity {
            for number in 0..capacity {
                assert!(matches!(sender.try_send(round + number), Sent::Done));
            }
            assert!(matches!(sender.try_send(99), Sent::Full(99)));
            assert!(matches!(sender.send(99, long_ago), Sent::Full(99)));
            assert!(!sender.block(long_ago()));
            assert_eq!(taken(&mut receiver), Some(round));
            assert!(matches!(sender.try_send(round + capacity), Sent::Done), "room for one");
            assert!(matches!(sender.try_send(99), Sent::Full(99)), "and no more");
            for number in 1..=capacity {
                assert_eq!(taken(&mut receiver), Some(round + number));
            }
            assert_eq!((taken(&mut receiver), receiver.peek()), (None, None));
        }
    }
}

#[test]
fn each_side_rings_the_other_once() {
    let ((there, waker_there), (room, waker_room)) = (bell(), bell());
    let (mut sender, mut receiver) = bounded(2);
    for round in 1..=7 {
        assert!(poll(&mut receiver, &waker_there).is_pending());
        assert!(poll(&mut receiver, &waker_there).is_pending(), "the same task again");
        assert!(matches!(sender.try_send(1), Sent::Done));
        assert!(matches!(sender.try_send(2), Sent::Done));
        assert_eq!(there.rings(), round);
        assert!(poll_room(&mut sender, &waker_room).is_pending());
        assert!(poll_room(&mut sender, &waker_room).is_pending(), "the same task again");
        assert_eq!((taken(&mut receiver), taken(&mut receiver)), (Some(1), Some(2)));
        assert_eq!(room.rings(), round);
    }
    drop((sender, receiver, waker_there, waker_room));
    assert_eq!((Arc::strong_count(&there), Arc::strong_count(&room)), (1, 1), "a waker was leaked");
}

#[test]
fn a_waiter_leaves_with_its_side() {
    let ((there, waker_there), (room, waker_room)) = (bell(), bell());
    let (sender, mut receiver) = bounded::<u8>(1);
    assert!(poll(&mut receiver, &waker_there).is_pending());
    drop((receiver, waker_there));
    assert_eq!((Arc::strong_count(&there), there.rings()), (1, 0));
    assert!(sender.receiver_has_left());
    let (mut sender, receiver) = bounded(1);
    assert!(matches!(sender.try_send(1), Sent::Done));
    assert!(poll_room(&mut sender, &waker_room).is_pending());
    drop((sender, waker_room));
    assert_eq!((Arc::strong_count(&room), room.rings()), (1, 0));
    assert_eq!(receiver.peek(), Some(true), "what was sent comes before the close");
}

#[test]
fn the_sender_learns_that_the_receiver_leaves() {
    for sent in 0..=2 {
        let (gone, waker) = bell();
        let (mut sender, receiver) = bounded(2);
        for number in 0..sent {
            assert!(matches!(sender.try_send(number), Sent::Done));
        }
        assert!(sender.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        assert!(!sender.block_closed(long_ago()), "which forgets the task");
        assert!(sender.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        drop(receiver);
        assert_eq!(gone.rings(), 1, "after {sent} messages");
        assert!(sender.poll_closed(&mut Context::from_waker(&waker)).is_ready());
        assert!(sender.block_closed(None) && sender.receiver_has_left());
        assert!(matches!(sender.try_send(9), Sent::Gone(9)));
        assert!(matches!(sender.send(9, || None), Sent::Gone(9)), "and so on");
    }
}

#[test]
fn what_was_sent_comes_before_the_close() {
    for sent in 0..=3 {
        let (mut sender, mut receiver) = bounded(3);
        assert!(matches!(sender.try_send(9), Sent::Done));
        assert_eq!(taken(&mut receiver), Some(9));
        for number in 0..sent {
            assert!(matches!(sender.try_send(number), Sent::Done));
        }
        drop(sender);
        for number in 0..sent {
            assert_eq!((receiver.peek(), taken(&mut receiver)), (Some(true), Some(number)));
        }
        assert_eq!(receiver.peek(), Some(false));
        assert!(!receiver.is_over());
        assert!(matches!(receiver.take(), Received::Closed) && receiver.is_over());
        assert!(matches!(receiver.take(), Received::Closed), "and so on");
    }
}

#[test]
fn unread_messages_go_with_the_receiver() {
    for sent in 0..=4 {
        let counted = Arc::new(());
        let (mut sender, mut receiver) = bounded(4);
        for _ in 0..3 {
            assert!(matches!(sender.try_send(counted.clone()), Sent::Done));
            drop(taken(&mut receiver));
        }
        for _ in 0..sent {
            assert!(matches!(sender.try_send(counted.clone()), Sent::Done));
        }
        assert_eq!(Arc::strong_count(&counted), 1 + sent);
        drop(receiver);
        assert_eq!(Arc::strong_count(&counted), 1, "of {sent}");
        assert!(matches!(sender.try_send(counted.clone()), Sent::Gone(_)));
    }
}

#[test]
fn a_rendezvous_hands_over_to_a_receiver_that_waits() {
    let (there, waker) = bell();
    let (mut sender, mut receiver) = bounded(0);
    for round in 1..=5 {
        assert!(matches!(sender.try_send(7), Sent::Full(7)), "nobody waits");
        assert!(poll(&mut receiver, &waker).is_pending());
        assert!(matches!(sender.try_send(7), Sent::Done));
        assert!(matches!(sender.try_send(8), Sent::Full(8)), "the receiver has not come yet");
        assert_eq!(there.rings(), round);
        assert!(matches!(sender.withdraw(), Sent::Done), "what was handed over is sent");
        assert_eq!(taken(&mut receiver), Some(7));
    }
    assert!(poll(&mut receiver, &waker).is_pending());
    assert!(!receiver.block(long_ago()), "which forgets the task");
    assert!(matches!(sender.try_send(7), Sent::Full(7)));
}

#[test]
fn an_offer_is_taken_back_unless_it_is_held() {
    let (there, waker) = bell();
    let (mut sender, mut receiver) = bounded(0);
    assert!(matches!(sender.send(1, long_ago), Sent::Full(1)), "nobody came");
    assert!(poll(&mut receiver, &waker).is_pending());
    assert!(matches!(sender.send(2, long_ago), Sent::Full(2)), "the receiver was woken and did not come");
    assert_eq!(there.rings(), 1);
    assert!(poll(&mut receiver, &waker).is_pending(), "it came too late");
    assert!(matches!(sender.put(3), Sent::Done));
    assert!(poll(&mut receiver, &waker).is_ready());
    assert!(matches!(sender.withdraw(), Sent::Done), "it is held, and sent now");
    assert!(matches!(sender.put(4), Sent::Full(4)));
    assert_eq!(taken(&mut receiver), Some(3));
    assert!(matches!(sender.put(5), Sent::Done));
    assert_eq!(taken(&mut receiver), Some(5), "a look is enough");
    assert!(matches!(sender.withdraw(), Sent::Done));
}

#[test]
fn an_offer_comes_back_when_the_receiver_leaves_unless_it_was_sent() {
    let (taken_bell, waker) = bell();
    for held in [false, true] {
        for given_up in [false, true] {
            let payload = Arc::new(());
            let (mut sender, mut receiver) = bounded(0);
            let mut value = Some(payload.clone());
            let mut cx = Context::from_waker(&waker);
            assert!(sender.poll_send(&mut cx, &mut value).is_pending());
            assert!(value.is_none(), "it is offered");
            if held {
                assert!(poll(&mut receiver, Waker::noop()).is_ready());
            }
            if given_up {
                assert_eq!(matches!(sender.withdraw(), Sent::Full(_)), !held);
            }
            drop(receiver);
            let result = sender.poll_send(&mut cx, &mut value);
            assert_eq!(matches!(result, Poll::Ready(Err(_))), !given_up, "held {held}, given up {given_up}");
            drop(result);
            assert_eq!(Arc::strong_count(&payload), 1);
        }
    }
    assert_eq!(taken_bell.rings(), 2, "of four, two had given up");
    drop(waker);
    assert_eq!(Arc::strong_count(&taken_bell), 1, "a waker was leaked");
}

#[test]
fn an_offer_outlives_its_sender_and_dies_with_both() {
    for receives in [false, true] {
        let payload = Arc::new(());
        let (mut sender, mut receiver) = bounded(0);
        assert!(matches!(sender.put(payload.clone()), Sent::Done));
        drop(sender);
        assert_eq!(Arc::strong_count(&payload), 2);
        if receives {
            drop(taken(&mut receiver).expect("it lies there"));
            assert!(matches!(receiver.take(), Received::Closed));
        }
        drop(receiver);
        assert_eq!(Arc::strong_count(&payload), 1, "received {receives}");
        let (mut sender, receiver) = bounded(0);
        assert!(matches!(sender.put(payload.clone()), Sent::Done));
        drop(receiver);
        assert_eq!(Arc::strong_count(&payload), 2, "the sender may still want it");
        drop(sender);
        assert_eq!(Arc::strong_count(&payload), 1);
    }
}
