//! The owner's side of the ready list, which takes.

use super::state::{ListWord, Top};
use super::token::Token;
use super::turns::Turns;
use crate::sync::Arc;
use crate::wait::{SharedWaiter, Taken, Waitable, Waiter, WaiterCell};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::task::Waker;

/// The owner's side of a ready list.
pub(crate) struct ReadyList {
    /// The tokens that were taken from the list and not yet served.
    turns: Turns,
    pub(super) word: Arc<ListWord>,
    shared_waiter: SharedWaiter,
    /// The cell that was lent, if any: the owner is asleep, or another thread has taken its waiter and pushed
    /// a token.
    cell: Option<*const WaiterCell>,
}

// SAFETY: the nodes among the turns are the owner's alone, and the list's word and the lent cell are shared
// as the states of the word say. A waiter may be used in any thread.
unsafe impl Send for ReadyList {}
// SAFETY: a shared reference only reads the nodes among the turns and in the list, which change only through
// a mutable one, and the word, which is atomic.
unsafe impl Sync for ReadyList {}

// The list is consistent at each point at which a panic can leave it.
impl UnwindSafe for ReadyList {}
impl RefUnwindSafe for ReadyList {}

impl ReadyList {
    /// Creates an empty list.
    pub(crate) fn new() -> Self {
        ReadyList {
            turns: Turns::new(),
            word: Arc::new(ListWord::new()),
            shared_waiter: SharedWaiter::new(),
            cell: None,
        }
    }

    /// Creates a token of this list for the member with this index, with one allocation.
    pub(crate) fn token(&self, index: usize) -> Token {
        Token::new(self.word.clone(), index)
    }

    /// Returns `true` if nothing has become ready since the last [`collect`](ReadyList::collect).
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        !self.word.is_listed()
    }

    /// Appends the tokens that have become ready to the turns, in that order.
    #[inline(always)]
    pub(crate) fn collect(&mut self) {
        if !self.is_empty() {
            self.take_list();
        }
    }

    #[inline]
    fn take_list(&mut self) {
        let Top::Listed(newest) = self.word.take() else { return };
        // If the owner slept, the thread that pushed first has the waiter.
        self.cell = None;
        // SAFETY: the list from `newest` on was just taken out of the word, so it is the owner's.
        unsafe { self.turns.take_over(newest) };
    }

    /// Returns the index of the member with the first turn.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<usize> {
        self.turns.first()
    }

    /// Takes the token of the first turn.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Token> {
        self.turns.pop()
    }

    /// Appends a token of this list to the turns.
    #[inline(always)]
    pub(crate) fn push(&mut self, token: Token) {
        self.turns.push(token);
    }

    /// Wakes the owner if it sleeps, because what it waits for has come without the list. The waker may be
    /// the user's code, so this must be the caller's last step.
    #[inline]
    pub(crate) fn wake_owner(&mut self) {
        if self.cell.is_some() {
            self.wake_sleeper();
        }
    }

    #[cold]
    fn wake_sleeper(&mut self) {
        // If the waiter was taken, the thread that took it wakes the owner.
        if let Ok(Some(waiter)) = self.unregister() {
            waiter.wake();
        }
    }

    /// Returns the indices of the members among the turns, in that order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> {
        self.turns.indices()
    }

    /// Returns the indices of the members in the list, the newest first. Takes O(tokens in the list).
    pub(crate) fn listed(&self) -> impl Iterator<Item = usize> {
        let newest = if let Top::Listed(newest) = self.word.follow() { Some(newest) } else { None };
        std::iter::successors(newest, |node| {
            // SAFETY: a node in the list lives and does not change until the owner takes it, and the owner is
            // borrowed.
            let node = unsafe { node.as_ref() };
            node.access.shared();
            node.next.get()
        })
        // SAFETY: a node in the list lives and does not change until the owner takes it, and the owner is
        // borrowed.
        .map(|node| unsafe { node.as_ref() }.index)
    }
}

impl Waitable for ReadyList {
    fn channel(&self) -> usize {
        std::ptr::from_ref(&self.word).addr()
    }

    /// Sets no limit, because the list does not know how much room the members' senders have.
    fn most_in_a_row(&self) -> usize {
        usize::MAX
    }

    /// Counts members, because the list does not know how many messages a member has.
    fn have_come(&self, messages: usize) -> bool {
        self.listed().nth(messages).is_some()
    }

    fn has_come(&self) -> bool {
        !self.is_empty()
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        // SAFETY: the word says that the owner sleeps, so its cell is lent and was not recovered.
        matches!(self.word.look(), Top::Asleep(_)) && unsafe { self.shared_waiter.is(waker) }
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        let cell = self.shared_waiter.lend(waiter);
        if self.word.sleep(cell) {
            self.cell = Some(cell);
            return Ok(());
        }
        // SAFETY: the cell was just lent, and its address did not get into the word.
        Err(unsafe { self.shared_waiter.recover(cell) })
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        let Some(cell) = self.cell.take() else { return Ok(None) };
        if !self.word.cancel_sleep(cell) {
            return Err(Taken);
        }
        // SAFETY: the cell was lent last, and `cancel_sleep` has just taken its address out of the word.
        Ok(Some(unsafe { self.shared_waiter.recover(cell) }))
    }
}

impl Drop for ReadyList {
    fn drop(&mut self) {
        // Dropped last: a waker's destructor is its executor's code.
        let _waiter = self.unregister();
        if let Top::Listed(newest) = self.word.leave() {
            // SAFETY: the list from `newest` on was just taken out of the word, so it is the owner's.
            unsafe { self.turns.take_over(newest) };
        }
    }
}
