//! The list of what is ready: how one owner waits for any number of slots, at a cost that does not depend on the number.
//!
//! The owner leaves a [`Token`] where a thread or a task would leave its waiter. Whoever sends there finds the token and,
//! instead of waking somebody, puts it into the owner's list; the owner takes the list as a whole and knows which slots to
//! look at. Nothing is scanned, and nothing is registered anew for those that did not change.
//!
//! A token is the only handle of its node: at any moment it is with the owner, in a seat, with a sender, or in the list, and
//! only its holder touches the node. So nothing is counted on the way. The list's word is shared; it lives as long as one of
//! the nodes, or the owner.
//!
//! The list is a stack with two steps, "push one" and "take all", which is why a node that comes round again does no harm
//! (nobody takes a single node off), and why order is cheap: the owner turns around what it took, and has a queue in the order in
//! which things became ready, linked through the same nodes.

mod queue;
mod state;
#[cfg(all(test, not(pipes_loom)))]
mod tests;

use self::queue::Queue;
use self::state::{Top, Word};
use super::record::Record;
use super::wait::{Place, Taken, poll, wait};
use super::waiter::{Seat, Waiter};
use crate::sync::{Arc, Watch};
use std::cell::Cell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::task::{Context, Poll, RawWakerVTable, Waker};
use std::time::Instant;

/// What a member of a list is known by.
struct Node {
    /// The word of the list, which lives as long as a node of it.
    ///
    /// # Access
    ///
    /// Taken out when the node is buried; until then it may be read.
    word: ManuallyDrop<Arc<Word>>,
    /// Whose node it is.
    index: usize,
    /// The node below in the list, or behind in the owner's queue.
    ///
    /// # Access
    ///
    /// The token's holder; in the list, the owner, who reads it there or takes the list.
    next: Cell<Option<NonNull<Node>>>,
    watch: Watch,
}

/// A member's entry in a list of what is ready, held by whoever is to put it there.
///
/// Opaque: it is public because the endpoints of protocols pass it on.
pub struct Token(NonNull<Node>);

// SAFETY: the node is its holder's alone, and hands over nothing but itself, through the list's word.
unsafe impl Send for Token {}
// SAFETY: a shared token can be asked for its index, which does not change.
unsafe impl Sync for Token {}

impl Token {
    fn new(word: Arc<Word>, index: usize) -> Self {
        let node = Node { word: ManuallyDrop::new(word), index, next: Cell::new(None), watch: Watch::new() };
        Token(NonNull::from(Box::leak(Box::new(node))))
    }

    /// Whose it is.
    fn index(&self) -> usize {
        // SAFETY: the node is this token's.
        unsafe { self.0.as_ref() }.index
    }

    /// The node, which has to become a token again.
    #[inline(always)]
    fn into_node(self) -> NonNull<Node> {
        ManuallyDrop::new(self).0
    }

    /// # Safety
    ///
    /// The node was a token, and nobody else holds it.
    #[inline(always)]
    unsafe fn of_node(node: NonNull<Node>) -> Token {
        Token(node)
    }

    /// The token in the shape of a waker, to sit where wakers sit. It is woken, dropped or turned back, never cloned.
    #[inline]
    pub(super) fn into_waker(self) -> Waker {
        // SAFETY: the address is that of a node whose only holder this is, as the table's functions ask.
        unsafe { Waker::new(self.into_node().as_ptr().cast_const().cast(), &TABLE) }
    }

    /// The token that was put into the shape of a waker, if it is one.
    #[inline]
    pub(super) fn from_waker(waker: Waker) -> Option<Token> {
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
    fn ring(self) {
        let node = self.into_node();
        // SAFETY: the node is the holder's until it is in the list.
        let at = unsafe { node.as_ref() };
        // SAFETY: the node keeps the word alive until it is in the list, and after that the word is not touched.
        let word = unsafe { &*Arc::as_ptr(&at.word) };
        let mut top = word.look();
        let found = loop {
            // What was seen is below if the push finds the same address there; and then it is the same node, because the nodes of
            // a list that has an owner are buried before they are freed.
            let below = match top {
                // SAFETY: it did not get into the list.
                Top::Gone => return drop(unsafe { Token::of_node(node) }),
                Top::Listed(below) => Some(below),
                Top::Empty | Top::Asleep(_) => None,
            };
            at.watch.exclusive();
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
    /// A node is kept until its list is freed, if the list still has an owner: a thread that is about to push another node onto this one
    /// compares addresses, and must not find the address of a younger node.
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
    |_| unreachable!("a token is never cloned"),
    // SAFETY: a waker is woken once.
    |node| unsafe { Token::of_address(node) }.ring(),
    |_| unreachable!("a token is woken by value"),
    // SAFETY: a waker is dropped once, and not after it was woken.
    |node| drop(unsafe { Token::of_address(node) }),
);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Token").field(&self.index()).finish()
    }
}

/// A list of what is ready, as its owner has it.
pub(crate) struct Ready {
    /// Taken from the list, and not yet served.
    queue: Queue,
    word: Arc<Word>,
    record: Record,
    /// The seat that was lent: the owner is asleep, or somebody has taken its waiter and put something into the list.
    seat: Option<*const Seat>,
}

// SAFETY: the seat is reached by the owner and by whoever finds it in the word, as the word's states say.
unsafe impl Send for Ready {}
// SAFETY: a shared reference can only ask what is in the queue and in the list; the nodes there change only through a mutable one.
unsafe impl Sync for Ready {}

// What a panic leaves is a list, whole at any moment.
impl UnwindSafe for Ready {}
impl RefUnwindSafe for Ready {}
impl UnwindSafe for Token {}
impl RefUnwindSafe for Token {}

impl Ready {
    /// An empty list.
    pub(crate) fn new() -> Self {
        Ready { queue: Queue::new(), word: Arc::new(Word::new()), record: Record::new(), seat: None }
    }

