//! What threads keep of the pipes that they have freed is bounded, and comes back when they end: also of
//! pipes that another thread has made, and of those that are freed while the thread ends.
//!
//! The test has a program of its own, because the allocator counts the memory of all threads together. It
//! counts with the layouts that it gets, so memory that is freed with another layout is noticed too.

use peak_alloc::PeakAlloc;
use pipes::{ChanOne, PortOne, oneshot};
use pipes_tests::{KEEPS, test_in, watched};
use std::cell::RefCell;
use std::thread;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Runs the function in a thread, and asserts that all memory is back when the thread has ended.
#[track_caller]
fn assert_all_returns(run: fn()) {
    let in_a_thread = || thread::spawn(run).join().expect("it does not panic");
    // What a process allocates once, it has allocated then.
    in_a_thread();
    let before = MEMORY.current_usage();
    (0..10).for_each(|_| in_a_thread());
    assert_eq!(MEMORY.current_usage(), before);
}

/// A oneshot that carries this many bytes, and so a pipe of another size.
type Ends<const BYTES: usize> = (ChanOne<[u8; BYTES]>, PortOne<[u8; BYTES]>);

/// Oneshots of eight sizes, about a step from class to class apart; most have to be rounded up, and the last
/// are too large to be kept.
type Oneshots = (
    (Vec<Ends<0>>, Vec<Ends<16>>, Vec<Ends<48>>, Vec<Ends<80>>),
    (Vec<Ends<112>>, Vec<Ends<144>>, Vec<Ends<168>>, Vec<Ends<500>>),
);

/// This many oneshots of each size.
fn oneshots(count: usize) -> Oneshots {
    fn made<const BYTES: usize>(count: usize) -> Vec<Ends<BYTES>> {
        (0..count).map(|_| oneshot()).collect()
    }
    (
        (made(count), made(count), made(count), made(count)),
        (made(count), made(count), made(count), made(count)),
    )
}

/// What a thread may keep in all classes together.
const MOST_BYTES: usize = 18 * 1024;

/// Frees pipes of all sizes, far more than are kept, and returns what is kept of their memory.
fn kept_of(made: Oneshots, before: usize) -> usize {
    drop(made);
    let kept = MEMORY.current_usage() - before;
    assert!(kept <= MOST_BYTES, "{kept} bytes are kept");
    kept
}

fn one_thread_makes_and_frees() {
    let before = MEMORY.current_usage();
    let kept = kept_of(oneshots(10_000), before);
    assert_eq!(kept > 0, KEEPS);
    // The next ones use what was kept, and leave the same.
    let again = kept_of(oneshots(10), before);
    assert_eq!(again, kept);
    for _ in 0..1_000 {
        let (chan, port) = oneshot();
        chan.send(1_u64).expect("the port is here");
        assert_eq!(port.recv(), Ok(1));
    }
    assert_eq!(MEMORY.current_usage() - before, kept);
}

fn one_makes_and_another_frees() {
    let before = MEMORY.current_usage();
    let made = thread::spawn(|| oneshots(10_000)).join().expect("it does not panic");
    for _ in 0..3 {
        let more = thread::spawn(|| oneshots(1_000)).join().expect("it does not panic");
        drop(more);
    }
    assert_eq!(kept_of(made, before) > 0, KEEPS);
}

/// A thread that only makes keeps nothing.
fn one_only_makes() {
    let before = MEMORY.current_usage();
    let made = oneshots(100);
    thread::spawn(move || drop(made)).join().expect("it does not panic");
    assert_eq!(MEMORY.current_usage(), before);
}

/// Pipes that a thread-local owns, whose destructor makes and frees some more.
struct AtTheEnd(RefCell<Option<Oneshots>>);

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        let first = oneshots(2);
        drop(self.0.take());
        drop(oneshots(4));
        drop(first);
    }
}

thread_local! {
    static FIRST: AtTheEnd = const { AtTheEnd(RefCell::new(None)) };
    static LAST: AtTheEnd = const { AtTheEnd(RefCell::new(None)) };
}

/// One of the two is registered before the first pipe is freed, the other one after it. The thread ends with
/// room for more.
fn destructors_of_the_thread_make_and_free() {
    FIRST.with(|it| it.0.replace(Some(oneshots(2))));
    drop(oneshots(3));
    LAST.with(|it| it.0.replace(Some(oneshots(2))));
}

/// The first pipe that the thread frees is freed by a destructor.
fn only_destructors_free() {
    FIRST.with(|it| it.0.replace(Some(oneshots(1))));
}

#[test_in(watched)]
fn what_threads_keep_comes_back() {
    assert_all_returns(one_thread_makes_and_frees);
    assert_all_returns(one_makes_and_another_frees);
    assert_all_returns(one_only_makes);
    assert_all_returns(destructors_of_the_thread_make_and_free);
    assert_all_returns(only_destructors_free);
}
