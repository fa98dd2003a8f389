//! The states of a list's top, and every atomic step between them.
//!
//! | state | meaning |
//! |---|---|
//! | `EMPTY` | nothing is in the list, and its owner is awake |
//! | `LISTED` (the address of the newest node) | these are ready, newest first |
//! | `ASLEEP` (the address of a seat, marked) | nothing is in the list, and its owner waits in that seat |
//! | `GONE` | the owner has left |
//!
//! | step | found `EMPTY` | found `LISTED` | found `ASLEEP` | found `GONE` |
//! |---|---|---|---|---|
//! | **push** (anybody, a node) | alone in the list | above the others | alone in the list; wake the owner | the node is the caller's to free |
//! | **take** (owner, `EMPTY`) | nothing | all of them | impossible: the owner rises first | impossible |
//! | **sleep** (owner, `ASLEEP`) | asleep | refused: take them | impossible | impossible |
//! | **rise** (owner, `EMPTY`) | impossible | refused: somebody has the waiter | the seat is the owner's again | impossible |
//! | **leave** (owner, `GONE`) | left | left; the nodes are the owner's to free | left; the seat is the owner's again | impossible |
//!
//! There is no state in which a node is half in the list: a node points to those below it before it is
//! pushed, and is in the list by one step.

use crate::slot::seat::Seat;
use crate::sync::{Access, Arc, AtomicPtr, Ordering};
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::ptr::{NonNull, null_mut, without_provenance_mut};

/// What a member of a list is known by.
pub(super) struct Node {
    /// The word of the list, which lives as long as a node of it.
    ///
    /// # Access
    ///
    /// Taken out when the node is buried; until then it may be read.
    pub(super) word: ManuallyDrop<Arc<ListWord>>,
    /// Whose node it is.
    pub(super) index: usize,
    /// The node below in the list, or behind in the owner's turns.
    ///
    /// # Access
    ///
    /// The token's holder; in the list, the owner, who reads it there or takes the list.
    pub(super) next: Cell<Option<NonNull<Node>>>,
    pub(super) access: Access,
}

/// What a list's top says.
#[derive(Clone, Copy)]
pub(super) enum Top {
    /// Nothing is in the list.
    Empty,
    /// This is the newest node.
    Listed(NonNull<Node>),
    /// The owner waits in this seat; whoever takes it out owns the waiter in it.
    Asleep(*const Seat),
    /// The owner has left.
    Gone,
}

/// Marks the address of a seat, and alone says that the owner has gone.
const MARK: usize = 1;

impl Top {
    #[inline(always)]
    fn of(word: *mut Node) -> Top {
        if word.addr() & MARK != 0 {
            let seat = word.map_addr(|it| it & !MARK).cast_const().cast::<Seat>();
            if seat.is_null() { Top::Gone } else { Top::Asleep(seat) }
        } else {
            NonNull::new(word).map_or(Top::Empty, Top::Listed)
        }
    }

    #[inline(always)]
    fn word(self) -> *mut Node {
        match self {
            Top::Empty => null_mut(),
            Top::Listed(node) => node.as_ptr(),
            Top::Asleep(seat) => seat.cast_mut().cast::<Node>().map_addr(|it| it | MARK),
            Top::Gone => without_provenance_mut(MARK),
        }
    }
}

/// The word of a list.
pub(super) struct ListWord(AtomicPtr<Node>, Buried);

/// Nodes that are not used any more, to be freed with the word: a stack from which nothing is ever taken.
struct Buried(AtomicPtr<Node>);

impl Drop for Buried {
    fn drop(&mut self) {
        // ORDERING: Relaxed: a thread that buries a node lets go of the word after that, and the word's
        // owners are counted.
        let mut next = NonNull::new(self.0.load(Ordering::Relaxed));
        while let Some(node) = next {
            // SAFETY: it was made of a box, and only this list still has it.
            let node = unsafe { Box::from_raw(node.as_ptr()) };
            next = node.next.get();
        }
    }
}