    /// A token of this list for the member with this index. One allocation.
    pub(crate) fn token(&self, index: usize) -> Token {
        Token::new(self.word.clone(), index)
    }

    /// Has nothing become ready since the last [`collect`](Ready::collect)?
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        !self.word.is_listed()
    }

    /// Puts what has become ready behind what is in the queue, in that order.
    #[inline(always)]
    pub(crate) fn collect(&mut self) {
        if !self.is_empty() {
            self.take_list();
        }
    }

    #[inline]
    fn take_list(&mut self) {
        let Top::Listed(newest) = self.word.take() else { return };
        // If the owner slept, whoever pushed first has the waiter.
        self.seat = None;
        // SAFETY: the list was just taken, and is the owner's.
        unsafe { self.queue.take_over(newest) };
    }

    /// Whose token is the first in the queue.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<usize> {
        self.queue.first()
    }

    /// Takes the first token out of the queue.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Token> {
        self.queue.pop()
    }

    /// Puts a token of this list behind what is in the queue.
    #[inline(always)]
    pub(crate) fn push(&mut self, token: Token) {
        self.queue.push(token);
    }

    /// Wakes the owner if it sleeps: what it waits for has come without the list. Its code may be the user's, so this is the last step
    /// of whatever has changed.
    #[inline]
    pub(crate) fn rouse(&mut self) {
        if self.seat.is_some() {
            self.rouse_sleeper();
        }
    }

    #[cold]
    fn rouse_sleeper(&mut self) {
        // If it is taken, the thread that has it wakes the owner.
        if let Ok(Some(waiter)) = self.unregister() {
            waiter.wake();
        }
    }

    /// Whose tokens are in the queue, in that order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> {
        self.queue.indices()
    }

    /// Whose tokens are in the list, the newest first. O(tokens in the list).
    pub(crate) fn listed(&self) -> impl Iterator<Item = usize> {
        let newest = if let Top::Listed(newest) = self.word.follow() { Some(newest) } else { None };
        std::iter::successors(newest, |node| {
            // SAFETY: a node in the list does not change before the owner takes it, which it does not do while it is borrowed.
            let node = unsafe { node.as_ref() };
            node.watch.shared();
            node.next.get()
        })
        // SAFETY: as above.
        .map(|node| unsafe { node.as_ref() }.index)
    }

    /// Blocks the thread until something becomes ready, or the deadline has passed. False: the latter.
    pub(crate) fn wait(&mut self, deadline: Option<Instant>) -> bool {
        !self.is_empty() || wait(self, deadline)
    }

    /// Ready if something has become so; else the task is woken when it is.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_empty() { poll(self, cx) } else { Poll::Ready(()) }
    }
}

impl Place for Ready {
    fn runs_ahead(&self) -> bool {
        true
    }

    fn has_come(&self) -> bool {
        !self.is_empty()
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // SAFETY: only the owner sleeps here, and in the seat that it lent last.
        matches!(self.word.look(), Top::Asleep(_)) && unsafe { self.record.is(waker) }
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        let seat = self.record.lend(waiter);
        if self.word.sleep(seat) {
            self.seat = Some(seat);
            return Ok(());
        }
        // SAFETY: it was just lent, and did not get into the word.
        Err(unsafe { self.record.recover(seat) })
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        let Some(seat) = self.seat.take() else { return Ok(None) };
        if !self.word.rise(seat) {
            return Err(Taken);
        }
        // SAFETY: it was just taken out of the word.
        Ok(Some(unsafe { self.record.recover(seat) }))
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        // A waker is dropped last: it is its executor's code.
        let _waiter = self.unregister();
        if let Top::Listed(newest) = self.word.leave() {
            // SAFETY: the list was just taken, and is the owner's.
            unsafe { self.queue.take_over(newest) };
        }
    }
}
