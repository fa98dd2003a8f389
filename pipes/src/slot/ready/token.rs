//! A member's entry in the ready list, which pushes itself.

use super::state::{ListWord, Node, Top};
use crate::sync::{Access, Arc};
use crate::wait::{SharedWaiter, Waiter};
use std::cell::Cell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::{RawWakerVTable, Waker};

/// A member's entry in a ready list, held by the side that is to push it.
///
/// It is public only because generated code passes it on.
pub struct Token(NonNull<Node>);

// SAFETY: only the token's holder touches the node, and it contains nothing that is tied to a thread.
unsafe impl Send for Token {}
// SAFETY: a shared reference only reads the index, which does not change.
unsafe impl Sync for Token {}

impl Token {
    pub(super) fn new(word: Arc<ListWord>, index: usize) -> Self {
        let node =
            Node { word: ManuallyDrop::new(word), index, next: Cell::new(None), access: Access::new() };
        Token(NonNull::from(Box::leak(Box::new(node))))
    }

    /// Returns the index of the member.
    pub(super) fn index(&self) -> usize {
        // SAFETY: the node is this token's, so it lives.
        unsafe { self.0.as_ref() }.index
    }

    /// Returns the node, which must become a token again.
    #[inline(always)]
    pub(super) fn into_node(self) -> NonNull<Node> {
        ManuallyDrop::new(self).0
    }

    /// Turns a node back into its token.
    ///
    /// # Safety
    ///
    /// The node must come from `into_node`, and only the caller may have it.
    #[inline(always)]
    pub(super) unsafe fn of_node(node: NonNull<Node>) -> Token {
        Token(node)
    }

    /// Turns the token into a waiter, which can be put into a cell. It is woken, dropped or turned back, but
    /// never cloned.
    #[inline]
    pub(super) fn into_waiter(self) -> Waiter {
        // SAFETY: the functions of the table need the address of a node of which the waker is the only
        // holder, and this is one.
        Waiter::new(unsafe { Waker::new(self.into_node().as_ptr().cast_const().cast(), &TABLE) })
    }

    /// Turns the waiter back into its token, if it is one.
    #[inline]
    pub(in crate::slot) fn from_waiter(waiter: Waiter) -> Option<Token> {
        let waker = waiter.into_waker();
        if !std::ptr::eq(waker.vtable(), &raw const TABLE) {
            return None;
        }
        let waker = ManuallyDrop::new(waker);
        // SAFETY: only `into_waiter` makes wakers with this table, and the waker is neither used nor dropped
        // after this.
        Some(unsafe { Token::of_address(waker.data()) })
    }

    /// Turns the address of a node back into its token.
    ///
    /// # Safety
    ///
    /// The address must be that of a waker from `into_waiter`, which must not be used again.
    #[inline(always)]
    unsafe fn of_address(node: *const ()) -> Token {
        // SAFETY: it is the address of a node (caller), which is not null.
        Token(unsafe { NonNull::new_unchecked(node.cast_mut().cast()) })
    }

    /// Pushes the token onto its list, and wakes the list's owner if it sleeps. If the owner has left, the
    /// token is dropped.
    pub(crate) fn notify(self) {
        let node = self.into_node();
        // SAFETY: the node lives and is this token's until it is in the list.
        let at = unsafe { node.as_ref() };
        // SAFETY: the node has a count of the word until it is in the list, and after the push the word is
        // not touched.
        let word = unsafe { &*Arc::as_ptr(&at.word) };
        let mut top = word.look();
        let found = loop {
            // If the push finds the address that was seen, it is that of the same node: while the list has an
            // owner, nodes are only retired, so no other node gets this address.
            let below = match top {
                // SAFETY: the node was this token's, and it did not get into the list.
                Top::Gone => return drop(unsafe { Token::of_node(node) }),
                Top::Listed(below) => Some(below),
                Top::Empty | Top::Asleep(_) => None,
            };
            at.access.exclusive();
            at.next.set(below);
            match word.push(top, node) {
                Ok(found) => break found,
                Err(now) => top = now,
            }
        };
        if let Top::Asleep(cell) = found {
            // SAFETY: the address of the cell was lent, and the push has just taken it out of the word.
            unsafe { SharedWaiter::take(cell) }.wake();
        }
    }
}

impl Drop for Token {
    /// If the list still has an owner, the node is kept until the list is freed. Another thread that is about
    /// to push onto this node compares addresses, and must not find a younger node at the same address.
    #[cold]
    fn drop(&mut self) {
        // SAFETY: only this token has the node, so it lives and no other thread touches it.
        let word = unsafe { &mut (*self.0.as_ptr()).word };
        // SAFETY: the token is being dropped, so the field is not used again.
        let word = unsafe { ManuallyDrop::take(word) };
        if matches!(word.look(), Top::Gone) {
            // SAFETY: `Token::new` made the node from a box, and only this token has it.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        } else {
            word.retire(self.0);
        }
    }
}

/// The functions of a token in the shape of a waker.
static TABLE: RawWakerVTable = RawWakerVTable::new(
    |_| unreachable!("a waiter is moved from its cell, never cloned"),
    // SAFETY: the address is that of a waker from `into_waiter`, which `wake` consumes.
    |node| unsafe { Token::of_address(node) }.notify(),
    |_| unreachable!("a waiter is woken by value"),
    // SAFETY: the address is that of a waker from `into_waiter`, which is dropped once, and not after it was
    // woken.
    |node| drop(unsafe { Token::of_address(node) }),
);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Token").field(&self.index()).finish()
    }
}

// A panic leaves the list whole, because it is consistent at any moment.
impl UnwindSafe for Token {}
impl RefUnwindSafe for Token {}
