//! Blocks of slots with many senders, and when they are done with.
//!
//! # Where a slot lies
//!
//! Slots lie in *groups*: a word with their states, and as many payloads as fit beside it into a line of
//! memory, at least one. Slots are claimed one after the other, often by different senders at one moment. So
//! neighbours lie in different groups, the next four of a row; a line is used several times before it is
//! left, but not by two senders at once.
//!
//! The first block of a queue is short: it lacks its first groups, and its slots begin at a higher index.
//!
//! # When a block is done with
//!
//! When the receiver has left it, and every sender that it passed there has come and taken back what it
//! wrote. Both count in [`Block::debts`], the receiver upwards when it leaves, each of these senders
//! downwards, and whoever makes it zero has the block. If nobody was passed, that is the receiver, and there
//! is nothing to count.

use super::state::{Field, GroupWord};
use crate::slot::payload::PayloadCell;
use crate::sync::{Access, AtomicUsize, Ordering, allocate, release, retire};
use std::alloc::Layout;
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

/// Blocks are aligned to this, for what the tail keeps in the low bits of their addresses.
pub(super) const ALIGN: usize = 4096;

/// At most how large a block is, in bytes, if that is enough for [`FEWEST`] slots. Less than its alignment,
/// so that blocks fit behind each other with what an allocator puts between them.
const BLOCK_BYTES: usize = ALIGN - 64;
/// A block has at most about this many slots,
const MOST: usize = if cfg!(pipes_loom) { 2 } else { 512 };
/// and at least this many.
const FEWEST: usize = 2;
/// The first block of a queue is about this large, because many queues never hold more.
const FIRST_BYTES: usize = 1024;
/// How many groups of several slots are used in turn.
const ROW: usize = 4;

/// A slot: its field in the word of its group, and its payload.
pub(super) struct Slot<'a, P> {
    pub(super) word: &'a GroupWord,
    pub(super) field: Field,
    /// # Access
    ///
    /// As the table of states says.
    pub(super) payload: &'a PayloadCell<P>,
}

/// A block; its groups lie behind it.
#[repr(C)]
pub(super) struct Block<T> {
    /// The block that this one stands behind.
    ///
    /// # Access
    ///
    /// Written while only one thread knows the block, and read by the receiver, which stands in that block or
    /// before it. When the block is buried, it is its next owner's, and leads to the block that was buried
    /// before.
    prev: Cell<*mut Block<T>>,
    /// Stands for it.
    access: Access,
    /// How many groups are missing.
    begin: usize,
    /// How many senders have still to come.
    debts: AtomicUsize,
    /// The state of the link.
    linked: GroupWord,
    /// Leads to the next block.
    link: PayloadCell<NonNull<Block<T>>>,
    /// Stands for the block's address, which senders compare until it is freed.
    address: Access,
    line: CacheLine,
}

/// Here a cache line begins.
#[repr(align(64))]
struct CacheLine;

/// The place of a group's word.
#[repr(C)]
struct Group<T> {
    word: GroupWord,
    /// The first of them.
    payloads: [PayloadCell<T>; 0],
}

impl<T> Block<T> {
    /// How many slots a group has.
    const WIDTH: usize = {
        let room = align_of::<CacheLine>().saturating_sub(size_of::<Group<T>>());
        let all = cfg!(pipes_loom) || size_of::<PayloadCell<T>>() == 0;
        let fit = if all { MOST } else { room / size_of::<PayloadCell<T>>() };
        let most = if Field::COUNT < MOST { Field::COUNT } else { MOST };
        if fit < 1 {
            1
        } else if fit > most {
            most
        } else {
            fit
        }
    };
    /// One group.
    const GROUP: Layout = {
        let Ok(slots) = Layout::array::<PayloadCell<T>>(Self::WIDTH) else {
            panic!("the slots of a stream are larger than memory")
        };
        let Ok((group, _)) = Layout::new::<Group<T>>().extend(slots) else {
            panic!("the slots of a stream are larger than memory")
        };
        group.pad_to_align()
    };
    /// From the block to its groups.
    const HEAD: usize = {
        let align = if Self::GROUP.align() > align_of::<CacheLine>() {
            Self::GROUP.align()
        } else {
            align_of::<CacheLine>()
        };
        size_of::<Block<T>>().next_multiple_of(align)
    };
    /// How many groups are used in turn: so many make a row, and there are whole rows.
    const ROW: usize = if Self::WIDTH > 1 && Self::fitting(BLOCK_BYTES) >= ROW { ROW } else { 1 };
    /// How many slots a block has.
    pub(super) const SLOTS: usize = Self::fitting(BLOCK_BYTES) / Self::ROW * Self::ROW * Self::WIDTH;
    /// How many slots the first block of a queue has.
    const SLOTS_FIRST: usize = {
        let first = Self::fitting(Self::HEAD + FIRST_BYTES).next_multiple_of(Self::ROW) * Self::WIDTH;
        if first < Self::SLOTS { first } else { Self::SLOTS }
    };

