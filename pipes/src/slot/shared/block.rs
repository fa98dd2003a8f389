//! Blocks of slots with many senders, and when they are done with.
//!
//! # Where a slot lies
//!
//! The slots of a block are claimed one after the other, by different senders at the same moment; so neighbours in this order lie
//! on different lines of memory, four slots apart. (Of large slots each has a line of its own anyway.) And they are counted from
//! the end, so that a short block, the first one of a queue, is one that lacks its first slots.
//!
//! # When a block is done with
//!
//! When the receiver has left it, and every sender that it passed there has come and taken back what it wrote. Both count in
//! [`Block::debts`], the receiver upwards when it leaves, each of these senders downwards, and whoever makes it zero has the
//! block. If nobody was passed, that is the receiver, and there is nothing to count.

use super::state::{Round, Word};
use super::tail::ALIGN;
use crate::sync::{AtomicUsize, Ordering, Watch, allocate, release, retire};
use std::alloc::Layout;
use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ptr::{NonNull, null_mut};

/// At most how large a block is, in bytes, if that is enough for [`FEWEST`] slots. Less than its alignment, so that blocks fit
/// behind each other with what an allocator puts between them.
const BLOCK_BYTES: usize = ALIGN - 64;
/// A block has at most this many slots,
const MOST: usize = if cfg!(pipes_loom) { 2 } else { 240 };
/// and at least this many.
const FEWEST: usize = 2;
/// The first block of a queue is about this large, because many queues never hold more.
const FIRST_BYTES: usize = 1024;
/// So many slots lie in a square, row by row, and are used column by column.
const SQUARE: usize = SIDE * SIDE;
const SIDE: usize = 4;

/// Room for one message.
#[repr(C)]
pub(super) struct Slot<P> {
    pub(super) word: Word,
    /// Stands for the payload.
    watch: Watch,
    /// # Access
    ///
    /// As the table of states says.
    payload: UnsafeCell<MaybeUninit<P>>,
}

