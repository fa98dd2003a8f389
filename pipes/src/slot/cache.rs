//! Each thread's cache of freed pipes.
//!
//! If a pipe carries one message, its two trips to the allocator cost more than everything else. So a thread
//! keeps a few small pipes that it has freed, and its next pipes lie there.
//!
//! - Sizes are rounded up to *classes*, multiples of [`STEP`] bytes up to [`LARGEST`]. Memory of a class is
//!   always allocated and freed with the layout of the class, whether it comes from a cache, goes into one,
//!   or never sees one. So a thread may keep what another thread has allocated.
//! - For each class, a thread keeps at most [`MOST`] pieces of memory. Everything beyond that, everything
//!   large, and everything with an unusual alignment goes to the allocator.
//! - The first piece that a thread frees registers a guard, which gives everything back when the thread ends.
//!   What other destructors of the thread free after that goes to the allocator. The only exception is a
//!   thread whose very first piece is freed later than all destructors of Rust, by a destructor that C code
//!   has registered with the system. It keeps what it has, at most its bound.
//!
//! The cache stands above the allocator of the program, and hides the use of freed memory from tools that
//! look for it there. It is off in models, under Miri, with `--cfg pipes_no_cache` (which the build script
//! adds for sanitizers), and on systems where thread-locals are not the compiler's own.
//!
//! # Re-entrance
//!
//! The allocator is the user's, and may run any code, including this library's. It is called between two
//! changes of a stack, never during one.

use crate::sync::{allocate, release};
use std::alloc::Layout;
use std::cell::Cell;
use std::ptr::NonNull;

/// Says whether threads keep memory.
///
/// Where the standard library makes thread-locals itself, it frees them in any order, and the cache might be
/// gone before its guard.
const IS_ON: bool = cfg!(not(any(pipes_loom, pipes_no_cache, miri)))
    && cfg!(not(any(
        target_env = "ohos",
        target_vendor = "win7",
        all(target_arch = "x86_64", target_pointer_width = "32")
    )))
    && cfg!(any(
        target_os = "linux",
        target_os = "freebsd",
        target_vendor = "apple",
        all(windows, target_env = "msvc")
    ));
/// The step from one class to the next, in bytes.
const STEP: usize = 32;
/// The number of classes.
const CLASSES: usize = 8;
/// The size of the largest class in bytes.
const LARGEST: usize = CLASSES * STEP;
/// The alignment of all classes.
const ALIGN: usize = 16;
/// The number of pieces that a thread keeps for each class: at most 18 KiB in all.
const MOST: usize = 16;

/// Returns the class of a layout, if it has one.
#[inline(always)]
const fn class_of(layout: Layout) -> Option<usize> {
    if IS_ON && layout.size() <= LARGEST && layout.align() <= ALIGN {
        Some((layout.size() - 1) / STEP)
    } else {
        None
    }
}

/// Returns the layout of all memory of a class.
const fn layout_of(class: usize) -> Layout {
    match Layout::from_size_align((class + 1) * STEP, ALIGN) {
        Ok(layout) => layout,
        Err(_) => panic!("a class is small"),
    }
}

/// Allocates memory, which this thread may have freed before. If there is no memory, the process is aborted,
/// as it is for a `Box`.
///
/// This is always inlined, with everything that it calls. The class is then a constant.
///
/// # Safety
///
/// The layout's size must not be zero.
#[inline(always)]
pub(crate) unsafe fn allocate_cached(layout: Layout) -> NonNull<u8> {
    let Some(class) = class_of(layout) else {
        // SAFETY: the layout's size is not zero (caller).
        return unsafe { allocate(layout) };
    };
    match CACHE.try_with(|cache| cache.stacks[class].pop()) {
        Ok(Some(memory)) => memory,
        // SAFETY: the size of a class is not zero.
        _ => unsafe { allocate(layout_of(class)) },
    }
}

/// Gives memory back to the thread or to the allocator.
///
/// # Safety
///
/// The memory must have come from [`allocate_cached`] with this layout, in this thread or another one, and
/// must not be used again.
#[inline(always)]
pub(crate) unsafe fn release_cached(memory: NonNull<u8>, layout: Layout) {
    let Some(class) = class_of(layout) else {
        // SAFETY: the memory came from `allocate` with this layout, which has no class (caller).
        return unsafe { release(memory, layout) };
    };
    // SAFETY: the memory has the layout of the class, because this is its class, and it is not used again
    // (caller).
    let is_kept = CACHE.try_with(|cache| unsafe { cache.stacks[class].push(memory) });
    if !is_kept.unwrap_or(false) {
        // SAFETY: the memory came from `allocate_cached` with a layout of this class, it is not used again
        // (caller), and it is in no stack.
        unsafe { release_uncached(memory, class) };
    }
}

