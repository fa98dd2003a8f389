//! Distribution of items to replicas; farms of pipelines; items that go back.

use pipes_skeleton::from_iter;
use pipes_tests::watched;
use std::collections::HashMap;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;

const MANY: u64 = 3000;

/// While one replica is busy with an item, the others do all the rest.
#[test]
fn nobody_waits_for_a_busy_replica() {
    for busy_at in [0, 1, 40, 500] {
        watched(move || {
            let (done, when_done) = mpsc::channel();
            let when_done = Arc::new(std::sync::Mutex::new(when_done));
            let count = from_iter(0..1000_u64)
                .window(2000)
                .parallel(2, move |n| {
                    if n == busy_at {
                        // Until all the other items are done.
                        let when_done = when_done.lock().unwrap();
                        (0..999).for_each(|_| when_done.recv().unwrap());
                    } else {
                        done.send(()).unwrap();
                    }
                })
                .fold(0, |count, ()| count + 1);
            assert_eq!(count.expect("none fails"), 1000);
        });
    }
}

/// As many items are worked on at the same time as there are replicas.
#[test]
fn replicas_work_at_the_same_time() {
    watched(|| {
        let all = Arc::new(Barrier::new(4));
        let met = from_iter(0..40).parallel(4, move |n| {
            all.wait();
            n
        });
        assert_eq!(met.in_order().collect().expect("none fails").len(), 40);
    });
}

#[test]
fn a_key_meets_one_replica_in_order() {
    for replicas in [1, 2, 5] {
        for farm_before in [false, true] {
            watched(move || {
                let items = from_iter(0..MANY);
                let items = if farm_before { items.parallel(3, |n| n) } else { items };
                let mut last = HashMap::new();
                let seen = items.keyed(
                    replicas,
                    |n| n % 17,
                    move |n| {
                        let before = last.insert(n % 17, n);
                        (thread::current().id(), n, before)
                    },
                );
                let mut homes = HashMap::new();
                for (replica, n, before) in seen.collect().expect("none fails") {
                    assert_eq!(*homes.entry(n % 17).or_insert(replica), replica);
                    assert_eq!(before, n.checked_sub(17), "the order of a key is kept");
                }
                assert_eq!(homes.len(), 17);
            });
        }
    }
}

#[test]
fn turns_are_turns() {
    watched(|| {
        let seen = from_iter(0..90_u64).round_robin(3, |n| (thread::current().id(), n)).in_order().collect();
        let seen = seen.expect("none fails");
        for (replica, n) in &seen {
            assert_eq!(*replica, seen[*n as usize % 3].0);
        }
        assert_ne!(seen[0].0, seen[1].0);
    });
}

#[test]
fn a_scheduler_of_ones_own() {
    watched(|| {
        let schedule = |n: &u64, replicas| if *n < 5 { 0 } else { replicas + 1 };
        let seen = from_iter(0..10).scheduled_with(3, schedule, |replica| move |n| (replica, n)).in_order();
        let replicas: Vec<_> =
            seen.collect().expect("none fails").into_iter().map(|(replica, _)| replica).collect();
        assert_eq!(replicas, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    });
}

#[test]
fn farms_of_pipelines() {
    for (replicas, inner) in [(1, 1), (2, 1), (3, 2), (2, 3)] {
        watched(move || {
            let items = from_iter(0..MANY)
                .farm(replicas, |share| {
                    let share = share.sequential(|n| n + 1).filter(|n| n % 2 == 0);
                    share.parallel(inner, |n| n * 3).farm(2, |part| part.parallel(inner, |n| n + 1))
                })
                .in_order();
            let expected = (1..=MANY).filter(|n| n % 2 == 0).map(|n| n * 3 + 1);
            assert!(items.collect().expect("none fails").into_iter().eq(expected), "{replicas} {inner}");
        });
    }
}

#[test]
fn a_farm_of_nothing_lets_all_through() {
    watched(|| {
        let items = from_iter(0..MANY).parallel(2, |n| n).farm(3, |share| share).in_order();
        assert!(items.collect().expect("none fails").into_iter().eq(0..MANY));
    });
}

#[test]
fn items_go_back_until_they_are_done() {
    fn steps(mut n: u64) -> u64 {
        let mut steps = 0;
        while n != 1 {
            n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    }
    for (replicas, window) in [(1, 1), (2, 3), (3, 100)] {
        watched(move || {
            let found = from_iter(1..=300_u64)
                .window(window)
                .sequential(|n| (n, 0_u64))
                .feedback(|again| {
                    again
                        .parallel(replicas, |(n, steps): (u64, u64)| match n {
                            1 => Err(steps),
                            n if n % 2 == 0 => Ok((n / 2, steps + 1)),
                            n => Ok((3 * n + 1, steps + 1)),
                        })
                        .sequential(|found| match found {
                            Ok(again) => Continue(again),
                            Err(steps) => Break(steps),
                        })
                })
                .in_order();
            assert!(found.collect().expect("none fails").into_iter().eq((1..=300).map(steps)));
        });
    }
}

/// An item that multiplies while it goes round goes on when all of its items are done.
#[test]
fn items_multiply_on_their_way_round() {
    watched(|| {
        let leaves = from_iter(1..=50_u64)
            .window(4)
            .feedback(|again| {
                again.parallel_with(2, |_| {
                    pipes_skeleton::flat_map(|n: u64| match n {
                        0 => vec![],
                        1 => vec![Break(1_u64)],
                        n => vec![Continue(n / 2), Continue(n - n / 2)],
                    })
                })
            })
            .fold(0, |sum, n| sum + n);
        assert_eq!(leaves.expect("none fails"), (1..=50).sum());
    });
}
