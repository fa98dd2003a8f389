//! The list, as its owner has it: what takes.

use super::state::{ListWord, Top};
use super::token::Token;
use super::turns::Turns;
use crate::slot::record::Record;
use crate::slot::seat::Seat;
use crate::slot::wait::{Taken, Waitable, poll, wait};
use crate::slot::waiter::Waiter;
use crate::sync::Arc;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// A list of what is ready, as its owner has it.
pub(crate) struct ReadyList {
    /// Taken from the list, and not yet served.
    turns: Turns,
    pub(super) word: Arc<ListWord>,
    record: Record,
    /// The seat that was lent: the owner is asleep, or somebody has taken its waiter and put something into
    /// the list.
    seat: Option<*const Seat>,
}

// SAFETY: the seat is reached by the owner and by whoever finds it in the word, as the word's states say.
unsafe impl Send for ReadyList {}
// SAFETY: a shared reference can only ask what is in the turns and in the list; the nodes there change only
// through a mutable one.
unsafe impl Sync for ReadyList {}

// What a panic leaves is a list, whole at any moment.
impl UnwindSafe for ReadyList {}
impl RefUnwindSafe for ReadyList {}

impl ReadyList {
    /// An empty list.
    pub(crate) fn new() -> Self {
        ReadyList { turns: Turns::new(), word: Arc::new(ListWord::new()), record: Record::new(), seat: None }
    }

    /// A token of this list for the member with this index. One allocation.
    pub(crate) fn token(&self, index: usize) -> Token {
        Token::new(self.word.clone(), index)
    }

    /// Has nothing become ready since the last [`collect`](ReadyList::collect)?
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        !self.word.is_listed()
    }

    /// Puts what has become ready behind the turns, in that order.
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
        unsafe { self.turns.take_over(newest) };
    }

    /// Whose token has the first turn.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<usize> {
        self.turns.first()
    }

    /// Takes the token of the first turn.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Token> {
        self.turns.pop()
    }

    /// Puts a token of this list behind the turns.
    #[inline(always)]
    pub(crate) fn push(&mut self, token: Token) {
        self.turns.push(token);
    }

    /// Wakes the owner if it sleeps: what it waits for has come without the list. Its code may be the user's,
    /// so this is the last step of whatever has changed.
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

    /// Whose turns come, in that order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> {
        self.turns.indices()
    }

    /// Whose tokens are in the list, the newest first. O(tokens in the list).
    pub(crate) fn listed(&self) -> impl Iterator<Item = usize> {
        let newest = if let Top::Listed(newest) = self.word.follow() { Some(newest) } else { None };
        std::iter::successors(newest, |node| {
            // SAFETY: a node in the list does not change before the owner takes it, which it does not do
            // while it is borrowed.
            let node = unsafe { node.as_ref() };
            node.access.shared();
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

impl Waitable for ReadyList {
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

impl Drop for ReadyList {
    fn drop(&mut self) {
        // A waker is dropped last: it is its executor's code.
        let _waiter = self.unregister();
        if let Top::Listed(newest) = self.word.leave() {
            // SAFETY: the list was just taken, and is the owner's.
            unsafe { self.turns.take_over(newest) };
        }
    }
}
