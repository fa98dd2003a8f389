//! The tables of `state.rs` and `tail.rs`, cell by cell, and the corners of a block, in one thread.

use super::block::Block;
use super::shared;
use super::state::{Round, State, Word};
use super::tail::{ALIGN, Tail};
use crate::slot::session::Received;
use crate::slot::waiter::Seat;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

const STATES: [&str; 5] = ["EMPTY", "WAITING", "FULL", "PASSED", "CLOSED"];

fn seat() -> *const Seat {
    std::ptr::without_provenance(64)
}

/// A word in the state of this name, in the second round, so that `EMPTY` is what `FULL` was.
fn word(state: &str) -> (Word, Round) {
    let word = Word::new();
    assert!(matches!(word.publish(Round::FIRST), State::Empty));
    let round = Round::FIRST.next();
    match state {
        "EMPTY" => {}
        "WAITING" => assert!(word.register(round, seat())),
        "FULL" => assert!(matches!(word.publish(round), State::Empty)),
        "PASSED" => assert!(word.pass(round)),
        "CLOSED" => assert!(matches!(word.close(round), State::Empty)),
        other => panic!("no state is called {other}"),
    }
    (word, round)
}

fn name(state: State) -> String {
    format!("{state:?}")
}

#[test]
fn publish_and_close_leave_their_state_and_give_what_was_there() {
    for old in STATES {
        let (word, round) = self::word(old);
        assert_eq!(name(word.publish(round)), old);
        assert_eq!(name(word.look(round)), "FULL", "from {old}");
        let (word, round) = self::word(old);
        assert_eq!(name(word.close(round)), old);
        assert_eq!(name(word.look(round)), "CLOSED", "from {old}");
    }
}

#[test]
fn register_and_pass_take_an_empty_slot_only() {
    for old in STATES {
        let (word, round) = self::word(old);
        assert_eq!(word.register(round, seat()), old == "EMPTY", "from {old}");
        assert_eq!(name(word.look(round)), if old == "EMPTY" { "WAITING" } else { old });
        let (word, round) = self::word(old);
        assert_eq!(word.pass(round), old == "EMPTY", "from {old}");
        assert_eq!(name(word.look(round)), if old == "EMPTY" { "PASSED" } else { old });
    }
}

#[test]
fn unregister_leaves_its_own_seat_only() {
    for old in STATES {
        let (word, round) = self::word(old);
        assert!(!word.unregister(round, std::ptr::without_provenance(128)), "from {old}: another seat");
        assert_eq!(word.unregister(round, seat()), old == "WAITING", "from {old}");
        assert_eq!(name(word.look(round)), if old == "WAITING" { "EMPTY" } else { old });
    }
    let (word, round) = self::word("WAITING");
    let State::Waiting(found) = word.look(round) else { panic!("it was registered") };
    assert_eq!(found, seat());
}

#[test]
fn what_is_full_in_one_round_is_empty_in_the_next() {
    let word = Word::new();
    let mut round = Round::FIRST;
    for _ in 0..4 {
        assert_eq!(name(word.look(round)), "EMPTY");
        assert!(matches!(word.publish(round), State::Empty));
        assert_eq!(name(word.look(round)), "FULL");
        round = round.next();
    }
    word.fill(round);
    word.fill(round);
    assert_eq!(name(word.look(round)), "FULL");
}

