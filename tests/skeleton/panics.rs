//! Panics in functions on slices and in divide and conquer: what the caller is told, and what becomes of the
//! results.

use pipes_skeleton::{
    Divided, Failure, FailureKind, divide_and_conquer, map, map_in_place, map_reduce, reduce,
};
use pipes_tests::{Counted, DropCounter, test_in, watched};
use std::hash::{Hash, Hasher};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

const ITEMS: u64 = 500;

/// The items that panic.
const PLACES: [u64; 5] = [0, 1, 250, 498, 499];

#[track_caller]
fn assert_failed<T>(result: Result<T, Failure>, name: &str, message: &str) {
    let Err(failure) = result else { panic!("it panics") };
    assert_eq!((failure.stage(), failure.panic_message()), (name, Some(message)));
    assert!(failure.stuck().is_empty());
}

/// Runs the test with counted items, for each of these items and for several numbers of workers.
fn each(test: impl Fn(&DropCounter, &mut [Counted], usize, u64) + Send + 'static) {
    watched(move || {
        for workers in [1, 2, 4] {
            for at in PLACES {
                let drops = DropCounter::new();
                let mut items: Vec<_> = (0..ITEMS).map(|n| drops.make(n)).collect();
                test(&drops, &mut items, workers, at);
                drop(items);
                drops.assert_all_dropped();
            }
        }
    });
}

/// A copy of the item; panics at item `at`.
fn step(drops: &DropCounter, item: &Counted, at: u64) -> Counted {
    assert!(item.number != at, "this one");
    drops.make(item.number)
}

#[test]
fn in_a_map() {
    each(|drops, items, workers, at| {
        assert_failed(map(items, workers, |item| step(drops, item, at)), "map", "this one");
        let made = map(items, workers, |item| step(drops, item, ITEMS)).expect("nothing panics");
        assert!(made.iter().map(|item| item.number).eq(0..ITEMS));
        let in_place = map_in_place(items, workers, |item| *item = step(drops, item, at));
        assert_failed(in_place, "map_in_place", "this one");
    });
}

#[test]
fn in_a_reduce() {
    each(|drops, items, workers, at| {
        let fold = |at| {
            move |sum: Counted, item: &Counted| {
                let item = step(drops, item, at);
                drops.make(sum.number + item.number)
            }
        };
        let add = |a: Counted, b: Counted| drops.make(a.number + b.number);
        let zero = || drops.make(0);
        assert_failed(reduce(items, workers, zero, fold(at), add), "reduce", "this one");

        let begun = AtomicU64::new(0);
        let zero_once = || {
            assert!(begun.fetch_add(1, SeqCst) != at % 100, "this chunk");
            zero()
        };
        assert_failed(reduce(items, workers, zero_once, fold(ITEMS), add), "reduce", "this chunk");

        let combined = AtomicU64::new(0);
        let add_once = |a, b| {
            assert!(combined.fetch_add(1, SeqCst) != at % 100, "these two");
            add(a, b)
        };
        assert_failed(reduce(items, workers, zero, fold(ITEMS), add_once), "reduce", "these two");

        let sum = reduce(items, workers, zero, fold(ITEMS), add).expect("nothing panics");
        assert_eq!(sum.number, (0..ITEMS).sum());
        assert_failed(
            reduce(&items[..0], workers, || panic!("none"), |(), _| (), |(), ()| ()),
            "reduce",
            "none",
        );
    });
}

/// A key that panics after it was hashed a number of times.
struct Key<'a>(Counted, &'a AtomicU64);

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for Key<'_> {}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        assert!(self.1.fetch_sub(1, SeqCst) != 1, "this look");
        self.0.number.hash(state);
    }
}

#[test]
#[allow(clippy::mutable_key_type, reason = "what changes is not looked at by the comparison")]
fn in_a_map_reduce() {
    each(|drops, items, workers, at| {
        let (endless, looks, left) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let pair = |item: &Counted, left| (Key(drops.make(item.number % 11), left), drops.make(1));
        let add = |a: Counted, b: Counted| drops.make(a.number + b.number);
        let name = "map_reduce";

        let mapped = map_reduce(items, workers, |item| [pair(&step(drops, item, at), &endless)], add);
        assert_failed(mapped, name, "this one");
        let later = |item| std::iter::once_with(move || step(drops, item, at));
        let later = map_reduce(items, workers, |item| later(item).map(|value| (0, value)), add);
        assert_failed(later, name, "this one");

        let reduced = AtomicU64::new(0);
        let add_once = |a, b| {
            assert!(reduced.fetch_add(1, SeqCst) != at % 400, "these two");
            add(a, b)
        };
        let reduced = map_reduce(items, workers, |item| [pair(item, &endless)], add_once);
        assert_failed(reduced, name, "these two");

        // Keys are hashed equally often in every run; the last time is for the map that is returned.
        let counted = map_reduce(items, workers, |item| [pair(item, &looks)], add).expect("nothing panics");
        assert_eq!(counted.values().map(|count| count.number).sum::<u64>(), ITEMS);
        let looks = looks.load(SeqCst).wrapping_neg();
        for look in [at + 1, looks - at, looks] {
            left.store(look, SeqCst);
            let looked = map_reduce(items, workers, |item| [pair(item, &left)], add);
            assert_failed(looked, name, "this look");
        }
    });
}