    /// How many groups a block of about so many bytes has.
    const fn fitting(bytes: usize) -> usize {
        let fit = bytes.saturating_sub(Self::HEAD) / Self::GROUP.size();
        let fewest = FEWEST.div_ceil(Self::WIDTH);
        let most = MOST / Self::WIDTH;
        if fit < fewest {
            fewest
        } else if fit > most {
            most
        } else {
            fit
        }
    }

    const fn layout(slots: usize) -> Layout {
        let align = if Self::GROUP.align() > ALIGN { Self::GROUP.align() } else { ALIGN };
        let size = match Self::GROUP.size().checked_mul(slots / Self::WIDTH) {
            Some(groups) => groups.checked_add(Self::HEAD),
            None => None,
        };
        let Some(size) = size else { panic!("the slots of a stream are larger than memory") };
        let Ok(layout) = Layout::from_size_align(size, align) else {
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
        // A queue has blocks of both sizes: if one is larger than memory, the program does not compile.
        const { assert!(Self::layout(Self::SLOTS_FIRST).size() <= Self::layout(Self::SLOTS).size()) };
        (Self::with(Self::SLOTS_FIRST), Self::SLOTS - Self::SLOTS_FIRST)
    }

    /// A block with so many slots, in whole groups.
    fn with(slots: usize) -> NonNull<Block<T>> {
        // SAFETY: the layout holds at least the head.
        let block = unsafe { allocate(Self::layout(slots)) }.cast::<Block<T>>();
        let head = Block {
            prev: Cell::new(null_mut()),
            access: Access::new(),
            begin: (Self::SLOTS - slots) / Self::WIDTH,
            debts: AtomicUsize::new(0),
            linked: GroupWord::new(),
            link: PayloadCell::new(),
            address: Access::new(),
            line: CacheLine,
        };
        // SAFETY: fresh memory of a block's layout.
        unsafe { block.write(head) };
        for group in 0..slots / Self::WIDTH {
            // SAFETY: the block has this group.
            let group = unsafe { Self::group(block, group) };
            // SAFETY: its memory is fresh.
            unsafe { group.write(Group { word: GroupWord::new(), payloads: [] }) };
            for number in 0..Self::WIDTH {
                // SAFETY: the group has room for this payload,
                let payload = unsafe { Self::payload(group, number) };
                // SAFETY: and its memory is fresh.
                unsafe { payload.write(PayloadCell::new()) };
            }
        }
        block
    }

    /// Where a group lies.
    ///
    /// # Safety
    ///
    /// The block lives and has this group.
    #[inline(always)]
    unsafe fn group(block: NonNull<Block<T>>, group: usize) -> NonNull<Group<T>> {
        // SAFETY: it lies inside the block.
        unsafe { block.byte_add(Self::HEAD + group * Self::GROUP.size()) }.cast()
    }

    /// Where a payload lies.
    ///
    /// # Safety
    ///
    /// The group is one of a living block, and has this payload.
    #[inline(always)]
    unsafe fn payload(group: NonNull<Group<T>>, number: usize) -> NonNull<PayloadCell<T>> {
        // SAFETY: the payloads lie behind the word.
        let payloads = unsafe { group.byte_add(std::mem::offset_of!(Group<T>, payloads)) };
        // SAFETY: it lies inside the group.
        unsafe { payloads.cast::<PayloadCell<T>>().add(number) }
    }

    /// The slot with this index.
    ///
    /// # Safety
    ///
    /// The block has this slot, and lives as long as the references are used.
    #[inline(always)]
    pub(super) unsafe fn slot<'a>(block: NonNull<Block<T>>, index: usize) -> Slot<'a, T> {
        // SAFETY: the block lives.
        let begin = unsafe { block.as_ref() }.begin;
        let (row, place) = (index / (Self::ROW * Self::WIDTH), index % (Self::ROW * Self::WIDTH));
        let (group, number) = (row * Self::ROW + place % Self::ROW, place / Self::ROW);
        // SAFETY: the block has this slot, and so its group.
        let group = unsafe { Self::group(block, group - begin) };
        // SAFETY: `number` is below the width of a group.
        let payload = unsafe { Self::payload(group, number) };
        // SAFETY: the cell was written when the block was made, and the block lives.
        let payload = unsafe { payload.as_ref() };
        // SAFETY: so was the group's word.
        let word = &unsafe { group.as_ref() }.word;
        Slot { word, field: Field::new(number), payload }
    }

    /// The link, which is a slot whose payload is the next block.
    #[inline(always)]
    pub(super) fn link(&self) -> Slot<'_, NonNull<Block<T>>> {
        Slot { word: &self.linked, field: Field::new(0), payload: &self.link }
    }

