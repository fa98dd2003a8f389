//! Data is lent to threads, and one call of the user's code panics, destructors and iterators included: each
//! call in turn. After the skeleton has returned, no thread may use the data, all that was made must be
//! dropped once, and what the threads' local values own must be dropped with them.

use pipes::{SharedChan, shared_stream};
use pipes_skeleton::{Divided, Failure, divide_and_conquer, map, map_in_place, map_reduce, reduce};
use pipes_tests::{caught, watched};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering::SeqCst};

/// The value that is lent. It counts the calls of the user's code, and the live values.
struct Lender {
    over: AtomicBool,
    calls: AtomicU64,
    /// The call that panics.
    at: u64,
    alive: AtomicIsize,
    destructors: bool,
}

impl Lender {
    fn call(&self) {
        assert!(!self.over.load(SeqCst), "it is not lent any more");
        assert!(self.calls.fetch_add(1, SeqCst) != self.at, "the fuse");
    }

    fn make(&self, number: u64) -> Value<'_> {
        self.alive.fetch_add(1, SeqCst);
        Value(number, self)
    }
}

/// A value that borrows its lender.
struct Value<'a>(u64, &'a Lender);

impl Clone for Value<'_> {
    fn clone(&self) -> Self {
        self.1.call();
        self.1.make(self.0)
    }
}

impl Drop for Value<'_> {
    fn drop(&mut self) {
        if self.1.over.load(SeqCst) {
            std::process::abort();
        }
        self.1.alive.fetch_sub(1, SeqCst);
        if self.1.destructors && !std::thread::panicking() {
            self.1.call();
        }
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.1.call();
        self.0 == other.0
    }
}

impl Eq for Value<'_> {}

impl Hash for Value<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.1.call();
        (self.0 % 3).hash(state);
    }
}

/// Returns pairs, and owns those that it has not returned.
struct Pairs<'a>(Vec<(Value<'a>, Value<'a>)>, &'a Lender);

impl<'a> Iterator for Pairs<'a> {
    type Item = (Value<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.1.call();
        self.0.pop()
    }
}

const ITEMS: u64 = if cfg!(miri) { 5 } else { 24 };

/// Runs it once for each call, which panics.
fn each(
    destructors: bool,
    run: impl Fn(&[Value<'_>], &mut [Value<'_>], usize) -> Result<(), Failure> + Send + 'static,
) {
    watched(move || {
        for workers in [1, 2, 5] {
            let mut at = 0;
            loop {
                let lender = Lender {
                    over: AtomicBool::new(false),
                    calls: AtomicU64::new(0),
                    at: u64::MAX,
                    alive: AtomicIsize::new(0),
                    destructors: false,
                };
                let lender = Lender { at, destructors, ..lender };
                let mut items: Vec<_> = (0..ITEMS).map(|number| lender.make(number)).collect();
                let mut others: Vec<_> = (0..ITEMS).map(|number| lender.make(number)).collect();
                let result = run(&items, &mut others, workers);
                let calls = lender.calls.load(SeqCst);
                assert_eq!(result.is_err(), calls > at, "{workers} workers, call {at}");
                // A destructor of these may panic as well, which is not the skeleton's failure.
                assert!(caught(|| drop(result)).is_none());
                let _bang = caught(|| drop(std::mem::take(&mut items)));
                let _bang = caught(|| drop(std::mem::take(&mut others)));
                let alive = lender.alive.load(SeqCst);
                assert!(
                    alive == 0 || destructors && alive > 0,
                    "{workers} workers, call {at}: {alive} are left"
                );
                lender.over.store(true, SeqCst);
                if calls <= at {
                    break;
                }
                at += if cfg!(miri) { 9 } else { 1 };
            }
        }
    });
}

fn mapped(items: &[Value<'_>], others: &mut [Value<'_>], workers: usize) -> Result<(), Failure> {
    drop(map(items, workers, |item| (item.clone(), [item.clone(), item.clone()]))?);
    map_in_place(others, workers, |item| *item = item.clone())
}