#[test]
fn the_tail_counts_claims_and_installs_where_no_slot_is_left() {
    let blocks = [(); 2].map(|()| Block::<u64>::fresh());
    let tail = Tail::new(blocks[0], Block::<u64>::SLOTS - 2);
    for index in [Block::<u64>::SLOTS - 2, Block::<u64>::SLOTS - 1] {
        assert!(tail.look().has_room());
        let at = tail.claim();
        assert!(at.has_room() && !at.is_closed() && at.block() == blocks[0]);
        assert_eq!(at.count(), index);
    }
    let full = tail.claim();
    assert!(!full.has_room() && !full.is_closed());
    assert_eq!(full.claimed(), Block::<u64>::SLOTS);
    let now = tail.install(full, blocks[1]).expect_err("it was counted further");
    assert!(now.block() == blocks[0] && !now.has_room());
    assert!(tail.install(now, blocks[1]).is_ok());
    let next = tail.claim();
    assert!(next.has_room() && next.block() == blocks[1] && next.count() == 1);
    let end = tail.close();
    assert!(!end.is_closed() && end.claimed() == 2, "what was there");
    for at in [tail.look(), tail.claim(), tail.follow()] {
        assert!(at.is_closed() && !at.has_room());
        assert!(tail.install(end, blocks[0]).is_err());
    }
    for block in blocks {
        // SAFETY: nobody else knows it.
        unsafe { Block::free(block) };
    }
}

/// Every slot of a block lies inside it, apart from the others; of a short block too.
#[track_caller]
fn lies_well<T>() {
    let (first, begin) = Block::<T>::first();
    for (block, begin) in [(Block::<T>::fresh(), 0), (first, begin)] {
        assert_eq!(block.addr().get() % ALIGN.max(align_of::<T>()), 0);
        let mut places = BTreeSet::new();
        for index in begin..Block::<T>::SLOTS {
            // SAFETY: the block has this slot.
            let slot = unsafe { Block::slot(block, index) };
            let place = NonNull::from(slot).addr().get() - block.addr().get();
            assert_eq!(place % align_of::<T>(), 0);
            assert!(place >= size_of::<Block<T>>());
            places.insert(place);
        }
        let step = size_of_val(
            // SAFETY: every block has its last slot.
            unsafe { Block::slot(block, Block::<T>::SLOTS - 1) },
        );
        let count = Block::<T>::SLOTS - begin;
        assert_eq!(places.len(), count, "no two slots at one place");
        assert!(places.iter().max() < Some(&(size_of::<Block<T>>() + count * step)), "all inside the block");
        // SAFETY: nobody else knows it.
        unsafe { Block::free(block) };
    }
}

#[test]
fn slots_lie_well_whatever_they_hold() {
    #[repr(align(256))]
    struct Aligned;
    #[repr(align(8192))]
    struct MoreThanABlock;
    lies_well::<()>();
    lies_well::<u8>();
    lies_well::<u64>();
    lies_well::<[u64; 3]>();
    lies_well::<[u64; 7]>();
    lies_well::<[u8; 1000]>();
    lies_well::<[u8; 100_000]>();
    lies_well::<Aligned>();
    lies_well::<MoreThanABlock>();
}

#[test]
fn neighbours_lie_on_lines_of_their_own() {
    let block = Block::<u64>::fresh();
    // SAFETY: the block has these slots.
    let line = |index| NonNull::from(unsafe { Block::slot(block, index) }).addr().get() / 64;
    assert!((1..Block::<u64>::SLOTS).all(|index| line(index) != line(index - 1)));
    // SAFETY: nobody else knows it.
    unsafe { Block::free(block) };
}

