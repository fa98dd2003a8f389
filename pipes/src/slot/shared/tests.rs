//! The tables of `state.rs` and `tail.rs`, cell by cell, and the corners of a block, in one thread.

use super::block::{ALIGN, Block};
use super::pins::Pins;
use super::shared;
use super::state::{Field, GroupWord, SlotState};
use super::tail::Tail;
use crate::slot::received::Received;
use crate::wait::Waitable;
use crate::wait::tests::{END, WakeCounter};
use std::collections::BTreeSet;
use std::panic::Location;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

const STATES: [&str; 5] = ["EMPTY", "WAITING", "FULL", "SKIPPED", "CLOSED"];

/// The field under test, and one on each side of it.
const FIELD: Field = Field::new(1);
const NEIGHBOURS: [Field; 2] = [Field::new(0), Field::new(2)];

/// Puts a slot into the state with this name.
fn put(word: &GroupWord, field: Field, state: &str) {
    match state {
        "EMPTY" => {}
        "WAITING" => assert!(word.register(field)),
        "FULL" => assert!(matches!(word.publish(field), SlotState::Empty)),
        "SKIPPED" => assert!(word.skip(field)),
        "CLOSED" => assert!(matches!(word.close(field), SlotState::Empty)),
        other => panic!("no state is called {other}"),
    }
}

fn name(state: SlotState) -> String {
    format!("{state:?}")
}

/// Applies the step to a slot in each state, with neighbours in each state, which must not change.
#[track_caller]
fn from_each_state(step: impl Fn(&GroupWord, &str), then: impl Fn(&str) -> &str) {
    for old in STATES {
        for beside in STATES {
            let word = GroupWord::new();
            NEIGHBOURS.iter().for_each(|field| put(&word, *field, beside));
            put(&word, FIELD, old);
            step(&word, old);
            assert_eq!(name(word.look(FIELD)), then(old), "from {old} beside {beside}");
            assert_eq!(NEIGHBOURS.map(|field| name(word.look(field))), [beside; 2], "beside {old}");
        }
    }
}

#[test]
fn publish_leaves_full_and_gives_what_was_there() {
    // No sender publishes twice, or after the last one has left.
    let found = |word: &GroupWord, old: &str| {
        if ["EMPTY", "WAITING", "SKIPPED"].contains(&old) {
            assert_eq!(name(word.publish(FIELD)), old);
        }
    };
    from_each_state(found, |old| if old == "CLOSED" { old } else { "FULL" });
}

#[test]
fn close_leaves_closed_and_gives_what_was_there() {
    let found = |word: &GroupWord, old: &str| {
        if ["EMPTY", "WAITING", "SKIPPED"].contains(&old) {
            assert_eq!(name(word.close(FIELD)), old);
        }
    };
    from_each_state(found, |old| if old == "FULL" { old } else { "CLOSED" });
}

#[test]
fn register_takes_an_empty_slot_and_leaves_what_has_come() {
    let step = |word: &GroupWord, old: &str| {
        if ["EMPTY", "FULL", "CLOSED"].contains(&old) {
            assert_eq!(word.register(FIELD), old == "EMPTY");
        }
    };
    from_each_state(step, |old| if old == "EMPTY" { "WAITING" } else { old });
}

#[test]
fn unregister_empties_the_slot_and_leaves_what_has_come() {
    let step = |word: &GroupWord, old: &str| {
        if ["WAITING", "FULL", "CLOSED"].contains(&old) {
            assert_eq!(word.unregister(FIELD), old == "WAITING");
        }
    };
    from_each_state(step, |old| if old == "WAITING" { "EMPTY" } else { old });
}

#[test]
fn pass_takes_an_empty_slot_and_leaves_what_has_come() {
    let step = |word: &GroupWord, old: &str| {
        if ["EMPTY", "FULL", "CLOSED"].contains(&old) {
            assert_eq!(word.skip(FIELD), old == "EMPTY");
        }
    };
    from_each_state(step, |old| if old == "EMPTY" { "SKIPPED" } else { old });
}

#[test]
fn fill_and_reset() {
    let word = GroupWord::new();
    for _ in 0..2 {
        word.fill(FIELD);
        assert_eq!(name(word.look(FIELD)), "FULL");
        assert_eq!(NEIGHBOURS.map(|field| name(word.look(field))), ["EMPTY"; 2]);
    }
    put(&word, NEIGHBOURS[0], "SKIPPED");
    assert!(matches!(word.publish(NEIGHBOURS[0]), SlotState::Skipped));
    put(&word, NEIGHBOURS[1], "WAITING");
    assert!(matches!(word.publish(NEIGHBOURS[1]), SlotState::Waiting));
    word.reset();
    for number in 0..Field::COUNT {
        assert_eq!(name(word.look(Field::new(number))), "EMPTY");
    }
}