    /// The block that this one stands behind.
    pub(super) fn prev(&self) -> *mut Block<T> {
        self.access.shared();
        self.prev.get()
    }

    /// Says which block this one is to stand behind. By the only one that knows it.
    pub(super) fn stand_behind(&self, prev: *mut Block<T>) {
        self.access.exclusive();
        self.prev.set(prev);
    }

    /// A visitor has seen it at the tail, and will compare its address.
    pub(super) fn is_seen(&self) {
        self.address.shared();
    }

    /// The receiver leaves, having passed so many. True: they have all come, and the block is the caller's.
    ///
    /// # Safety
    ///
    /// The block lives, and the caller stands in it. After `false` it may be gone, so no reference to it is
    /// held here.
    #[must_use]
    pub(super) unsafe fn leave(block: NonNull<Block<T>>, passed: usize) -> bool {
        if passed == 0 {
            return true;
        }
        // SAFETY: the caller's promise.
        let debts = unsafe { Self::debts(block) };
        // ORDERING: Release and Acquire pair with `pay`: whoever is last has the block to itself.
        debts.fetch_add(passed, Ordering::AcqRel).wrapping_add(passed) == 0
    }

    /// A sender that was passed has come, and is done with the block. True: it was the last one, and the
    /// block is the caller's.
    ///
    /// # Safety
    ///
    /// The block lives, and the caller was passed in it. After `false` it may be gone, as for
    /// [`leave`](Block::leave).
    #[must_use]
    pub(super) unsafe fn pay(block: NonNull<Block<T>>) -> bool {
        // SAFETY: the caller's promise.
        let debts = unsafe { Self::debts(block) };
        // ORDERING: Release and Acquire pair with `leave`, and with each other.
        debts.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// How many senders have still to come.
    ///
    /// # Safety
    ///
    /// The block lives until the caller has changed the count.
    unsafe fn debts<'a>(block: NonNull<Block<T>>) -> &'a AtomicUsize {
        // SAFETY: the field lies inside the block.
        let debts = unsafe { &raw const (*block.as_ptr()).debts };
        // SAFETY: it was written when the block was made; an atomic may be freed by another thread as soon as
        // its step is done.
        unsafe { &*debts }
    }

    /// Makes all slots empty again. False: it is a short block, which is not used again.
    ///
    /// # Safety
    ///
    /// The block is the caller's, and all payloads were taken.
    #[must_use]
    pub(super) unsafe fn renew(block: NonNull<Block<T>>) -> bool {
        // SAFETY: the block is the caller's.
        let head = unsafe { block.as_ref() };
        head.access.exclusive();
        if head.begin > 0 {
            return false;
        }
        head.linked.reset();
        for group in 0..Self::SLOTS / Self::WIDTH {
            // SAFETY: the block has this group,
            let group = unsafe { Self::group(block, group) };
            // SAFETY: which was written when it was made.
            unsafe { group.as_ref() }.word.reset();
        }
        true
    }

    /// Frees the block.
    ///
    /// # Safety
    ///
    /// It is the caller's, and there is no message in it.
    pub(super) unsafe fn free(mut block: NonNull<Block<T>>) {
        // SAFETY: the block is the caller's.
        let head = unsafe { block.as_mut() };
        head.access.exclusive();
        head.address.exclusive();
        head.link.retire();
        head.linked.retire();
        retire(&mut head.debts);
        let slots = Self::SLOTS - head.begin * Self::WIDTH;
        for group in 0..slots / Self::WIDTH {
            // SAFETY: the block has this group,
            let mut group = unsafe { Self::group(block, group) };
            for number in 0..Self::WIDTH {
                // SAFETY: and the group this payload,
                let payload = unsafe { Self::payload(group, number) };
                // SAFETY: whose cell was written when the block was made.
                unsafe { payload.as_ref() }.retire();
            }
            // SAFETY: as is the group.
            unsafe { group.as_mut() }.word.retire();
        }
        // SAFETY: it came from `allocate` with this layout.
        unsafe { release(block.cast(), Self::layout(slots)) };
    }
}
