//! Pipelines that are posted to, ended, joined or dropped in their own stages, futures and keys, or in those
//! of others. None waits for itself, and nothing that was posted is lost.

use pipes::stream;
use pipes_skeleton::{
    Cancel, Divided, FailureKind, Pipeline, PostError, Posted, Running, divide_and_conquer, from_iter,
    from_port, map_in_place, posted,
};
use pipes_tests::table::reentrance::{Place, put, take};
use pipes_tests::{DropCounter, test_in, watched};
use std::cell::RefCell;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

/// Does something with the pipeline's handle, in its own stage or future.
type Deed<T> = fn(T) -> Option<T>;

/// The first item of a pipeline that runs by itself joins or drops the pipeline, with its port or without.
#[test_in(watched)]
fn a_running_pipeline_in_its_own_stage() {
    let joins: Deed<Running> = |running| {
        let failure = running.join().expect_err("it would wait for itself");
        assert_eq!(failure.to_string(), "stage 1 waits for the end of its own pipeline");
        assert!(matches!(failure.kind(), FailureKind::WaitsForItself));
        None
    };
    let drops: Deed<Running> = |_| None;
    for (deed, keeps_port) in [(joins, true), (drops, true), (joins, false)] {
        let place = Place::default();
        let ((go, goes), (told, is_told)) = (channel(), channel());
        let inside = place.clone();
        let (port, running) = from_iter(0..)
            .sequential(move |number: u64| {
                if number == 0 {
                    told.send(()).expect("it is waited for");
                    goes.recv().expect("it may go on");
                    deed(take(&inside).expect("it was put there"));
                }
                number
            })
            .into_port();
        // If the port were dropped before the first item, the stage would never get one.
        is_told.recv().expect("it begins");
        let port = keeps_port.then_some(port);
        put(&place, running);
        go.send(()).expect("it waits");
        port.into_iter().flatten().for_each(drop);
        assert!(is_told.recv().is_err(), "the stage is dropped");
    }
}

/// The first item of a posted pipeline ends the pipeline, waits for its end, or drops it. What was posted is
/// processed all the same, and who has the handle after that gets all of it.
#[test_in(watched)]
fn a_posted_pipeline_in_its_own_stage() {
    let waits: Deed<Posted<u64, u64>> = |mut running| {
        let failure = running.end_and_wait().expect_err("it would wait for itself");
        assert!(matches!(failure.kind(), FailureKind::WaitsForItself));
        assert_eq!(failure.stage(), "inside");
        Some(running)
    };
    let ends: Deed<Posted<u64, u64>> = |running| {
        running.end();
        Some(running)
    };
    let drops: Deed<Posted<u64, u64>> = |_| None;
    for (deed, in_future) in [waits, ends, drops].into_iter().flat_map(|deed| [(deed, false), (deed, true)]) {
        let place = Place::default();
        let ((go, goes), (out, all)) = (channel(), channel());
        let inside = place.clone();
        let act = move |number: u64| {
            if number == 0 {
                goes.recv().expect("it may go on");
                if let Some(running) = deed(take(&inside).expect("it was put there")) {
                    put(&inside, running);
                }
            }
            number
        };
        let running = posted(move |items: Pipeline<u64>| {
            let items = if in_future {
                items.concurrent(2, move |number| std::future::ready(act(number))).named("inside").in_order()
            } else {
                items.sequential(act).named("inside")
            };
            items.sequential(move |number| {
                out.send(number).expect("it is read");
                number
            })
        });
        let running = running.expect("it can be run");
        (0..10).for_each(|number| running.post(number).expect("it runs"));
        put(&place, running);
        go.send(()).expect("it waits");
        assert!(all.iter().eq(0..10));
        if let Some(running) = take(&place) {
            assert!(running.collect().expect("no stage fails").into_iter().eq(0..10));
        }
    }
}

/// An item that owns a handle of its pipeline, so that a stage can post the items that follow from it, as a
/// crawler does. The pipeline ends when no item is left that owns the handle.
struct Job {
    handle: Arc<Mutex<Posted<Job, ()>>>,
    number: u64,
}

#[test_in(watched)]
fn a_pipeline_that_only_its_items_own() {
    let ((mut out, port), (go, goes)) = (stream(), channel::<()>());
    let mut go = Some(go);
    let running = posted(move |jobs| {
        let first = jobs.sequential(move |Job { handle, number }| {
            if number > 0 {
                let next = Job { handle: handle.clone(), number: number - 1 };
                assert!(handle.lock().expect("not poisoned").post(next).is_ok());
            } else {
                drop(handle);
                drop(go.take());
            }
            number
        });
        first.sequential(move |number| {
            // Until the last handle is dropped.
            assert!(goes.recv().is_err(), "nothing is sent");
            out.send(number).expect("it is waited for");
        })
    });
    let handle = Arc::new(Mutex::new(running.expect("it can be run")));
    let first = Job { handle: handle.clone(), number: 9 };
    assert!(handle.lock().expect("not poisoned").post(first).is_ok());
    drop(handle);
    assert!(port.into_iter().eq((0..10).rev()));
}

