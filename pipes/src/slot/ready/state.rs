//! The states of a list's top, and every atomic step between them.
//!
//! | state | meaning |
//! |---|---|
//! | `EMPTY` | nothing is in the list, and its owner is awake |
//! | `LISTED` (the address of the newest node) | these nodes are ready, the newest first |
//! | `ASLEEP` (the address of a cell, marked) | nothing is in the list, and its owner waits in that cell |
//! | `GONE` | the owner has left |
//!
//! | step | found `EMPTY` | found `LISTED` | found `ASLEEP` | found `GONE` |
//! |---|---|---|---|---|
//! | **push** (any thread, a node) | alone in the list | above the others | alone in the list; wake the owner | refused: the node is the caller's to free |
//! | **take** (owner, `EMPTY`) | nothing | all of them | impossible: the owner cancels its sleep first | impossible |
//! | **sleep** (owner, `ASLEEP`) | asleep | refused: take them | impossible | impossible |
//! | **cancel sleep** (owner, `EMPTY`) | impossible | refused: another thread has the waiter | the cell is the owner's again | impossible |
//! | **leave** (owner, `GONE`) | left | left; the nodes are the owner's to free | left; the cell is the owner's again | impossible |
//!
//! A node points to the nodes below it before it is pushed, and a single step puts it into the list. So no
//! state shows a node that is only half in the list.

use crate::sync::{Access, Arc, AtomicPtr, Ordering};
use crate::wait::WaiterCell;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::ptr::{NonNull, null_mut, without_provenance_mut};

/// A member's node in a list.
pub(super) struct Node {
    /// The word of the list, which lives as long as a node of it.
    ///
    /// # Access
    ///
    /// It is taken out when the node is retired. Until then, any holder may read it.
    pub(super) word: ManuallyDrop<Arc<ListWord>>,
    /// The index of the member.
    pub(super) index: usize,
    /// The next node: below this one in the list, or behind it in the owner's turns.
    ///
    /// # Access
    ///
    /// It belongs to the token's holder, or, while the node is in the list, to the owner, which reads it
    /// there or takes the list.
    pub(super) next: Cell<Option<NonNull<Node>>>,
    pub(super) access: Access,
}

/// What the word of a list says.
#[derive(Clone, Copy)]
pub(super) enum Top {
    /// Nothing is in the list.
    Empty,
    /// This is the newest node.
    Listed(NonNull<Node>),
    /// The owner waits in this cell. The thread that takes the address out of the word owns the waiter.
    Asleep(*const WaiterCell),
    /// The owner has left.
    Gone,
}

/// Marks the address of a cell. Without an address it says that the owner has left.
const MARK: usize = 1;

impl Top {
    #[inline(always)]
    fn of(word: *mut Node) -> Top {
        if word.addr() & MARK != 0 {
            let cell = word.map_addr(|it| it & !MARK).cast_const().cast::<WaiterCell>();
            if cell.is_null() { Top::Gone } else { Top::Asleep(cell) }
        } else {
            NonNull::new(word).map_or(Top::Empty, Top::Listed)
        }
    }

    #[inline(always)]
    fn word(self) -> *mut Node {
        match self {
            Top::Empty => null_mut(),
            Top::Listed(node) => node.as_ptr(),
            Top::Asleep(cell) => cell.cast_mut().cast::<Node>().map_addr(|it| it | MARK),
            Top::Gone => without_provenance_mut(MARK),
        }
    }
}

/// The word of a list.
pub(super) struct ListWord(AtomicPtr<Node>, Retired);

/// Nodes that are no longer used, and that are freed with the word: a stack from which nothing is taken
/// before.
struct Retired(AtomicPtr<Node>);

impl Drop for Retired {
    fn drop(&mut self) {
        // ORDERING: Relaxed: a thread that retires a node drops its count of the word only after that, and
        // the last drop of a count synchronizes with all earlier ones.
        let mut next = NonNull::new(self.0.load(Ordering::Relaxed));
        while let Some(node) = next {
            // SAFETY: `Token::new` made the node from a box, and only this stack still has it.
            let node = unsafe { Box::from_raw(node.as_ptr()) };
            next = node.next.get();
        }
    }
}

