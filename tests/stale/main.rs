//! A sender of a shared stream that is stopped between its look at the tail and the installation of its new block, while the block that it has
//! seen is freed, and another block of the stream comes to lie at the same address. An allocator stops the sender, which has to bring a block;
//! without that it is the system that stops it.
//!
//! What the installation compares is an address. What it goes on with then is a pointer to memory that was freed:
//! `ci/miri.sh run -Zmiri-address-reuse-rate=1.0 -- --package pipes-tests --test stale`
#![allow(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;

/// Of an allocation that is a block of a shared stream.
const ALIGN: usize = 4096;

/// Where the last block lies that a thread has got that does not stop.
static LAST: AtomicUsize = AtomicUsize::new(0);
static STOPPED: AtomicBool = AtomicBool::new(false);
static GO_ON: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Does the thread stop at its next block?
    static STOPS: Cell<bool> = const { Cell::new(false) };
}

struct Stopping;

// SAFETY: the system's allocator.
unsafe impl GlobalAlloc for Stopping {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let memory = unsafe { System.alloc(layout) };
        if layout.align() >= ALIGN {
            if STOPS.replace(false) {
                STOPPED.store(true, SeqCst);
                while !GO_ON.load(SeqCst) {
                    thread::yield_now();
                }
            } else {
                LAST.store(memory.addr(), SeqCst);
            }
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Stopping = Stopping;

/// So large that a block has room for two.
type Large = [u64; 500];

#[test]
fn the_block_that_was_seen_is_another_one() {
    let (chan, mut port) = pipes::shared_stream::<Large>();
    let send = |count: usize| (0..count).for_each(|_| chan.send([1; 500]).expect("the port is there"));
    // Twelve blocks, all of them used up; the stopped sender sees the last one.
    send(24);
    let seen = LAST.load(SeqCst);
    let stopped = thread::spawn({
        let chan = chan.clone();
        move || {
            STOPS.set(true);
            chan.send([2; 500]).expect("the port is there");
        }
    });
    while !STOPPED.load(SeqCst) {
        thread::yield_now();
    }
    // One more block. All before it are left: the first eight wait for senders, the others are freed, among them the one that was seen.
    send(2);
    assert_eq!(port.try_iter().count(), 26);
    // The eight are used, and then fresh ones, until one lies where that one was. It is the last, and is used up.
    send(16);
    let comes_back = (0..100).any(|_| {
        send(2);
        LAST.load(SeqCst) == seen
    });
    assert!(comes_back || !cfg!(miri), "the memory is used again");
    GO_ON.store(true, SeqCst);
    stopped.join().expect("it sends");
    send(3);
    drop(chan);
    let rest: Vec<u64> = port.iter().map(|value| value[0]).collect();
    assert_eq!(rest.iter().filter(|value| **value == 2).count(), 1);
    assert_eq!(rest.iter().rposition(|value| *value == 2), Some(rest.len() - 4));
}
