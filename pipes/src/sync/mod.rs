//! The facade: atomics, access tracking, memory, threads and parking.
//!
//! No other file of the crate names `std::sync`, `std::thread` or `loom`. Ordinary builds get thin wrappers
//! over `std`. Under `--cfg pipes_loom`, the same names are those of the model checker, which then explores
//! what two threads can observe of a slot. With `--cfg pipes_shuttle` in addition, they are those of another
//! checker, for whole pipelines, which chooses the order of threads at random and checks no memory accesses.
//!
//! # What it offers
//!
//! | item | ordinary build | model |
//! |---|---|---|
//! | [`AtomicPtr`], [`AtomicBool`], [`AtomicU32`], [`AtomicUsize`] | `std` | `loom` |
//! | [`AtomicTagged`] | an atomic pointer of `std`; a number, if the compiler is older than 1.91 | an atomic number of `loom` |
//! | [`Arc`] | `std` | `loom`, which reports leaks |
//! | [`Access`] | nothing, zero bytes | reports two accesses that are not ordered |
//! | [`before_free`] | nothing | reports an atomic that is freed while another thread still uses it |
//! | [`allocate`], [`release`] | the global allocator | the same, with leaks reported |
//! | [`park`], [`Thread`] | `std::thread` | a parker made of a lock and a condition variable, see `model.rs` |
//! | [`Flag`] | an atomic Boolean | the same, which only some models explore |
//! | [`thread_local`](macro@thread_local) | `std` | `loom` |
//! | [`thread_number`] | the next number for each thread that asks | 0, unless the model gives another one |
//! | [`OnceLock`], [`ThreadId`], [`available_parallelism`], [`panicking`], [`yield_now`] | `std` | `std` |
//! | [`Lock`] | a mutex without poisoning | `loom` |
//! | [`SleepLock`] | the same | a mutex of `std`, and in some models also one of `loom` |
//! | [`StaticLock`] | a mutex of `std`, for a static | the same |
//! | [`RwLock`] | one writer or many readers, without poisoning | `loom` |
//! | [`spawn`] | a detached thread | `loom` |
//! | [`may_block`] | refuses to compile a program for a web page | the same |
//!
//! # Layers
//!
//! This layer uses nothing of the crate, and all other layers use it.

#[cfg(any(pipes_loom, pipes_exposed))]
mod exposed;
#[cfg(pipes_loom)]
mod model;
#[cfg(not(pipes_loom))]
mod native;
#[cfg(any(not(pipes_loom), pipes_shuttle))]
mod plain;
#[cfg(not(any(pipes_loom, pipes_exposed)))]
mod tagged;
#[cfg(all(pipes_loom, not(pipes_shuttle)))]
mod tracked;

use std::sync::TryLockError;
pub(crate) use std::sync::{Mutex as StaticLock, OnceLock, Weak as WakeWeak};
pub(crate) use std::thread::{ThreadId, available_parallelism, panicking, yield_now};
use std::time::{Duration, Instant};

#[cfg(any(pipes_loom, pipes_exposed))]
pub(crate) use self::exposed::AtomicTagged;
#[cfg(pipes_loom)]
pub(crate) use self::model::*;
#[cfg(not(pipes_loom))]
pub(crate) use self::native::*;
#[cfg(any(not(pipes_loom), pipes_shuttle))]
pub(crate) use self::plain::*;
#[cfg(not(any(pipes_loom, pipes_exposed)))]
pub(crate) use self::tagged::AtomicTagged;
#[cfg(all(pipes_loom, not(pipes_shuttle)))]
pub(crate) use self::tracked::*;

/// Fails to compile in a program for a web page, whose only thread must not block. To be called in a `const`
/// block of a generic function that blocks; the block is evaluated when a program uses the function.
pub(crate) const fn may_block() {
    if !HAS_THREADS {
        panic!("a web page must not block its thread: use an async method, such as `recv_async`");
    }
}

/// `true` if the target can have several threads, so that one of them may block until another one wakes it.
pub(crate) const HAS_THREADS: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// Locks a mutex, unless others hold it for a second. In a process that was forked, the thread that holds it
/// may not exist.
pub(crate) fn lock_soon<T>(lock: &StaticLock<T>) -> Option<std::sync::MutexGuard<'_, T>> {
    const LONGEST: Duration = Duration::from_secs(1);
    let mut begin = None;
    loop {
        match lock.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(error)) => return Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        if begin.get_or_insert_with(Instant::now).elapsed() >= LONGEST {
            return None;
        }
        yield_now();
    }
}

/// The reference-counted pointer from which wakers are made. It is the same in both variants, because the
/// standard library accepts only its own.
pub(crate) use std::sync::Arc as WakeArc;
pub(crate) use std::sync::atomic::Ordering;