fn reduced(items: &[Value<'_>], _: &mut [Value<'_>], workers: usize) -> Result<(), Failure> {
    let lender = items[0].1;
    let sum = reduce(
        items,
        workers,
        || {
            lender.call();
            lender.make(0)
        },
        |sum, item| {
            let both = sum.0 + item.clone().0;
            drop(sum);
            lender.make(both)
        },
        |left, right| {
            lender.call();
            lender.make(left.0 + right.0)
        },
    )?;
    assert_eq!(sum.0, ITEMS * (ITEMS - 1) / 2);
    // Its destructor would count as a call, and may panic.
    std::mem::forget(sum);
    lender.alive.fetch_sub(1, SeqCst);
    Ok(())
}

fn map_reduced(items: &[Value<'_>], _: &mut [Value<'_>], workers: usize) -> Result<(), Failure> {
    let pairs = |item: &Value<'_>| {
        let lender = items[0].1;
        lender.call();
        let pair = |key| (lender.make((item.0 + key) % 5), lender.make(1));
        Pairs(vec![pair(0), pair(1), pair(2)], lender)
    };
    #[expect(clippy::mutable_key_type, reason = "what is counted does not decide about equality")]
    let all = map_reduce(items, workers, pairs, |left, right| {
        left.1.call();
        left.1.make(left.0 + right.0)
    })?;
    let sum: u64 = all.values().map(|value| value.0).sum();
    assert_eq!((all.len(), sum), (5, 3 * ITEMS));
    for (key, value) in all {
        key.1.alive.fetch_sub(2, SeqCst);
        std::mem::forget((key, value));
    }
    Ok(())
}

fn divided<'a>(items: &[Value<'a>], _: &mut [Value<'_>], workers: usize) -> Result<(), Failure> {
    let lender = items[0].1;
    let whole: Vec<_> = items.iter().map(|item| lender.make(item.0)).collect();
    let divide = |mut part: Vec<Value<'a>>| {
        lender.call();
        if part.len() < 2 {
            return Divided::Solved(part.pop().map(|it| lender.make(it.0 + 1)));
        }
        let third = part.len().div_ceil(3);
        let mut parts = Vec::new();
        while !part.is_empty() {
            let rest = part.split_off(third.min(part.len()));
            parts.push(std::mem::replace(&mut part, rest));
        }
        Divided::Into(parts)
    };
    let sum = divide_and_conquer(whole, workers, divide, |sums: Vec<Option<Value<'a>>>| {
        lender.call();
        Some(lender.make(sums.iter().flatten().map(|sum| sum.0).sum()))
    })?;
    let sum = sum.expect("there are parts");
    assert_eq!(sum.0, ITEMS * (ITEMS + 1) / 2);
    std::mem::forget(sum);
    lender.alive.fetch_sub(1, SeqCst);
    Ok(())
}

#[test]
fn each_call_panics() {
    each(false, mapped);
    each(false, reduced);
    each(false, map_reduced);
    each(false, divided);
}

#[test]
fn each_destructor_panics() {
    each(true, reduced);
    each(true, map_reduced);
    each(true, divided);
}

thread_local! {
    /// Values that a worker keeps until it ends.
    static KEPT: RefCell<Vec<SharedChan<Box<u64>>>> = const { RefCell::new(Vec::new()) };
}

/// Sends when its thread ends.
struct AtEnd(SharedChan<Box<u64>>, u64);

impl Drop for AtEnd {
    fn drop(&mut self) {
        drop(self.0.send(Box::new(self.1)));
    }
}

thread_local! {
    static AT_END: RefCell<Option<AtEnd>> = const { RefCell::new(None) };
}

/// Local values of the threads own chans, and send when the threads end, also when a call has failed.
#[test]
fn what_threads_keep() {
    watched(|| {
        for fails in [u64::MAX, 0, ITEMS / 2] {
            let (chan, port) = shared_stream();
            let items: Vec<u64> = (0..ITEMS).collect();
            let caller = std::thread::spawn(move || {
                let result = map(&items, 4, |&item| {
                    KEPT.with_borrow_mut(|kept| kept.push(chan.clone()));
                    AT_END.with_borrow_mut(|at_end| at_end.get_or_insert(AtEnd(chan.clone(), item)).1 = item);
                    assert!(item != fails, "the fuse");
                    drop(chan.send(Box::new(item)));
                });
                assert_eq!(result.is_err(), fails < ITEMS);
            });
            caller.join().expect("it does not panic");
            // Ends when the last local value is dropped.
            let all: Vec<_> = port.into_iter().collect();
            assert!(fails < ITEMS || all.len() as u64 > ITEMS, "{} have come", all.len());
        }
    });
}
