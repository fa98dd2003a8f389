//! Selections in threads that make no other selection. Also a thread's first selection must begin at a random
//! receiver, so that a receiver that is always ready does not starve the others.

use pipes::{Either, oneshot, select, select2, stream};
use pipes_tests::watched;
use std::thread;

const MANY: usize = 200;

/// Counts, over many new threads that make one selection each, which of two receivers was chosen. Both are
/// always ready.
fn chosen(choose: impl Fn() -> usize + Clone + Send + 'static) -> [usize; 2] {
    let mut counts = [0; 2];
    for _ in 0..MANY {
        let index = thread::spawn(choose.clone()).join().expect("it does not panic");
        counts[index] += 1;
    }
    counts
}

fn assert_fair(counts: [usize; 2]) {
    assert!(counts.iter().all(|&count| count > 0), "one of two receivers was never chosen: {counts:?}");
}

#[test]
fn a_selection_in_each_thread() {
    watched(|| {
        let ((mut left, mut left_port), (mut right, mut right_port)) = (stream(), stream());
        for number in 0..MANY {
            left.send(number).expect("the port is here");
            right.send(number).expect("the port is here");
        }
        let mut counts = [0; 2];
        for _ in 0..MANY {
            thread::scope(|scope| {
                scope.spawn(|| {
                    pipes::select! {
                        _ = left_port => counts[0] += 1,
                        _ = right_port => counts[1] += 1,
                    }
                });
            });
        }
        assert_fair(counts);
    });
}

#[test]
fn a_selection_in_each_task() {
    watched(|| {
        assert_fair(chosen(|| {
            let ((left, mut left_port), (right, mut right_port)) = (oneshot(), oneshot());
            left.send(()).expect("the port is here");
            right.send(()).expect("the port is here");
            futures::executor::block_on(async {
                pipes::select_async! {
                    _ = left_port => 0,
                    _ = right_port => 1,
                }
            })
        }));
    });
}

#[test]
fn the_functions() {
    watched(|| {
        assert_fair(chosen(|| {
            let ((left, left_port), (right, right_port)) = (oneshot(), oneshot());
            left.send(()).expect("the port is here");
            right.send(()).expect("the port is here");
            select(vec![left_port, right_port]).0
        }));
        assert_fair(chosen(|| {
            let ((left, left_port), (right, right_port)) = (oneshot(), oneshot());
            left.send(()).expect("the port is here");
            right.send(()).expect("the port is here");
            match select2(left_port, right_port) {
                Either::Left(_) => 0,
                Either::Right(_) => 1,
            }
        }));
    });
}
