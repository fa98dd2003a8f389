//! Slices whose items are processed by many threads.

use pipes_skeleton::{BuildError, Failure, FailureKind, map, map_in_place, map_reduce, reduce};
use pipes_tests::{Rng, test_in, watched};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Barrier, Mutex};
use std::thread::{self, ThreadId};

/// Sizes around those at which the behaviour changes.
fn sizes() -> impl Iterator<Item = usize> {
    (0..=20).chain([31, 32, 33, 64, 100, 127, 128, 129, 255, 256, 257, 383, 384, 385, 999, 1000])
}

/// Runs the test with each size and number of workers.
fn each(test: impl Fn(&[u64], usize)) {
    for size in sizes() {
        let mut random = Rng::with_seed(size as u64);
        let items: Vec<_> = (0..size).map(|_| random.u64(..1 << 20)).collect();
        (1..=8).for_each(|workers| test(&items, workers));
    }
}

#[test_in(watched)]
fn what_a_loop_does() {
    each(|items, workers| {
        let squares: Vec<_> = items.iter().map(|n| n * n).collect();
        assert_eq!(map(items, workers, |n| n * n).expect("nothing panics"), squares);
        let mut numbers = items.to_vec();
        map_in_place(&mut numbers, workers, |n| *n *= *n).expect("nothing panics");
        assert_eq!(numbers, squares);
    });
}

/// The result of combining depends on the order.
#[test_in(watched)]
fn reduced_in_order() {
    each(|items, workers| {
        let fold = |mut text: String, n: &u64| {
            text += &format!("{n} ");
            text
        };
        let text = reduce(items, workers, String::new, fold, |a, b| a + &b).expect("nothing panics");
        assert_eq!(text, items.iter().fold(String::new(), fold));
    });
}

#[test_in(watched)]
fn the_values_of_a_key_in_order() {
    each(|items, workers| {
        // Items have no, one or two pairs; there are few keys, or many.
        let pairs =
            |n: &u64| (0..n % 3).map(|k| ((n + k) % 50 + n / 1000 * (n % 2), vec![*n])).collect::<Vec<_>>();
        let mut expected: HashMap<u64, Vec<u64>> = HashMap::new();
        for (key, value) in items.iter().flat_map(pairs) {
            expected.entry(key).or_default().extend(value);
        }
        let found = map_reduce(items, workers, pairs, |a, b| [a, b].concat());
        assert_eq!(found.expect("nothing panics"), expected);
    });
}

#[test_in(watched)]
fn sums_are_the_same_to_the_last_bit() {
    for size in sizes().chain([20_000]) {
        let mut random = Rng::with_seed(7);
        let items: Vec<_> = (0..size).map(|_| (random.u64(..1 << 50) as f64).sqrt().sin()).collect();
        let sum = |workers| {
            let sum = reduce(&items, workers, || 0.0, |sum, n| sum + n, |a, b| a + b);
            sum.expect("nothing panics").to_bits()
        };
        let by_key = |workers| {
            let sums = map_reduce(&items, workers, |n| [(*n < 0.3, *n)], |a, b| a + b);
            let sums = sums.expect("nothing panics");
            [true, false].map(|key| sums.get(&key).copied().map(f64::to_bits))
        };
        let (alone, mut by_hand) = (sum(1), HashMap::new());
        items.iter().for_each(|n| *by_hand.entry(*n < 0.3).or_insert(-0.0) += n);
        assert_eq!(by_key(1), [true, false].map(|key| by_hand.get(&key).copied().map(f64::to_bits)));
        for workers in 1..=8 {
            assert_eq!(sum(workers), alone, "{size} items, {workers} workers");
            assert_eq!(by_key(workers), by_key(workers), "{size} items, {workers} workers");
        }
    }
}

