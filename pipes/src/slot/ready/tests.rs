//! What a push finds, while cells and tokens come and go. The second is a race, which Miri runs in many
//! orders.

use super::state::{Node, Top};
use super::{ReadyList, Token};
use crate::wait::Waitable;
use crate::wait::{SharedWaiter, WaiterCell};
use std::ptr::NonNull;
use std::task::{Context, Waker};
use std::thread;

/// Pushes on top of what was seen, and returns the cell in which the owner slept. The exchange may fail for
/// no reason.
fn push(ready: &ReadyList, seen: Top, node: NonNull<Node>) -> *const WaiterCell {
    let found = (0..1000).find_map(|_| ready.word.push(seen, node).ok());
    let Some(Top::Asleep(cell)) = found else { panic!("the owner sleeps") };
    cell
}

/// Between the look of a pusher and its push, the owner goes to sleep again, in other memory at the same
/// address.
#[test]
fn a_push_returns_the_waiter_cell_that_it_took() {
    let mut cx = Context::from_waker(Waker::noop());
    let mut came_again = 0;
    for _ in 0..if cfg!(miri) { 10 } else { 100 } {
        let mut ready = ReadyList::new();
        let tokens = [0, 1, 2].map(|index| ready.token(index));
        let [first, second, third] = tokens.map(Token::into_node);
        assert!(ready.poll(&mut cx).is_pending());
        let seen = ready.word.look();
        let old = push(&ready, seen, first);
        // The thread that has taken the cell is slow to let go of it, so the owner takes another one, and
        // then one that may lie where the first one lay.
        ready.collect();
        assert!(ready.poll(&mut cx).is_pending());
        // SAFETY: the push has just taken it.
        drop(unsafe { SharedWaiter::take(old) });
        let held = push(&ready, ready.word.look(), second);
        ready.collect();
        assert!(ready.poll(&mut cx).is_pending());
        let now = ready.word.look();
        let Top::Asleep(address) = now else { panic!("the owner sleeps") };
        let is_again = address.addr() == old.addr();
        let found = push(&ready, if is_again { seen } else { now }, third);
        for cell in [held, found] {
            // SAFETY: both were taken out of the word by a push.
            drop(unsafe { SharedWaiter::take(cell) });
        }
        came_again += usize::from(is_again);
        ready.collect();
        assert_eq!([(); 3].map(|()| ready.pop().map(|token| token.index())), [Some(0), Some(1), Some(2)]);
    }
    assert!(cfg!(miri) || came_again > 0, "no cell came again");
}

/// The tokens below are freed, and others are made where they were. The list has to lead to those that are
/// there now.
#[test]
fn a_list_whose_tokens_come_and_go_while_one_is_put_on_top() {
    for _ in 0..if cfg!(miri) { 20 } else { 40 } {
        let mut ready = ReadyList::new();
        let late = ready.token(9);
        ready.token(0).notify();
        let notifying = thread::spawn(move || late.notify());
        let mut seen = Vec::new();
        for index in 1..4 {
            ready.collect();
            seen.extend(std::iter::from_fn(|| ready.pop()).map(|token| token.index()));
            ready.token(index).notify();
        }
        notifying.join().expect("it does not panic");
        ready.collect();
        seen.extend(std::iter::from_fn(|| ready.pop()).map(|token| token.index()));
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2, 3, 9]);
    }
}
