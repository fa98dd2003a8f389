//! A parent that blocks on a receive that cannot end, until its child dies.
//!
//! `run-fail/linked-failure.rs`, `-2`, `-3`, `-4` and `task-comm-recv-block.rs`, Rust 0.5: a parent blocks on
//! a port whose chan it holds itself, and is killed by the failure of its child or grandchild. Threads are
//! not linked now. A thread that wants to be linked also waits for a link: the other thread holds the link's
//! other end, which closes when that thread dies.

use crate::acceptance::{Sleeper, die, died};
use pipes::{ChanOne, PortOne, oneshot, select, stream};
use pipes_tests::watched;

/// Blocks on a port whose chan it holds, and panics when the link closes.
fn parent(mut link: PortOne<()>) {
    let (_chan, mut port) = stream::<u64>();
    select! {
        message = port => panic!("nobody sends {message:?}"),
        end = link => end.unwrap_or_else(|_| die()),
    }
}

/// Spawns `generations` threads, one from the other, that pass the link on; the last one holds it and dies.
fn descendant(link: ChanOne<()>, generations: usize) {
    if generations == 0 {
        let _link = link;
        die()
    }
    Sleeper::spawn(move || descendant(link, generations - 1));
}

#[test]
fn a_child_or_grandchild_dies() {
    watched(|| {
        for generations in 0..4 {
            let (link, linked) = oneshot();
            let waiting = Sleeper::spawn(move || parent(linked));
            waiting.fall_asleep();
            descendant_in_a_thread(link, generations);
            assert!(died(waiting.join()), "the receive did not return, and the parent died of the link");
        }
    });
}

fn descendant_in_a_thread(link: ChanOne<()>, generations: usize) {
    let first = Sleeper::spawn(move || descendant(link, generations));
    assert_eq!(died(first.join()), generations == 0);
}

/// The child may have died before the parent waits.
#[test]
fn the_order_does_not_matter() {
    watched(|| {
        let (link, linked) = oneshot();
        descendant_in_a_thread(link, 0);
        assert!(died(Sleeper::spawn(move || parent(linked)).join()));
    });
}