/// Divides a number into two halves until it is 1; the numbers are counted.
fn halves(drops: &DropCounter, problem: &Counted) -> Divided<Counted, Counted> {
    match problem.number {
        1 => Divided::Solved(drops.make(1)),
        n => Divided::Into(vec![drops.make(n / 2), drops.make(n - n / 2)]),
    }
}

#[test]
fn in_divide_and_conquer() {
    each(|drops, _, workers, at| {
        let name = "divide_and_conquer";
        let sum = |parts: Vec<Counted>| drops.make(parts.iter().map(|part| part.number).sum());
        let divided = AtomicU64::new(0);
        let divide_once = |problem: Counted| {
            assert!(divided.fetch_add(1, SeqCst) != 2 * at, "this problem");
            halves(drops, &problem)
        };
        let failed = divide_and_conquer(drops.make(ITEMS), workers, divide_once, sum);
        assert_failed(failed, name, "this problem");

        let conquered = AtomicU64::new(0);
        let sum_once = |parts| {
            assert!(conquered.fetch_add(1, SeqCst) != at.min(ITEMS - 2), "these parts");
            sum(parts)
        };
        let divide = |problem: Counted| halves(drops, &problem);
        let failed = divide_and_conquer(drops.make(ITEMS), workers, divide, sum_once);
        assert_failed(failed, name, "these parts");

        let whole = divide_and_conquer(drops.make(ITEMS), workers, divide, sum).expect("nothing panics");
        assert_eq!(whole.number, ITEMS);
    });
}

/// Results made before a panic that panic themselves when they are dropped neither end the process nor change
/// the failure.
#[test_in(watched)]
fn results_whose_destructors_panic() {
    for workers in [1, 2] {
        let drops = DropCounter::new();
        let items: Vec<u64> = (0..100).collect();
        let made = |n: u64| if n == 40 { drops.make_panicking(n) } else { drops.make(n) };
        let failed = map(&items, workers, |n| {
            assert!(*n != 90, "ninety");
            made(*n)
        });
        assert_failed(failed, "map", "ninety");
        drops.assert_all_dropped();

        let divide = |n: u64| match n {
            100 => Divided::Into(vec![40, 90]),
            90 => panic!("ninety"),
            n => Divided::Solved(made(n)),
        };
        let failed = divide_and_conquer(100, workers, divide, |_| made(0));
        assert_failed(failed, "divide_and_conquer", "ninety");
        drops.assert_all_dropped();

        // Its destructor is the first to panic.
        let next = |before: Vec<Counted>, n: u64| {
            drop(before);
            made(n)
        };
        let fold = |sum, n: &u64| next(vec![sum], *n);
        let bombs = reduce(&items, workers, || made(0), fold, |a, b| next(vec![a, b], 0));
        let Err(FailureKind::Panic(payload)) = bombs.map_err(Failure::into_kind) else { panic!("it panics") };
        assert_eq!(payload.into_payload().downcast_ref(), Some(&40_u64));
        drops.assert_all_dropped();
    }
}

/// After a panic the others stop after their current item: the whole work would never finish.
#[test_in(watched)]
fn the_others_stop() {
    let items = vec![(); 1 << (usize::BITS - 4)];
    let (both, begun) = (Barrier::new(2), AtomicU64::new(0));
    let failed = map(&items, 2, |()| {
        let turn = begun.fetch_add(1, SeqCst);
        // Both have begun, and the first of them panics.
        if turn < 2 {
            both.wait();
        }
        assert!(turn != 0, "this one");
    });
    assert_failed(failed, "map", "this one");

    let divide = |n: u64| match n {
        0 => Divided::Into(vec![1, 2]),
        1 | 2 => {
            both.wait();
            Divided::Into(vec![n + 2])
        }
        3 => panic!("the first"),
        n => Divided::<_, u64>::Into(vec![n]),
    };
    assert_failed(divide_and_conquer(0, 2, divide, |_| 0), "divide_and_conquer", "the first");
}

#[test]
fn what_panics_may_be_anything() {
    let failure = map(&[1_u64, 2, 3], 2, |n| std::panic::panic_any(*n)).map(drop).expect_err("it panics");
    assert_eq!(failure.to_string(), "map panicked");
    let FailureKind::Panic(payload) = failure.into_kind() else { panic!("it panicked") };
    assert!(payload.into_payload().downcast::<u64>().is_ok());
}