#[test]
fn the_tail_counts_claims_and_installs_where_no_slot_is_left() {
    let blocks = [(); 2].map(|()| Block::<u64>::fresh());
    let (tail, pins) = (Tail::new(blocks[0], Block::<u64>::SLOTS - 2), Pins::<u64>::new());
    let pin = pins.pin();
    for index in [Block::<u64>::SLOTS - 2, Block::<u64>::SLOTS - 1] {
        let seen = tail.look();
        assert!(seen.has_room());
        let at = if index % 2 == 0 { tail.claim() } else { tail.claim_as_seen(&pin, seen) };
        assert!(at.has_room() && !at.is_closed() && at.block() == blocks[0]);
        assert_eq!(at.count(), index);
    }
    let full = tail.look();
    assert!(!full.has_room() && !full.is_closed());
    assert_eq!(full.claimed(), Block::<u64>::SLOTS);
    assert!(tail.install(&pin, full, blocks[1]).is_ok());
    let next = tail.claim();
    assert!(next.has_room() && next.block() == blocks[1] && next.count() == 1);
    let end = tail.close();
    assert!(!end.is_closed() && end.claimed() == 2, "what was there");
    for at in [tail.look(), tail.claim(), tail.claim_as_seen(&pin, end), tail.look_pinned(&pin)] {
        assert!(at.is_closed() && !at.has_room());
        assert!(tail.install(&pin, end, blocks[0]).is_err());
    }
    let again = tail.close();
    assert!(again.is_closed() && again.block() == blocks[1], "a second close changes nothing");
    assert_eq!(tail.look().count(), again.count());
    for block in blocks {
        // SAFETY: only this test has the block, and there is no message in it.
        unsafe { Block::free(block) };
    }
}

/// As many threads as may add have seen that there was room, and claim later.
#[test]
fn the_count_does_not_run_over() {
    let block = Block::<u64>::fresh();
    let (tail, pins) = (Tail::new(block, 0), Pins::<u64>::new());
    let pin = pins.pin();
    let seen = tail.look();
    for late in 0..if cfg!(miri) { 3_000 } else { 10_000 } {
        let at = tail.claim_as_seen(&pin, seen);
        assert_eq!(at.has_room(), late < Block::<u64>::SLOTS);
        assert_eq!(at.count(), late.min(Block::<u64>::SLOTS));
    }
    // The other threads claim, once each.
    for late in 0..2 {
        let at = tail.claim();
        assert!(!at.has_room() && !at.is_closed() && at.block() == block, "late by {late}");
    }
    let now = tail.install(&pin, seen, block).expect_err("it was counted further");
    assert!(now.block() == block && now.claimed() == Block::<u64>::SLOTS);
    // SAFETY: only this test has the block, and there is no message in it.
    unsafe { Block::free(block) };
}

/// Checks that each slot of a block lies inside it, apart from the others, and has its own field, in a short
/// block too.
#[track_caller]
fn lies_well<T>() {
    let (first, begin) = Block::<T>::first();
    for (block, begin) in [(Block::<T>::fresh(), 0), (first, begin)] {
        assert_eq!(block.addr().get() % ALIGN.max(align_of::<T>()), 0);
        let (mut places, mut fields) = (BTreeSet::new(), BTreeSet::new());
        for index in begin..Block::<T>::SLOTS {
            // SAFETY: the block has this slot, and lives until it is freed below.
            let slot = unsafe { Block::slot(block, index) };
            let place = NonNull::from(slot.payload).addr().get();
            assert_eq!(place % align_of::<T>(), 0);
            assert!(place >= block.addr().get() + size_of::<Block<T>>());
            assert!(size_of::<T>() == 0 || places.insert(place));
            let word = NonNull::from(slot.word).addr().get();
            assert!(fields.insert((word, format!("{:?}", slot.field))), "no two slots have one field");
            assert!(place - word < 64.max(2 * align_of::<T>()), "word and payload lie together");
        }
        let next = places.iter().skip(1);
        assert!(places.iter().zip(next).all(|(one, next)| next - one >= size_of::<T>()), "no two overlap");
        // SAFETY: only this test has the block, and there is no message in it.
        assert_eq!(unsafe { Block::renew(block) }, begin == 0);
        // SAFETY: only this test has the block, and there is no message in it.
        unsafe { Block::free(block) };
    }
}

#[test]
fn slots_lie_well_whatever_they_hold() {
    #[repr(align(256))]
    struct Aligned;
    #[repr(align(8192))]
    struct MoreThanABlock;
    lies_well::<[u64; 7]>();
    lies_well::<[u8; 1000]>();
    lies_well::<[u8; 100_000]>();
    // The other blocks have hundreds of slots, which takes Miri a minute.
    if !cfg!(miri) {
        lies_well::<()>();
        lies_well::<u8>();
        lies_well::<u64>();
        lies_well::<[u64; 3]>();
        lies_well::<Aligned>();
        lies_well::<MoreThanABlock>();
    }
}