impl ListWord {
    pub(super) fn new() -> Self {
        ListWord(AtomicPtr::new(null_mut()), Retired(AtomicPtr::new(null_mut())))
    }

    /// Keeps the memory of an unused node of this list until the word is freed. The node no longer has a
    /// count of the word.
    pub(super) fn retire(&self, node: NonNull<Node>) {
        // ORDERING: Relaxed, here and below: only the destructor reads the nodes, see there.
        let mut top = self.1.0.load(Ordering::Relaxed);
        loop {
            // SAFETY: the node lives, and it is the caller's.
            unsafe { node.as_ref() }.next.set(NonNull::new(top));
            match self.1.0.compare_exchange(top, node.as_ptr(), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// Loads the word, before a push.
    #[inline]
    pub(super) fn look(&self) -> Top {
        // ORDERING: Relaxed: nothing behind the address is read before a `push` or a `take` has acquired.
        Top::of(self.0.load(Ordering::Relaxed))
    }

    /// Loads the word for the owner, which may then read the nodes.
    pub(super) fn follow(&self) -> Top {
        // ORDERING: Acquire pairs with `push`: the owner sees the nodes.
        Top::of(self.0.load(Ordering::Acquire))
    }

    /// Returns `true` if there is anything to take.
    #[inline(always)]
    pub(super) fn is_listed(&self) -> bool {
        // ORDERING: Relaxed: no node is read before `take` or `follow` has acquired.
        let word = self.0.load(Ordering::Relaxed);
        !word.is_null() && word.addr() & MARK == 0
    }

    /// Pushes a node on top of what was seen. Returns what was found, which has the same address; but a cell
    /// at this address may have been freed and lent again since it was seen. If the word has changed, returns
    /// what it says now in `Err`.
    #[inline]
    pub(super) fn push(&self, seen: Top, node: NonNull<Node>) -> Result<Top, Top> {
        // ORDERING: Release pairs with `take`, `follow` and `leave`: the owner sees the node and those below
        // it (this step continues their release sequence). Acquire pairs with `sleep`: the caller sees the
        // waiter that it wakes. After a refusal it tries again. EMPTY=>LISTED, LISTED=>LISTED,
        // ASLEEP=>LISTED.
        self.0
            .compare_exchange_weak(seen.word(), node.as_ptr(), Ordering::AcqRel, Ordering::Relaxed)
            .map(Top::of)
            .map_err(Top::of)
    }

    /// Takes the whole list. Only for the owner, which must be awake.
    #[inline]
    pub(super) fn take(&self) -> Top {
        // ORDERING: Acquire pairs with `push`: the owner sees the nodes. EMPTY=>EMPTY, LISTED=>EMPTY.
        Top::of(self.0.swap(null_mut(), Ordering::Acquire))
    }

    /// Makes the owner wait in this cell. Returns `false` if something was pushed.
    #[must_use]
    pub(super) fn sleep(&self, cell: *const WaiterCell) -> bool {
        // ORDERING: Release pairs with `push`: the thread that wakes the waiter in the cell sees it. After a
        // refusal the owner takes the list, which acquires. EMPTY=>ASLEEP.
        self.0
            .compare_exchange(null_mut(), Top::Asleep(cell).word(), Ordering::Release, Ordering::Relaxed)
            .is_ok()
    }

    /// Takes the owner's cell back. Returns `false` if something was pushed: the thread that pushed it has
    /// the waiter.
    #[must_use]
    pub(super) fn cancel_sleep(&self, cell: *const WaiterCell) -> bool {
        // ORDERING: Relaxed: the owner gets back what it wrote itself. ASLEEP=>EMPTY.
        self.0
            .compare_exchange(Top::Asleep(cell).word(), null_mut(), Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }

    /// Makes the owner leave. Returns what was there.
    #[must_use]
    pub(super) fn leave(&self) -> Top {
        // ORDERING: Acquire pairs with `push`: the owner sees the nodes that it frees now. EMPTY=>GONE,
        // LISTED=>GONE, ASLEEP=>GONE.
        Top::of(self.0.swap(Top::Gone.word(), Ordering::Acquire))
    }
}
