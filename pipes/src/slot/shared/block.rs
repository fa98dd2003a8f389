//! Blocks of slots with many senders, and when they are no longer used.
//!
//! # Where a slot lies
//!
//! Slots lie in *groups*. A group is a word with the states of its slots, followed by as many payloads as fit
//! beside it into a cache line, but at least one. Slots are claimed one after the other, often by different
//! senders at the same moment. So neighbouring slots lie in different groups, in turn in the four groups of a
//! row. A cache line is used several times before the senders leave it, but not by two senders at once.
//!
//! The first block of a queue is short: it lacks its first groups, and its slots begin at a higher index.
//!
//! # When a block is no longer used
//!
//! A block is no longer used once the receiver has left it and each sender that was skipped there has taken
//! its payload back. [`Block::pending`] counts both: when the receiver leaves, it adds the number of senders
//! that it skipped, and each of these senders *acknowledges* that, that is, subtracts one. The thread that
//! makes the count zero owns the block. If the receiver has skipped no sender, it owns the block at once, and
//! there is nothing to count.

use super::state::{Field, GroupWord};
use crate::slot::payload::PayloadCell;
use crate::sync::{Access, AtomicUsize, Ordering, allocate, before_free, release};
use std::alloc::Layout;
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

/// The alignment of blocks, so that the tail can keep a count in the low bits of their addresses.
pub(super) const ALIGN: usize = 4096;

/// The largest size of a block in bytes, provided that [`FEWEST`] slots fit. It is less than the alignment,
/// so that blocks fit behind each other with the allocator's headers between them.
const BLOCK_BYTES: usize = ALIGN - 64;
/// The approximate upper limit on the number of slots in a block.
const MOST: usize = if cfg!(pipes_loom) { 2 } else { 512 };
/// The lower limit on the number of slots in a block. It takes precedence over [`BLOCK_BYTES`].
const FEWEST: usize = 2;
/// The approximate size of a queue's first block in bytes, because many queues never hold more.
const FIRST_BYTES: usize = 1024;
/// The number of groups that are used in turn, if a group has several slots.
const ROW: usize = 4;

/// A slot: its field in the word of its group, and its payload.
pub(super) struct Slot<'a, P> {
    pub(super) word: &'a GroupWord,
    pub(super) field: Field,
    /// # Access
    ///
    /// The table of states says which side may touch it.
    pub(super) payload: &'a PayloadCell<P>,
}

/// The head of a block; its groups lie behind it.
#[repr(C)]
pub(super) struct Block<T> {
    /// The previous block.
    ///
    /// # Access
    ///
    /// It is written while only one thread knows the block, and read by the receiver, which stands in the
    /// previous block or before it. In a retired block, it belongs to the thread that takes the block from
    /// the stack, and leads to the block that was retired before.
    prev: Cell<*mut Block<T>>,
    /// Stands for `prev` in models.
    access: Access,
    /// The number of groups that a short block lacks.
    begin: usize,
    /// The number of senders that still have to acknowledge.
    pending: AtomicUsize,
    /// The state of the link.
    linked: GroupWord,
    /// Leads to the next block.
    link: PayloadCell<NonNull<Block<T>>>,
    /// Stands in models for the block's address, which senders compare until the block is freed.
    address: Access,
    line: CacheLine,
}

/// Makes what follows begin at a cache line.
#[repr(align(64))]
struct CacheLine;

/// The head of a group: its word.
#[repr(C)]
struct Group<T> {
    word: GroupWord,
    /// The first payload. The others lie behind it.
    payloads: [PayloadCell<T>; 0],
}

impl<T> Block<T> {
    /// The number of slots in a group.
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
    /// The layout of a group.
    const GROUP: Layout = {
        let Ok(slots) = Layout::array::<PayloadCell<T>>(Self::WIDTH) else {
            panic!("the slots of a stream are larger than memory")
        };
        let Ok((group, _)) = Layout::new::<Group<T>>().extend(slots) else {
            panic!("the slots of a stream are larger than memory")
        };
        group.pad_to_align()
    };
    /// The offset of the groups from the block.
    const HEAD: usize = {
        let align = if Self::GROUP.align() > align_of::<CacheLine>() {
            Self::GROUP.align()
        } else {
            align_of::<CacheLine>()
        };
        size_of::<Block<T>>().next_multiple_of(align)
    };
    /// The number of groups in a row, which are used in turn. A block has only whole rows.
    const ROW: usize = if Self::WIDTH > 1 && Self::fitting(BLOCK_BYTES) >= ROW { ROW } else { 1 };
    /// The number of slots in a block.
    pub(super) const SLOTS: usize = Self::fitting(BLOCK_BYTES) / Self::ROW * Self::ROW * Self::WIDTH;
    /// The number of slots in the first block of a queue.
    const SLOTS_FIRST: usize = {
        let first = Self::fitting(Self::HEAD + FIRST_BYTES).next_multiple_of(Self::ROW) * Self::WIDTH;
        if first < Self::SLOTS { first } else { Self::SLOTS }
    };