/// Gives back memory for which the stack of its class has no room.
///
/// # Safety
///
/// The memory must have the layout of the class, and must not be used again.
#[cold]
unsafe fn release_uncached(memory: NonNull<u8>, class: usize) {
    let is_kept = CACHE.try_with(|cache| {
        cache.open();
        // SAFETY: the memory has the layout of the class, and is not used again (caller).
        unsafe { cache.stacks[class].push(memory) }
    });
    if !is_kept.unwrap_or(false) {
        // SAFETY: the memory came from `allocate` with the layout of its class. It is not used again, and is
        // in no stack.
        unsafe { release(memory, layout_of(class)) };
    }
}

/// The memory that a thread keeps: a stack for each class.
struct Cache {
    stacks: [Stack; CLASSES],
    /// `true` once a guard was registered. Only then is there room in the stacks, until the guard closes
    /// them.
    is_guarded: Cell<bool>,
}

std::thread_local! {
    /// The cache has no destructor, so no access has to ask whether it is still there.
    static CACHE: Cache = const { Cache::new() };
    static GUARD: Guard = const { Guard };
}

/// Closes the thread's cache when the thread ends.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = CACHE.try_with(Cache::close);
    }
}

impl Cache {
    const fn new() -> Self {
        Cache { stacks: [const { Stack::new() }; CLASSES], is_guarded: Cell::new(false) }
    }

    /// Makes room in all stacks, the first time that this is called.
    fn open(&self) {
        // Registering the guard may allocate, and so come here once more. That call finds no room.
        if !self.is_guarded.replace(true) && GUARD.try_with(|_| ()).is_ok() {
            self.stacks.iter().for_each(|stack| stack.room.set(MOST));
        }
    }

    /// Gives everything back. From now on, there is no room.
    fn close(&self) {
        for (class, stack) in self.stacks.iter().enumerate() {
            let mut next = stack.close();
            while let Some(first) = next {
                // SAFETY: `push` has written a piece there. The stack no longer has it, so it belongs to this
                // loop.
                next = unsafe { first.read() }.next;
                // SAFETY: memory in the stack of a class came from `allocate` with the layout of the class.
                // It is in no stack, and the loop has read its link, so it is not used again.
                unsafe { release(first.cast(), layout_of(class)) };
            }
        }
    }
}

/// The freed memory of one class. Each piece begins with the link to the next one.
///
/// # Access
///
/// It belongs to the thread that owns the cache. Nothing in it is atomic. A piece in the stack belongs to the
/// stack alone.
struct Stack {
    first: Cell<Option<NonNull<Piece>>>,
    /// The number of pieces for which there is room.
    room: Cell<usize>,
}

/// The beginning of a piece of memory that is in a stack.
struct Piece {
    next: Option<NonNull<Piece>>,
}

const _: () = assert!(size_of::<Piece>() <= STEP && align_of::<Piece>() <= ALIGN);

impl Stack {
    const fn new() -> Self {
        Stack { first: Cell::new(None), room: Cell::new(0) }
    }

    /// Takes memory out. It has the layout of the class.
    #[inline(always)]
    fn pop(&self) -> Option<NonNull<u8>> {
        let first = self.first.get()?;
        // SAFETY: `push` has written a piece there, and memory in the stack belongs to the stack.
        let piece = unsafe { first.read() };
        self.first.set(piece.next);
        self.room.set(self.room.get() + 1);
        Some(first.cast())
    }

    /// Puts memory in. Returns `false` if there is no room. The memory is still the caller's then.
    ///
    /// # Safety
    ///
    /// The memory must have the layout of this stack's class, and must not be used until it is popped.
    #[inline(always)]
    #[must_use]
    unsafe fn push(&self, memory: NonNull<u8>) -> bool {
        let Some(room) = self.room.get().checked_sub(1) else { return false };
        let first = memory.cast::<Piece>();
        // SAFETY: the memory is the stack's from now on (caller), and each class has room for a piece, with
        // its alignment.
        unsafe { first.write(Piece { next: self.first.get() }) };
        self.first.set(Some(first));
        self.room.set(room);
        true
    }

    /// Leaves no room, and returns what was in the stack.
    fn close(&self) -> Option<NonNull<Piece>> {
        self.room.set(0);
        self.first.take()
    }
}

#[cfg(all(test, not(pipes_loom)))]
mod tests;