#[test]
fn messages_come_in_order_over_many_blocks() {
    let (sender, mut receiver) = shared();
    let (mut sent, mut received) = (0_u32, 0);
    for run in [1, 31, 32, 33, 239, 240, 241, 1000, 5, 3000] {
        for _ in 0..run {
            assert_eq!(sender.send(sent), Ok(()));
            sent += 1;
        }
        for _ in 0..run {
            assert_eq!(receiver.peek(), Some(true));
            let Received::Message(value) = receiver.take() else { panic!("it was sent") };
            assert_eq!(value, received);
            received += 1;
        }
        assert_eq!(receiver.peek(), None);
        assert!(matches!(receiver.take(), Received::Nothing(())));
        assert!(!receiver.block(Some(Instant::now())));
    }
    drop(sender);
    assert!(receiver.is_over());
    assert_eq!(receiver.peek(), Some(false));
    assert!(matches!(receiver.take(), Received::Closed));
    assert!(receiver.block(None));
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

/// The waiter is rung once by each message, at slots and at links, and by the last sender that leaves.
#[test]
fn a_sender_rings_the_waiter_once() {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let mut cx = Context::from_waker(&waker);
    let (sender, mut receiver) = shared();
    let senders = [sender.clone(), sender];
    for round in 0..1000 {
        assert!(receiver.poll(&mut cx).is_pending());
        assert!(receiver.poll(&mut cx).is_pending());
        assert_eq!(senders[round % 2].send(7), Ok(()));
        assert_eq!(bell.rings(), round + 1);
        assert_eq!(receiver.poll(&mut cx), Poll::Ready(()));
        assert!(matches!(receiver.take(), Received::Message(7)));
    }
    assert!(receiver.poll(&mut cx).is_pending());
    let [one, other] = senders;
    drop(one);
    assert_eq!(bell.rings(), 1000);
    drop(other);
    assert_eq!(bell.rings(), 1001);
    assert_eq!(receiver.poll(&mut cx), Poll::Ready(()));
    assert!(matches!(receiver.take(), Received::Closed));
    drop((receiver, waker));
    assert_eq!(Arc::strong_count(&bell), 1, "a waker was leaked");
}

#[test]
fn a_receiver_that_leaves_takes_its_waiter_along() {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let (sender, mut receiver) = shared();
    assert!(receiver.poll(&mut Context::from_waker(&waker)).is_pending());
    drop((receiver, waker));
    assert_eq!(Arc::strong_count(&bell), 1, "a waker was leaked");
    assert_eq!(bell.rings(), 0);
    assert!(sender.receiver_has_left());
    assert_eq!(sender.send(7), Err(7));
}

#[test]
fn payloads_are_dropped_once_whoever_has_them_last() {
    for count in [0, 1, 31, 32, 33, 272, 273, 1000] {
        let counted = Arc::new(());
        let (sender, mut receiver) = shared();
        for _ in 0..count {
            assert!(sender.send(counted.clone()).is_ok());
        }
        if count > 5 {
            assert!(matches!(receiver.take(), Received::Message(_)));
        }
        assert!(Arc::strong_count(&counted) >= count);
        drop(receiver);
        assert_eq!(Arc::strong_count(&counted), 1, "unread messages are dropped at once");
        let other = sender.clone();
        assert!(sender.send(counted.clone()).is_err());
        assert!(other.send(counted.clone()).is_err(), "once closed, always closed");
        drop((sender, other));
        assert_eq!(Arc::strong_count(&counted), 1);
    }
}

#[test]
fn a_destructor_that_panics_does_not_stop_the_others() {
    struct Bomb(Arc<AtomicUsize>, bool);
    impl Drop for Bomb {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
            assert!(!self.1, "on purpose");
        }
    }
    let gone = Arc::new(AtomicUsize::new(0));
    let (sender, receiver) = shared();
    for number in 0..1000 {
        assert!(sender.send(Bomb(gone.clone(), number == 400)).is_ok());
    }
    assert!(catch_unwind(AssertUnwindSafe(|| drop(receiver))).is_err());
    assert_eq!(gone.load(Ordering::Relaxed), 1000);
    assert!(sender.receiver_has_left());
}

#[test]
fn a_sender_may_be_sent_through_its_own_stream() {
    struct Holder(
        #[expect(dead_code, reason = "it is there to be dropped")] Option<super::SharedSender<Holder>>,
    );
    let (sender, mut receiver) = shared();
    assert!(sender.send(Holder(Some(sender.clone()))).is_ok());
    drop(sender);
    let Received::Message(held) = receiver.take() else { panic!("it was sent") };
    assert!(matches!(receiver.take(), Received::Nothing(())));
    drop(held);
    assert!(matches!(receiver.take(), Received::Closed));

    let (sender, receiver) = shared();
    assert!(sender.send(Holder(Some(sender.clone()))).is_ok());
    drop(sender);
    drop(receiver);
}