#[test]
fn small_payloads_lie_together() {
    fn of_a_line<T>() -> usize {
        let block = Block::<T>::fresh();
        let last = Block::<T>::SLOTS - 1;
        // SAFETY: the block has these slots, and lives until it is freed below.
        let word = |index| std::ptr::from_ref(unsafe { Block::slot(block, index) }.word);
        let count = (0..=last).filter(|index| word(*index) == word(last)).count();
        assert!((1..=last).all(|index| word(index) != word(index - 1)), "neighbours lie apart");
        // SAFETY: only this test has the block, and there is no message in it.
        unsafe { Block::free(block) };
        count
    }
    assert_eq!(of_a_line::<[u8; 100]>(), 1);
    assert_eq!(of_a_line::<[u64; 2]>(), 3);
    assert_eq!(of_a_line::<u64>(), if size_of::<usize>() == 8 { 7 } else { 7.min(Field::COUNT) });
    assert_eq!(of_a_line::<u8>(), Field::COUNT);
    assert_eq!(of_a_line::<()>(), Field::COUNT);
}

#[test]
fn messages_come_in_order_over_many_blocks() {
    let (sender, mut receiver) = shared();
    let (mut sent, mut received) = (0_u32, 0);
    let runs: &[usize] =
        if cfg!(miri) { &[1, 112, 434, 5] } else { &[1, 111, 112, 113, 433, 434, 435, 1000, 5, 3000] };
    for &run in runs {
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
        assert!(!receiver.block(Some(Instant::now()), END, Location::caller()));
    }
    drop(sender);
    assert_eq!((receiver.peek(), receiver.is_over()), (Some(false), false));
    assert!(matches!(receiver.take(), Received::Closed));
    assert!(receiver.is_over());
    assert!(receiver.block(None, END, Location::caller()));
}

/// The waiter is woken once by each message, at slots and at links, and by the last sender that leaves.
#[test]
fn a_sender_wakes_the_waiter_once() {
    let (wakes, waker) = WakeCounter::new();
    let mut cx = Context::from_waker(&waker);
    let (sender, mut receiver) = shared();
    let senders = [sender.clone(), sender];
    let rounds = if cfg!(miri) { 130 } else { 1000 };
    for round in 0..rounds {
        assert!(receiver.poll(&mut cx).is_pending());
        assert!(receiver.poll(&mut cx).is_pending());
        assert_eq!(senders[round % 2].send(7), Ok(()));
        assert_eq!(wakes.count(), round + 1);
        assert_eq!(receiver.poll(&mut cx), Poll::Ready(()));
        assert!(matches!(receiver.take(), Received::Message(7)));
    }
    assert!(receiver.poll(&mut cx).is_pending());
    let [one, other] = senders;
    drop(one);
    assert_eq!(wakes.count(), rounds);
    drop(other);
    assert_eq!(wakes.count(), rounds + 1);
    assert_eq!(receiver.poll(&mut cx), Poll::Ready(()));
    assert!(matches!(receiver.take(), Received::Closed));
    drop((receiver, waker));
    assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
}

#[test]
fn a_receiver_that_leaves_takes_its_waiter_along() {
    let (wakes, waker) = WakeCounter::new();
    let (sender, mut receiver) = shared();
    assert!(receiver.poll(&mut Context::from_waker(&waker)).is_pending());
    drop((receiver, waker));
    assert_eq!(Arc::strong_count(&wakes), 1, "a waker was leaked");
    assert_eq!(wakes.count(), 0);
    assert!(sender.receiver_has_left());
    assert_eq!(sender.send(7), Err(7));
}

#[test]
fn payloads_are_dropped_once_whoever_has_them_last() {
    let counts: &[usize] = if cfg!(miri) { &[0, 1, 113] } else { &[0, 1, 111, 112, 113, 546, 547, 2000] };
    for &count in counts {
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
    const COUNT: usize = if cfg!(miri) { 130 } else { 1000 };
    struct Bomb(Arc<AtomicUsize>, bool);
    impl Drop for Bomb {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
            assert!(!self.1, "on purpose");
        }
    }
    let gone = Arc::new(AtomicUsize::new(0));
    let (sender, receiver) = shared();
    for number in 0..COUNT {
        assert!(sender.send(Bomb(gone.clone(), number == COUNT / 3)).is_ok());
    }
    assert!(catch_unwind(AssertUnwindSafe(|| drop(receiver))).is_err());
    assert_eq!(gone.load(Ordering::Relaxed), COUNT);
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
