//! Stages of all kinds, in all places, keep the items and the order.

use pipes_skeleton::{Pipeline, Processed, Stage, filter, filter_map, flat_map, from_iter, inspect};
use pipes_tests::watched;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const MANY: u64 = 3000;

fn sorted(mut items: Vec<u64>) -> Vec<u64> {
    items.sort_unstable();
    items
}

#[test]
fn sequential_stages_keep_the_order() {
    watched(|| {
        let items =
            from_iter(0..MANY).sequential(|n| n + 1).sequential(|n| n * 2).collect().expect("none fails");
        assert!(items.into_iter().eq((1..=MANY).map(|n| n * 2)));
    });
}

#[test]
fn a_sequential_stage_has_a_state() {
    watched(|| {
        let mut sum = 0;
        let sums = from_iter(1..=4_u64).sequential(move |n| {
            sum += n;
            sum
        });
        assert_eq!(sums.collect().expect("none fails"), [1, 3, 6, 10]);
    });
}

#[test]
fn a_farm_loses_and_doubles_nothing() {
    for replicas in [1, 2, 3, 7] {
        watched(move || {
            let items = from_iter(0..MANY).parallel(replicas, |n| n + 1).collect().expect("none fails");
            assert!(sorted(items).into_iter().eq(1..=MANY), "{replicas}");
        });
    }
}

/// Order is restored wherever it is asked for, also with items that are dropped or doubled on the way.
#[test]
fn order_is_restored_in_any_place() {
    type Build = fn(Pipeline<u64>) -> Pipeline<u64>;
    let places: [Build; 8] = [
        |items| items.parallel(3, |n| n).in_order(),
        |items| items.parallel(3, |n| n).ordered(|n| n),
        |items| items.parallel(3, |n| n).sequential(|n| n).ordered(|n| n),
        |items| items.parallel(3, |n| n).parallel(2, |n| n).ordered(|n| n).sequential(|n| n),
        |items| items.parallel(2, |n| n).ordered(|n| n).parallel(3, |n| n).in_order(),
        |items| items.sequential(|n| n).parallel(3, |n| n).sequential(|n| n).sequential(|n| n).in_order(),
        |items| items.parallel(3, |n| n).in_order().parallel(2, |n| n).in_order(),
        |items| items.in_order().parallel(4, |n| n).in_order().in_order(),
    ];
    for (number, build) in places.into_iter().enumerate() {
        for window in [1, 2, 5, 1000] {
            watched(move || {
                let items = build(from_iter(0..MANY).window(window)).collect().expect("none fails");
                assert!(items.into_iter().eq(0..MANY), "pipeline {number}, window {window}");
            });
        }
    }
}

#[test]
fn a_sequential_stage_in_order_sees_the_order() {
    watched(|| {
        let mut next = 0;
        let seen = from_iter(0..MANY).parallel(4, |n| n).ordered(move |n| {
            next += 1;
            (n, next - 1)
        });
        let seen = seen.parallel(2, |both| both).collect().expect("none fails");
        assert_eq!(seen.len() as u64, MANY);
        assert!(seen.iter().all(|(n, seen)| n == seen));
    });
}

#[test]
fn stages_that_drop_and_double_keep_the_order() {
    let expected: Vec<u64> =
        (0..MANY).filter(|n| n % 3 != 0).flat_map(|n| [n; 2].into_iter().take(n as usize % 3)).collect();
    for replicas in [1, 2, 4] {
        let expected = expected.clone();
        watched(move || {
            let parallel = from_iter(0..MANY)
                .parallel_with(replicas, |_| filter(|n: &u64| !n.is_multiple_of(3)))
                .parallel_with(replicas, |_| flat_map(|n: u64| vec![n; n as usize % 3]))
                .parallel(replicas, |n| n)
                .in_order();
            assert_eq!(parallel.collect().expect("none fails"), expected);
            let one_stage =
                filter(|n: &u64| !n.is_multiple_of(3)).then(flat_map(|n: u64| vec![n; n as usize % 3]));
            let parallel = from_iter(0..MANY).parallel_with(replicas, |_| one_stage.clone()).in_order();
            assert_eq!(parallel.collect().expect("none fails"), expected);
        });
    }
    watched(move || {
        let one_by_one = from_iter(0..MANY).filter(|n| n % 3 != 0).flat_map(|n| vec![n; n as usize % 3]);
        assert_eq!(one_by_one.collect().expect("none fails"), expected);
    });
}

#[test]
fn filters_maps_and_looks() {
    watched(|| {
        let looked = Arc::new(AtomicU64::new(0));
        let counter = looked.clone();
        let halves = from_iter(0..MANY)
            .filter_map(|n| (n % 2 == 0).then_some(n / 2))
            .inspect(move |n| {
                counter.fetch_add(*n, Ordering::Relaxed);
            })
            .parallel_with(2, |_| {
                inspect(|n: &u64| assert!(*n < MANY)).then(filter_map(|n: u64| n.checked_sub(1)))
            })
            .in_order();
        assert!(halves.collect().expect("none fails").into_iter().eq(0..MANY / 2 - 1));
        assert_eq!(looked.load(Ordering::Relaxed), (0..MANY / 2).sum());
    });
}

/// A struct as a stage, made once for each replica; each keeps a state of its own.
#[test]
fn replicas_have_states_of_their_own() {
    struct Counter(usize, u64);

    impl Stage<u64> for Counter {
        type Out = (usize, u64, u64);

        fn process(&mut self, n: u64, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
            self.1 += 1;
            emit((self.0, self.1, n))
        }
    }

    watched(|| {
        let seen = from_iter(0..MANY).parallel_with(3, |number| Counter(number, 0)).in_order().collect();
        let mut counts = [0; 3];
        for (replica, count, n) in seen.expect("none fails").into_iter().rev() {
            assert!(n < MANY && count > 0);
            counts[replica] = counts[replica].max(count);
        }
        assert_eq!(counts.iter().sum::<u64>(), MANY);
    });
}

#[test]
fn sinks() {
    watched(|| {
        assert_eq!(from_iter(1..=4_u64).fold(0, |sum, n| sum + n).expect("none fails"), 10);
        assert_eq!(
            from_iter(1..=4_u64).parallel(2, |n| n).reduce(|a, b| a * b).expect("none fails"),
            Some(24)
        );
        assert_eq!(from_iter(0..0_u64).reduce(|a, b| a * b).expect("none fails"), None);
        let mut seen = Vec::new();
        from_iter(0..5_u64).for_each(|n| seen.push(n)).expect("none fails");
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        let (port, running) = from_iter(0..MANY).parallel(2, |n| n).in_order().into_port();
        assert!(port.into_iter().eq(0..MANY));
        running.join().expect("none fails");
        let items: Result<Vec<_>, _> = from_iter(0..MANY).parallel(2, |n| n).in_order().into_iter().collect();
        assert!(items.expect("none fails").into_iter().eq(0..MANY));
    });
}

/// A pipeline can be built in one thread and run in another.
#[test]
fn a_pipeline_moves_to_a_thread() {
    watched(|| {
        let pipeline = from_iter(0..MANY).parallel(2, |n| n);
        let items = std::thread::spawn(|| pipeline.collect()).join().expect("no panic").expect("none fails");
        assert!(sorted(items).into_iter().eq(0..MANY));
    });
}
