//! Pipelines whose values panic when they are dropped, and pipelines of unusual shapes.

use pipes_skeleton::{Pipeline, flat_map, from_iter, posted};
use pipes_tests::{Counted, DropCounter, caught, test_in, watched};
use std::future::{pending, poll_fn, ready};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::task::Poll;
use std::thread;

/// How many values are in the table of a stage. The destructor of one of them panics.
const MANY: u64 = if cfg!(miri) { 12 } else { 60 };

/// Runs the test with each of these values as the one that panics.
fn with_a_bomb(test: impl Fn(Box<dyn Fn(u64) -> Counted + Send + Sync>) + Send + 'static) {
    watched(move || {
        for bomb in [0, MANY / 2, MANY - 1] {
            let drops = DropCounter::new();
            let maker = drops.clone();
            test(Box::new(move |it| if it == bomb { maker.make_panicking(it) } else { maker.make(it) }));
            drops.assert_all_dropped();
        }
    });
}

/// Each item has become two: one has left the loop and waits for the other one, which goes round. Then a
/// stage panics.
#[test]
fn destructors_panic_in_the_table_of_a_loop() {
    with_a_bomb(|make| {
        let seen = AtomicU64::new(0);
        let failed = from_iter(0..MANY)
            .in_flight(2 * MANY as usize)
            .sequential(|number| (number, true))
            .feedback(|again| {
                let stage = move |(number, is_first): (u64, bool)| {
                    if is_first {
                        seen.fetch_add(1, SeqCst);
                        return vec![Break(make(number)), Continue((number, false))];
                    }
                    assert!(seen.load(SeqCst) < MANY, "all are there");
                    vec![Continue((number, false))]
                };
                let mut stage = Some(stage);
                again.parallel_with(1, |_| flat_map(stage.take().expect("there is one replica")))
            })
            .collect();
        let failure = failed.map(drop).expect_err("it panics");
        assert_eq!((failure.stage(), failure.panic_message()), ("stage 2", Some("all are there")));
    });
}

/// Of each group of two items one future is done, and the other one is not. Then a future panics.
#[test]
fn destructors_panic_in_the_table_of_results() {
    with_a_bomb(|make| {
        let done = Arc::new(AtomicU64::new(0));
        let failed = from_iter(0..MANY)
            .in_flight(MANY as usize)
            .parallel_with(2, |_| flat_map(|number| [(number, true), (number, false)]))
            .concurrent(2 * MANY as usize, move |(number, is_ready)| {
                let item = is_ready.then(|| make(number));
                if is_ready {
                    done.fetch_add(1, SeqCst);
                }
                let is_last = !is_ready && done.load(SeqCst) == MANY;
                async move {
                    match item {
                        Some(item) => ready(item).await,
                        None if is_last => panic!("the last one"),
                        None => pending().await,
                    }
                }
            })
            .collect();
        assert_eq!(failed.map(drop).expect_err("it panics").panic_message(), Some("the last one"));
    });
}

/// All parts into which one item was divided wait for each other: two at the first depth, and four at the
/// second.
#[test_in(watched)]
fn futures_of_one_item_wait_for_each_other() {
    let begun = Arc::new(AtomicUsize::new(0));
    let out = from_iter([0_u64]).feedback(|again| {
        let parts = again.parallel_with(1, |_| flat_map(|depth: u64| [depth + 1, depth + 1]));
        parts.concurrent(8, move |depth| {
            let begun = begun.clone();
            async move {
                begun.fetch_add(1, SeqCst);
                let all = if depth == 1 { 2 } else { 6 };
                poll_fn(|cx| {
                    cx.waker().wake_by_ref();
                    if begun.load(SeqCst) >= all { Poll::Ready(()) } else { Poll::Pending }
                })
                .await;
                if depth == 2 { Break(depth) } else { Continue(depth) }
            }
        })
    });
    assert_eq!(out.collect().expect("no stage fails"), [2; 4]);
}

/// The end of a pipeline waits for its stages, also if the destructor of its scheduling function panics.
#[test_in(watched)]
fn a_scheduling_function_panics_when_it_is_dropped() {
    let ((told, gone), (begins, begun)) = (channel(), channel());
    let farewell = DropCounter::new().make_with(0, move || {
        told.send(()).expect("the stage waits for it");
        panic!("on purpose");
    });
    let is_done = Arc::new(AtomicBool::new(false));
    let (done, mut gone) = (is_done.clone(), Some(gone));
    let running = posted(|items: Pipeline<u64>| {
        let schedule = move |_: &u64, _: usize| {
            let _farewell = &farewell;
            0
        };
        items.scheduled_with(1, schedule, |_| {
            let (gone, done) = (gone.take().expect("there is one replica"), done.clone());
            let begins = begins.clone();
            move |number| {
                begins.send(()).expect("that is waited for");
                gone.recv().expect("it goes");
                // A caller that does not wait for this stage would be faster.
                (0..3).for_each(|_| thread::yield_now());
                done.store(true, SeqCst);
                number
            }
        })
    });
    let running = running.expect("it can be run");
    running.post(1).expect("it runs");
    // A stage that has not begun the item would drop it.
    begun.recv().expect("it begins");
    let _on_purpose = caught(|| drop(running));
    assert!(is_done.load(SeqCst), "the stage has ended");
}