    /// Returns the number of groups in a block of about `bytes` bytes.
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

    /// Allocates a block with empty slots.
    pub(super) fn fresh() -> NonNull<Block<T>> {
        Self::with(Self::SLOTS)
    }

    /// Allocates the first block of a queue, and returns it with the index of its first slot.
    pub(super) fn first() -> (NonNull<Block<T>>, usize) {
        // A queue has blocks of both sizes. If one is larger than memory can be, the program does not
        // compile.
        const { assert!(Self::layout(Self::SLOTS_FIRST).size() <= Self::layout(Self::SLOTS).size()) };
        (Self::with(Self::SLOTS_FIRST), Self::SLOTS - Self::SLOTS_FIRST)
    }

    /// Allocates a block with `slots` empty slots, which are whole groups.
    fn with(slots: usize) -> NonNull<Block<T>> {
        // SAFETY: the layout's size is not zero, because it contains the head.
        let block = unsafe { allocate(Self::layout(slots)) }.cast::<Block<T>>();
        let head = Block {
            prev: Cell::new(null_mut()),
            access: Access::new(),
            begin: (Self::SLOTS - slots) / Self::WIDTH,
            pending: AtomicUsize::new(0),
            linked: GroupWord::new(),
            link: PayloadCell::new(),
            address: Access::new(),
            line: CacheLine,
        };
        // SAFETY: the memory is fresh and has room for the head.
        unsafe { block.write(head) };
        for group in 0..slots / Self::WIDTH {
            // SAFETY: the block's allocation has room for `slots / WIDTH` groups, and `group` is below that.
            let group = unsafe { Self::group(block, group) };
            // SAFETY: the memory is fresh and has room for the head of a group.
            unsafe { group.write(Group { word: GroupWord::new(), payloads: [] }) };
            for number in 0..Self::WIDTH {
                // SAFETY: `number` is below `WIDTH`, the number of payloads for which the group has room.
                let payload = unsafe { Self::payload(group, number) };
                // SAFETY: the memory is fresh and has room for a payload's cell.
                unsafe { payload.write(PayloadCell::new()) };
            }
        }
        block
    }

    /// Returns the address of a group.
    ///
    /// # Safety
    ///
    /// The block's allocation must be live and have room for this group.
    #[inline(always)]
    unsafe fn group(block: NonNull<Block<T>>, group: usize) -> NonNull<Group<T>> {
        // SAFETY: the group lies inside the block's allocation (caller).
        unsafe { block.byte_add(Self::HEAD + group * Self::GROUP.size()) }.cast()
    }

    /// Returns the address of a payload.
    ///
    /// # Safety
    ///
    /// The group must lie in the allocation of a live block, and must have room for this payload.
    #[inline(always)]
    unsafe fn payload(group: NonNull<Group<T>>, number: usize) -> NonNull<PayloadCell<T>> {
        // SAFETY: the payloads lie behind the word, inside the group.
        let payloads = unsafe { group.byte_add(std::mem::offset_of!(Group<T>, payloads)) };
        // SAFETY: the payload lies inside the group (caller).
        unsafe { payloads.cast::<PayloadCell<T>>().add(number) }
    }

    /// Returns the name of the slot with this index. A block has more bytes than slots.
    pub(super) fn place(block: NonNull<Block<T>>, index: usize) -> usize {
        block.addr().get() + index
    }

    /// Returns the slot with this index.
    ///
    /// # Safety
    ///
    /// The block must have this slot, and must live as long as the references are used.
    #[inline(always)]
    pub(super) unsafe fn slot<'a>(block: NonNull<Block<T>>, index: usize) -> Slot<'a, T> {
        // SAFETY: the block lives (caller), and its head was written when it was made.
        let begin = unsafe { block.as_ref() }.begin;
        let (row, place) = (index / (Self::ROW * Self::WIDTH), index % (Self::ROW * Self::WIDTH));
        let (group, number) = (row * Self::ROW + place % Self::ROW, place / Self::ROW);
        // SAFETY: the block lives and has this slot (caller), and so it has its group.
        let group = unsafe { Self::group(block, group - begin) };
        // SAFETY: `number` is below `WIDTH`, the number of payloads of the group.
        let payload = unsafe { Self::payload(group, number) };
        // SAFETY: the cell was written when the block was made, and the block lives as long as the reference
        // is used (caller).
        let payload = unsafe { payload.as_ref() };
        // SAFETY: the group's word was written when the block was made, and the block lives as long as the
        // reference is used (caller).
        let word = &unsafe { group.as_ref() }.word;
        Slot { word, field: Field::new(number), payload }
    }