/// Results and keys that borrow from the items, functions that borrow from their surroundings.
#[test_in(watched)]
fn borrowed() {
    let lines: Vec<String> = (0..100).map(|n| format!("line {n} of {}", n % 7)).collect();
    let seen = Mutex::new(0);
    let first: Vec<&str> = map(&lines, 3, |line| {
        *seen.lock().unwrap() += 1;
        line.split_once(' ').unwrap().1
    })
    .expect("nothing panics");
    assert_eq!((first[99], seen.into_inner().unwrap()), ("99 of 1", 100));

    let longest = reduce(
        &lines,
        3,
        || "",
        |a, b| if b.len() > a.len() { b } else { a },
        |a, b| {
            if b.len() > a.len() { b } else { a }
        },
    );
    assert_eq!(longest.expect("nothing panics"), "line 10 of 3");

    let words = map_reduce(&lines, 3, |line| line.split(' ').map(|word| (word, 1)), |a, b| a + b);
    let words = words.expect("nothing panics");
    assert_eq!((words["line"], words["of"], words["99"]), (100, 100, 1));

    let mut halves = [&mut [1, 2][..], &mut [3, 4, 5][..]];
    map_in_place(&mut halves, 2, |half| half.reverse()).expect("nothing panics");
    assert_eq!(halves, [&mut [2, 1][..], &mut [5, 4, 3][..]]);
}

/// While one worker is busy with its first item, the other one does all items outside of that worker's share.
#[test_in(watched)]
fn nobody_waits_for_a_busy_worker() {
    let (others, done) = (AtomicUsize::new(0), Barrier::new(2));
    let items: Vec<_> = (0..1000_usize).collect();
    let made = map(&items, 2, |n| {
        // The first share is small.
        if *n == 0 || *n >= 31 && others.fetch_add(1, SeqCst) == 968 {
            done.wait();
        }
        n + 1
    });
    assert!(made.expect("nothing panics").into_iter().eq(1..=1000));
}

#[test_in(watched)]
fn workers_work_at_the_same_time() {
    let mut items = [1, 2, 3, 4];
    let all = Barrier::new(4);
    map(&items, 4, |_| all.wait()).expect("nothing panics");
    map_in_place(&mut items, 4, |_| {
        all.wait();
    })
    .expect("nothing panics");
    let sum = reduce(&items, 4, || 0, |sum, n| (all.wait(), sum + n).1, |a, b| a + b);
    assert_eq!(sum.expect("nothing panics"), 10);
    let pairs = |n: &i32| (all.wait(), [(n % 2, *n)]).1;
    let sums = map_reduce(&items, 4, pairs, |a, b| a + b).expect("nothing panics");
    assert_eq!((sums[&0], sums[&1]), (6, 4));
}

/// The threads that call the function with this many items and workers.
fn threads(items: usize, workers: usize) -> HashSet<ThreadId> {
    let items = vec![(); items];
    map(&items, workers, |()| thread::current().id()).expect("nothing panics").into_iter().collect()
}

#[test_in(watched)]
fn one_worker_is_the_calling_thread() {
    let me = HashSet::from([thread::current().id()]);
    assert_eq!(threads(100, 1), me);
    assert_eq!(threads(1, 8), me);
    assert!(threads(0, 8).is_empty());
    assert!(threads(3, usize::MAX).len() <= 3);
    let sum = reduce(&[1, 2, 3], usize::MAX, || 0, |a, b| a + b, |a, b| a + b);
    assert_eq!(sum.expect("nothing panics"), 6);
}

#[test]
fn nobody_works() {
    #[track_caller]
    fn refused<T>(result: Result<T, Failure>, name: &str) {
        let Err(failure) = result else { panic!("there is nobody") };
        assert!(matches!(failure.kind(), FailureKind::Build(BuildError::NoReplicas)));
        assert_eq!(failure.stage(), name);
    }
    let mut items = [1, 2];
    refused(map(&items, 0, |n| n + 1), "map");
    refused(map(&[0_u8; 0], 0, |n| n + 1), "map");
    refused(map_in_place(&mut items, 0, |n| *n += 1), "map_in_place");
    refused(reduce(&items, 0, || 0, |a, b| a + b, |a, b| a + b), "reduce");
    refused(map_reduce(&items, 0, |n| [(*n, 1)], |a, b| a + b), "map_reduce");
    assert_eq!(items, [1, 2]);
}