impl<P> Slot<P> {
    fn new() -> Self {
        Slot { word: Word::new(), watch: Watch::new(), payload: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    /// Writes the payload.
    ///
    /// # Safety
    ///
    /// The slot is empty, and the caller's.
    #[inline(always)]
    pub(super) unsafe fn put(&self, payload: P) {
        self.watch.exclusive();
        // SAFETY: the payload is the caller's.
        unsafe { self.payload.get().write(MaybeUninit::new(payload)) };
    }

    /// Takes the payload.
    ///
    /// # Safety
    ///
    /// It was put and not taken, and is the caller's.
    #[inline(always)]
    pub(super) unsafe fn get(&self) -> P {
        self.watch.exclusive();
        // SAFETY: the payload is the caller's.
        let payload = unsafe { self.payload.get().read() };
        // SAFETY: it was put.
        unsafe { payload.assume_init() }
    }

    /// The slot's memory is about to be freed.
    fn retire(&mut self) {
        self.watch.exclusive();
        self.word.retire();
    }
}

/// A block; its slots lie behind it.
#[repr(C)]
pub(super) struct Block<T> {
    /// Which round of the slots this is.
    ///
    /// # Access
    ///
    /// Written when nobody else knows the block.
    round: Cell<Round>,
    /// The block that this one stands behind.
    ///
    /// # Access
    ///
    /// Written when nobody else knows the block, and read by the receiver, which stands in that block or before it.
    prev: Cell<*mut Block<T>>,
    /// Stands for both.
    watch: Watch,
    /// The first slot that there is.
    begin: usize,
    /// How many senders have still to come.
    debts: AtomicUsize,
    /// Leads to the next block.
    pub(super) link: Slot<NonNull<Block<T>>>,
    line: Line,
    slots: [Slot<T>; 0],
}

/// Here a line of memory begins.
#[repr(align(64))]
struct Line;

impl<T> Block<T> {
    /// How many slots a block has.
    pub(super) const SLOTS: usize = {
        let fit = BLOCK_BYTES.saturating_sub(size_of::<Block<T>>()) / size_of::<Slot<T>>();
        if fit < FEWEST {
            FEWEST
        } else if fit > MOST {
            MOST
        } else if fit > SQUARE {
            fit / SQUARE * SQUARE
        } else {
            fit
        }
    };
    /// Do several slots share a line of memory?
    const SPREAD: bool = Self::SLOTS.is_multiple_of(SQUARE) && size_of::<Slot<T>>() < align_of::<Line>();
    /// How many slots the first block of a queue has: whole squares.
    const SLOTS_FIRST: usize = {
        let fit = FIRST_BYTES / size_of::<Slot<T>>();
        let fit = if Self::SPREAD { fit.div_ceil(SQUARE) * SQUARE } else { fit };
        if fit < FEWEST {
            FEWEST
        } else if fit > Self::SLOTS {
            Self::SLOTS
        } else {
            fit
        }
    };

    const fn layout(slots: usize) -> Layout {
        let Ok(slots) = Layout::array::<Slot<T>>(slots) else {
            panic!("the slots of a stream are larger than memory")
        };
        let Ok((layout, _)) = Layout::new::<Block<T>>().extend(slots) else {
            panic!("the slots of a stream are larger than memory")
        };
        let Ok(layout) = layout.align_to(ALIGN) else {
            panic!("the slots of a stream are larger than memory")
        };
        layout
    }

    /// A block with empty slots.
    pub(super) fn fresh() -> NonNull<Block<T>> {
        Self::with(Self::SLOTS)
    }

    /// The first block of a queue, and its first slot.
    pub(super) fn first() -> (NonNull<Block<T>>, usize) {
        (Self::with(Self::SLOTS_FIRST), Self::SLOTS - Self::SLOTS_FIRST)
    }

    /// A block with so many slots.
    fn with(slots: usize) -> NonNull<Block<T>> {
        let begin = Self::SLOTS - slots;
        // SAFETY: the layout holds at least the head.
        let block = unsafe { allocate(Self::layout(slots)) }.cast::<Block<T>>();
        let head = Block {
            round: Cell::new(Round::FIRST),
            prev: Cell::new(null_mut()),
            watch: Watch::new(),
            begin,
            debts: AtomicUsize::new(0),
            link: Slot::new(),
            line: Line,
            slots: [],
        };
        // SAFETY: fresh memory of a block's layout.
        unsafe { block.write(head) };
        for index in begin..Self::SLOTS {
            // SAFETY: the block has this slot,
            let slot = unsafe { Self::address(block, index) };
            // SAFETY: and its memory is fresh.
            unsafe { slot.write(Slot::new()) };
        }
        block
    }

    /// Where a slot lies.
    ///
    /// # Safety
    ///
    /// The block lives and has this slot.
    #[inline(always)]
    unsafe fn address(block: NonNull<Block<T>>, index: usize) -> NonNull<Slot<T>> {
        let mut place = Self::SLOTS - 1 - index;
        if Self::SPREAD {
            let (row, column) = (place / SIDE % SIDE, place % SIDE);
            place = place / SQUARE * SQUARE + column * SIDE + row;
        }
        // SAFETY: the slots lie behind the head.
        let slots = unsafe { &raw mut (*block.as_ptr()).slots }.cast::<Slot<T>>();
        // SAFETY: the place is below their number.
        let slot = unsafe { slots.add(place) };
        // SAFETY: it lies inside the block.
        unsafe { NonNull::new_unchecked(slot) }
    }

    /// A slot.
    ///
    /// # Safety
    ///
    /// The block has this slot, and lives as long as the reference is used.
    #[inline(always)]
    pub(super) unsafe fn slot<'a>(block: NonNull<Block<T>>, index: usize) -> &'a Slot<T> {
        // SAFETY: the caller's promises.
        let slot = unsafe { Self::address(block, index) };
        // SAFETY: as above.
        unsafe { slot.as_ref() }
    }

    /// The round that the slots are in.
    #[inline(always)]
    pub(super) fn round(&self) -> Round {
        self.watch.shared();
        self.round.get()
    }

    /// The block that this one stands behind.
    pub(super) fn prev(&self) -> *mut Block<T> {
        self.watch.shared();
        self.prev.get()
    }

    /// Says which block this one is to stand behind. By the only one that knows it.
    pub(super) fn stand_behind(&self, prev: NonNull<Block<T>>) {
        self.watch.exclusive();
        self.prev.set(prev.as_ptr());
    }

    /// The receiver leaves, having passed so many. True: they have all come, and the block is the caller's.
    #[must_use]
    pub(super) fn leave(&self, passed: usize) -> bool {
        // ORDERING: Release and Acquire pair with `pay`: whoever is last has the block to itself.
        passed == 0 || self.debts.fetch_add(passed, Ordering::AcqRel).wrapping_add(passed) == 0
    }

    /// A sender that was passed has come, and is done with the block. True: it was the last one, and the block is the caller's.
    #[must_use]
    pub(super) fn pay(&self) -> bool {
        // ORDERING: Release and Acquire pair with `leave`, and with each other.
        self.debts.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// The block is the caller's, all of its slots are full, and their payloads taken: begins the next round, in which they are
    /// empty. False: it is a short block.
    #[must_use]
    pub(super) fn renew(&self) -> bool {
        self.watch.exclusive();
        self.round.set(self.round.get().next());
        self.begin == 0
    }

    /// Frees the block.
    ///
    /// # Safety
    ///
    /// It is the caller's, and there is no message in it.
    pub(super) unsafe fn free(mut block: NonNull<Block<T>>) {
        // SAFETY: the block is the caller's.
        let head = unsafe { block.as_mut() };
        head.watch.exclusive();
        head.link.retire();
        retire(&mut head.debts);
        let begin = head.begin;
        for index in begin..Self::SLOTS {
            // SAFETY: the block has this slot,
            let mut slot = unsafe { Self::address(block, index) };
            // SAFETY: and is the caller's.
            unsafe { slot.as_mut() }.retire();
        }
        // SAFETY: it came from `allocate` with this layout.
        unsafe { release(block.cast(), Self::layout(Self::SLOTS - begin)) };
    }
}