    /// Returns the block's link: a slot whose payload is the next block.
    #[inline(always)]
    pub(super) fn link(&self) -> Slot<'_, NonNull<Block<T>>> {
        Slot { word: &self.linked, field: Field::new(0), payload: &self.link }
    }

    /// Returns the previous block.
    pub(super) fn prev(&self) -> *mut Block<T> {
        self.access.shared();
        self.prev.get()
    }

    /// Sets the previous block.
    ///
    /// # Safety
    ///
    /// The caller must own the block: no other thread reads or writes it.
    pub(super) unsafe fn stand_behind(&self, prev: *mut Block<T>) {
        self.access.exclusive();
        self.prev.set(prev);
    }

    /// Tells models that a pinned sender has seen this block at the tail, and will compare its address.
    pub(super) fn is_seen(&self) {
        self.address.shared();
    }

    /// Makes the receiver leave the block, in which it skipped `skipped` senders. Returns `true` if all of
    /// them have acknowledged, so that the caller owns the block.
    ///
    /// # Safety
    ///
    /// The block must be live. The caller must be the receiver, which stands in the block, and `skipped` must
    /// be the number of senders that it has skipped there. Once this has returned `false`, the block may be
    /// freed at any moment, so this function holds no reference to it.
    #[must_use]
    pub(super) unsafe fn leave(block: NonNull<Block<T>>, skipped: usize) -> bool {
        if skipped == 0 {
            return true;
        }
        // SAFETY: the block lives until the caller has changed the count (caller).
        let pending = unsafe { Self::pending(block) };
        // ORDERING: Release and Acquire pair with `acknowledge`: the thread that is last sees what all others
        // did in the block.
        pending.fetch_add(skipped, Ordering::AcqRel).wrapping_add(skipped) == 0
    }

    /// Acknowledges that a sender was skipped, and that no longer uses the block. Returns `true` if this
    /// sender was the last one, so that the caller owns the block.
    ///
    /// # Safety
    ///
    /// The block must be live. The caller must have been skipped in it, and must not have acknowledged yet.
    /// Once this has returned `false`, the block may be freed at any moment; see [`leave`](Block::leave).
    #[must_use]
    pub(super) unsafe fn acknowledge(block: NonNull<Block<T>>) -> bool {
        // SAFETY: the block lives until the caller has changed the count (caller).
        let pending = unsafe { Self::pending(block) };
        // ORDERING: Release and Acquire pair with `leave` and with other calls of `acknowledge`: the thread
        // that is last sees what all others did in the block.
        pending.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Returns the count of the senders that still have to acknowledge.
    ///
    /// # Safety
    ///
    /// The block must live until the caller has changed the count.
    unsafe fn pending<'a>(block: NonNull<Block<T>>) -> &'a AtomicUsize {
        // SAFETY: the block lives (caller), so the field lies inside an allocation.
        let pending = unsafe { &raw const (*block.as_ptr()).pending };
        // SAFETY: the count was written when the block was made, and it lives until the caller has changed
        // it. Another thread may free it as soon as that step is done, which is allowed for an atomic.
        unsafe { &*pending }
    }

    /// Makes all slots empty again. Returns `false` if this is a short block, which is not used again.
    ///
    /// # Safety
    ///
    /// The caller must own the block, and all payloads must have been taken.
    #[must_use]
    pub(super) unsafe fn renew(block: NonNull<Block<T>>) -> bool {
        // SAFETY: the block is the caller's, so it lives and no other thread uses it.
        let head = unsafe { block.as_ref() };
        head.access.exclusive();
        if head.begin > 0 {
            return false;
        }
        head.linked.reset();
        for group in 0..Self::SLOTS / Self::WIDTH {
            // SAFETY: the block lives, and a block that is not short has all of its groups.
            let group = unsafe { Self::group(block, group) };
            // SAFETY: the group was written when the block was made, and the block is the caller's.
            unsafe { group.as_ref() }.word.reset();
        }
        true
    }

    /// Frees the block.
    ///
    /// # Safety
    ///
    /// The caller must own the block, and there must be no message in it.
    pub(super) unsafe fn free(mut block: NonNull<Block<T>>) {
        // SAFETY: the block is the caller's, so it lives and no other thread uses it.
        let head = unsafe { block.as_mut() };
        head.access.exclusive();
        head.address.exclusive();
        head.link.before_free();
        head.linked.before_free();
        before_free(&mut head.pending);
        let slots = Self::SLOTS - head.begin * Self::WIDTH;
        for group in 0..slots / Self::WIDTH {
            // SAFETY: the block lives, and `group` is below the number of its groups.
            let mut group = unsafe { Self::group(block, group) };
            for number in 0..Self::WIDTH {
                // SAFETY: `number` is below `WIDTH`, the number of payloads of the group.
                let payload = unsafe { Self::payload(group, number) };
                // SAFETY: the cell was written when the block was made, and the block is the caller's.
                unsafe { payload.as_ref() }.before_free();
            }
            // SAFETY: the group was written when the block was made, and the block is the caller's.
            unsafe { group.as_mut() }.word.before_free();
        }
        // SAFETY: `with` got the memory from `allocate` with this layout, and the block is not used again.
        unsafe { release(block.cast(), Self::layout(slots)) };
    }
}