impl ListWord {
    pub(super) fn new() -> Self {
        ListWord(AtomicPtr::new(null_mut()), Buried(AtomicPtr::new(null_mut())))
    }

    /// Keeps the memory of an unused node of this list, which has let go of the word, as long as the word.
    pub(super) fn bury(&self, node: NonNull<Node>) {
        // ORDERING: Relaxed, here and below: see the destructor.
        let mut top = self.1.0.load(Ordering::Relaxed);
        loop {
            // SAFETY: the node is the caller's.
            unsafe { node.as_ref() }.next.set(NonNull::new(top));
            match self.1.0.compare_exchange(top, node.as_ptr(), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// What is there? To begin a push with.
    #[inline]
    pub(super) fn look(&self) -> Top {
        // ORDERING: Relaxed: nothing behind the address is read before a `push` or a `take` has acquired.
        Top::of(self.0.load(Ordering::Relaxed))
    }

    /// What is there? The owner may read the nodes.
    pub(super) fn follow(&self) -> Top {
        // ORDERING: Acquire pairs with `push`: the nodes are seen.
        Top::of(self.0.load(Ordering::Acquire))
    }

    /// Is there anything to take?
    #[inline(always)]
    pub(super) fn is_listed(&self) -> bool {
        // ORDERING: Relaxed, as in `look`.
        let word = self.0.load(Ordering::Relaxed);
        !word.is_null() && word.addr() & MARK == 0
    }

    /// Puts a node above what was seen. Gives what was found: of the same address, but that of a seat may
    /// have been freed and lent again since it was seen. `Err`: it has changed; here is what is there now.
    #[inline]
    pub(super) fn push(&self, seen: Top, node: NonNull<Node>) -> Result<Top, Top> {
        // ORDERING: Release pairs with `take` and `leave`: the node, and what it points to, is seen by the
        // owner (for the nodes below, because this step continues the release sequence of theirs). Acquire
        // pairs with `sleep`: the waiter is seen by whoever wakes it. A refusal tells nothing but to try
        // again.
        // EMPTY=>LISTED, LISTED=>LISTED, ASLEEP=>LISTED.
        self.0
            .compare_exchange_weak(seen.word(), node.as_ptr(), Ordering::AcqRel, Ordering::Relaxed)
            .map(Top::of)
            .map_err(Top::of)
    }

    /// Takes the whole list. The owner's, when it is awake.
    #[inline]
    pub(super) fn take(&self) -> Top {
        // ORDERING: Acquire pairs with `push`: the nodes are seen. EMPTY=>EMPTY, LISTED=>EMPTY.
        Top::of(self.0.swap(null_mut(), Ordering::Acquire))
    }

    /// The owner waits in this seat. False: something was pushed.
    #[must_use]
    pub(super) fn sleep(&self, seat: *const Seat) -> bool {
        // ORDERING: Release pairs with `push`: the waiter in the seat is seen by whoever wakes it. A refusal
        // tells nothing but to take the list, which acquires. EMPTY=>ASLEEP.
        self.0
            .compare_exchange(null_mut(), Top::Asleep(seat).word(), Ordering::Release, Ordering::Relaxed)
            .is_ok()
    }

    /// The owner leaves its seat. False: something was pushed, by somebody who has the waiter.
    #[must_use]
    pub(super) fn rise(&self, seat: *const Seat) -> bool {
        // ORDERING: Relaxed: the owner gets back what it wrote itself. ASLEEP=>EMPTY.
        self.0
            .compare_exchange(Top::Asleep(seat).word(), null_mut(), Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }

    /// The owner leaves. Gives what was there.
    #[must_use]
    pub(super) fn leave(&self) -> Top {
        // ORDERING: Acquire pairs with `push`: the nodes that the owner frees now are seen.
        // EMPTY=>GONE, LISTED=>GONE, ASLEEP=>GONE.
        Top::of(self.0.swap(Top::Gone.word(), Ordering::Acquire))
    }
}