/// A key is computed in the thread that posts. It prints the pipeline, posts to it, or ends it.
#[test]
fn a_key_that_uses_its_pipeline() {
    type Handle = Posted<u64, u64>;
    thread_local! {
        static RUNNING: RefCell<Option<Handle>> = const { RefCell::new(None) };
    }
    fn with<R>(then: impl FnOnce(&Handle) -> R) -> Option<R> {
        RUNNING.with_borrow(|running| running.as_ref().map(then))
    }
    let looks: [fn(&Handle); 3] = [
        |running| assert!(!format!("{running:?}").is_empty()),
        |running| {
            assert_eq!(running.try_post(1), Err(PostError::Full(1)));
            assert_eq!(running.post(1), Err(PostError::Full(1)));
        },
        |running| {
            running.end();
            assert_eq!(running.post(1), Err(PostError::Full(1)));
        },
    ];
    for look in looks {
        watched(move || {
            let key = move |number: &u64| {
                with(|running| {
                    if *number == 0 {
                        look(running)
                    }
                });
                *number
            };
            let running = posted(|items: Pipeline<u64>| items.keyed(2, key, |number| number));
            RUNNING.set(Some(running.expect("it can be run")));
            with(|running| running.post(0).expect("no stage fails"));
            let running = RUNNING.take().expect("it is there");
            running.collect().expect("the library does not panic");
        });
    }
}

/// Pipelines with a window of 1 in stages, futures, destructors of items, and functions on slices.
#[test_in(watched)]
fn pipelines_in_everything() {
    fn sum(number: u64) -> u64 {
        let numbers = from_iter(vec![number; 3]).in_flight(1).parallel(2, |number| number).in_order();
        numbers.fold(0, |sum, number| sum + number).expect("no stage fails")
    }
    let drops = DropCounter::new();
    let runs_at_drop = move |number| drops.make_with(number, move || assert_eq!(sum(number), number * 3));
    let all = from_iter(0..8_u64)
        .in_flight(1)
        .parallel(2, sum)
        .concurrent(2, |number| async move { sum(number) })
        .in_order()
        .sequential(move |number| (runs_at_drop(number), sum(number)).1)
        .feedback(|again| again.parallel(2, |n| if n < 1000 { Continue(sum(n + 1)) } else { Break(n) }));
    assert_eq!(all.collect().expect("no stage fails").len(), 8);
    let mut numbers = [1, 2, 3, 4];
    map_in_place(&mut numbers, 2, |number| *number = sum(*number)).expect("nothing panics");
    assert_eq!(numbers, [3, 6, 9, 12]);
    let divide = |n| if n == 1 { Divided::Solved(sum(1)) } else { Divided::Into(vec![n / 2; 2]) };
    let whole = divide_and_conquer(16_u64, 3, divide, |parts| parts.into_iter().sum::<u64>());
    assert_eq!(whole.expect("nothing panics"), 48);
}

/// Twenty pipelines in a row. A stage of each owns the handle of the one before, or takes its items from the
/// iterator of the one before. They are ended from the end of the row, or by one cancel.
#[test_in(watched)]
fn rows_of_pipelines() {
    let (mut port, mut running) = from_iter(0_u64..).in_flight(1).into_port();
    for _ in 0..20 {
        let before = running;
        let owns = move |number| {
            let _before = &before;
            number
        };
        (port, running) = from_port(port).in_flight(1).sequential(owns).into_port();
    }
    assert_eq!((port.recv(), port.recv()), (Ok(0), Ok(1)));
    drop(port);
    running.join().expect("that is no failure");

    for is_cancelled in [false, true] {
        let cancel = Cancel::new();
        let mut row = from_iter(0_u64..).in_flight(2).cancelled_by(&cancel);
        for _ in 0..20 {
            let items = row.into_iter().map_while(Result::ok);
            row = from_iter(items).in_flight(2).parallel(2, |n| n).in_order();
        }
        let mut items = row.into_iter();
        assert!(items.next().is_some_and(|item| item.is_ok_and(|n| n == 0)));
        if is_cancelled {
            cancel.cancel();
            items.by_ref().for_each(drop);
        }
    }
}
