//! A member's entry in the list: what pushes.

use super::state::{ListWord, Node, Top};
use crate::slot::record::Record;
use crate::slot::waiter::Waiter;
use crate::sync::{Access, Arc};
use std::cell::Cell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::{RawWakerVTable, Waker};

/// A member's entry in a list of what is ready, held by whoever is to put it there.
///
/// Opaque: it is public because the endpoints of protocols pass it on.
pub struct Token(NonNull<Node>);

// SAFETY: the node is its holder's alone, and hands over nothing but itself, through the list's word.
unsafe impl Send for Token {}
// SAFETY: a shared token can be asked for its index, which does not change.
unsafe impl Sync for Token {}

impl Token {
    pub(super) fn new(word: Arc<ListWord>, index: usize) -> Self {
        let node =
            Node { word: ManuallyDrop::new(word), index, next: Cell::new(None), access: Access::new() };
        Token(NonNull::from(Box::leak(Box::new(node))))
    }

    /// Whose it is.
    pub(super) fn index(&self) -> usize {
        // SAFETY: the node is this token's.
        unsafe { self.0.as_ref() }.index
    }

    /// The node, which has to become a token again.
    #[inline(always)]
    pub(super) fn into_node(self) -> NonNull<Node> {
        ManuallyDrop::new(self).0
    }

    /// # Safety
    ///
    /// The node was a token, and nobody else holds it.
    #[inline(always)]
    pub(super) unsafe fn of_node(node: NonNull<Node>) -> Token {
        Token(node)
    }

    /// The token in the shape of a waiter, to sit where waiters sit. It is woken, dropped or turned back,
    /// never cloned.
    #[inline]
    pub(super) fn into_waiter(self) -> Waiter {
        // SAFETY: the address is that of a node whose only holder this is, as the table's functions ask.
        Waiter::new(unsafe { Waker::new(self.into_node().as_ptr().cast_const().cast(), &TABLE) })
    }

    /// The token that was put into the shape of a waiter, if it is one.
    #[inline]
    pub(in crate::slot) fn from_waiter(waiter: Waiter) -> Option<Token> {
        let waker = waiter.into_waker();
        if !std::ptr::eq(waker.vtable(), &raw const TABLE) {
            return None;
        }
        let waker = ManuallyDrop::new(waker);
        // SAFETY: the table says that this is a token, and it does not go on as a waker.
        Some(unsafe { Token::of_address(waker.data()) })
    }

    /// # Safety
    ///
    /// The address is a token's that was put into the shape of a waker, and is not used again.
    #[inline(always)]
    unsafe fn of_address(node: *const ()) -> Token {
        // SAFETY: it was the address of a node.
        Token(unsafe { NonNull::new_unchecked(node.cast_mut().cast()) })
    }

    /// Puts it into its list and wakes the list's owner if that sleeps. If the owner has gone, it is freed.
    pub(super) fn ring(self) {
        let node = self.into_node();
        // SAFETY: the node is the holder's until it is in the list.
        let at = unsafe { node.as_ref() };
        // SAFETY: the node keeps the word alive until it is in the list, and after that the word is not
        // touched.
        let word = unsafe { &*Arc::as_ptr(&at.word) };
        let mut top = word.look();
        let found = loop {
            // What was seen is below if the push finds the same address there; and then it is the same node,
            // because the nodes of a list that has an owner are buried before they are freed.
            let below = match top {
                // SAFETY: it did not get into the list.
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
        if let Top::Asleep(seat) = found {
            // SAFETY: the push has just taken the seat's address out of the word.
            unsafe { Record::claim(seat) }.wake();
        }
    }
}

impl Drop for Token {
    /// A node is kept until its list is freed, if the list still has an owner: a thread that is about to push
    /// another node onto this one compares addresses, and must not find the address of a younger node.
    #[cold]
    fn drop(&mut self) {
        // SAFETY: only this token holds the node.
        let word = unsafe { &mut (*self.0.as_ptr()).word };
        // SAFETY: the node is not used again but as memory.
        let word = unsafe { ManuallyDrop::take(word) };
        if matches!(word.look(), Top::Gone) {
            // SAFETY: it was made of a box.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        } else {
            word.bury(self.0);
        }
    }
}

/// What is done with a token in the shape of a waker.
static TABLE: RawWakerVTable = RawWakerVTable::new(
    |_| unreachable!("a waiter is moved from its seat, never cloned"),
    // SAFETY: a waker is woken once.
    |node| unsafe { Token::of_address(node) }.ring(),
    |_| unreachable!("a waiter is woken by value"),
    // SAFETY: a waker is dropped once, and not after it was woken.
    |node| drop(unsafe { Token::of_address(node) }),
);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Token").field(&self.index()).finish()
    }
}

// What a panic leaves is a list, whole at any moment.
impl UnwindSafe for Token {}
impl RefUnwindSafe for Token {}
