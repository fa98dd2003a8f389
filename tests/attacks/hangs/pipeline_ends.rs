//! Pipelines are ended at any moment, while their stages sleep for every possible reason. The end must reach
//! each stage.

use pipes::stream;
use pipes_skeleton::{
    Batching, Cancel, Cause, Pace, Pipeline, PostError, from_iter, from_port, merge, posted,
};
use pipes_tests::{effort, watched};
use std::future::pending;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Makes a pipeline.
type Make = Box<dyn Fn() -> Pipeline<u64> + Send>;

/// Pipelines in which items stop forever, each with its name.
fn stuck() -> Vec<(&'static str, Make)> {
    let never = || Pace::new(0.0).expect("it can be kept");
    vec![
        ("a pace of nothing", Box::new(move || from_iter(0..).paced(&never()))),
        (
            "a pace behind a farm",
            Box::new(move || from_iter(0..).window(1).parallel(2, |n| n).paced(&never())),
        ),
        (
            "batches without end",
            Box::new(|| {
                let all = Batching::of(usize::MAX).within(Duration::MAX);
                from_iter(0..10)
                    .parallel(2, |n| n)
                    .batched(&all)
                    .sequential(|batch| batch.len() as u64)
                    .paced(&Pace::new(0.0).expect("it can be kept"))
            }),
        ),
        ("futures that are never done", Box::new(|| from_iter(0..).concurrent(3, |_| pending()))),
        ("a farm of them", Box::new(|| from_iter(0..).farm(2, |share| share.concurrent(2, |_| pending())))),
        (
            "items that go round for ever",
            Box::new(|| {
                from_iter(0..).window(2).feedback(|again| {
                    again.parallel(2, |n: u64| {
                        thread::yield_now();
                        ControlFlow::<u64, u64>::Continue(n)
                    })
                })
            }),
        ),
        (
            "a silent source",
            Box::new(|| {
                let (chan, port) = stream();
                from_port(port).sequential(move |n: u64| {
                    let _open = &chan;
                    n
                })
            }),
        ),
        (
            "silent sources",
            Box::new(|| {
                let (chan, port) = stream();
                let silent = from_port(port).sequential(move |n: u64| {
                    let _open = &chan;
                    n
                });
                merge([silent, from_iter(0..3).round_robin(2, |n| n)])
            }),
        ),
        (
            "rounds in order",
            Box::new(|| {
                from_iter(0..)
                    .window(1)
                    .feedback(|again| again.concurrent(2, |_| pending::<ControlFlow<u64, u64>>()))
                    .in_order()
            }),
        ),
    ]
}

/// A cancel from another thread must wake stages that sleep, or are about to.
#[test]
fn a_cancel_at_any_moment() {
    watched(|| {
        for (name, make) in stuck() {
            for patience in 0..effort(12) {
                let cancel = Cancel::new();
                let ends = cancel.clone();
                let (begins, has_begun) = channel();
                let ending = thread::spawn(move || {
                    has_begun.recv().expect("it begins");
                    (0..patience * patience).for_each(|_| thread::yield_now());
                    ends.cancel();
                });
                begins.send(()).expect("it waits");
                let failure = make().cancelled_by(&cancel).for_each(drop).expect_err("it is cancelled");
                assert!(matches!(failure.cause(), Cause::Cancelled), "{name}: {failure}");
                assert!(failure.stuck().is_empty(), "{name}: {failure}");
                ending.join().expect("it does not panic");
            }
        }
    });
}

/// The pipeline is ended by a drop of the port, of the handle, or of the iterator.
#[test]
fn what_comes_out_is_dropped() {
    watched(|| {
        for (_, make) in stuck() {
            let (port, running) = make().into_port();
            drop(port);
            running.join().expect("that is no failure");
            let (mut port, running) = make().into_port();
            drop(running);
            while port.recv().is_ok() {}
            drop(make().into_iter());
        }
    });
}

/// Two pipelines in a row: the second one is cancelled, and the first one must learn of it while it waits for
/// room or for items.
#[test]
fn a_pipeline_behind_another() {
    watched(|| {
        for (_, make) in stuck() {
            let cancel = Cancel::new();
            let (port, first) = from_iter(0..).hand_over(1).into_port();
            let (stopped, second) = make().into_port();
            let both = merge([from_port(port), from_port(stopped)]).cancelled_by(&cancel);
            let mut items = both.into_iter();
            assert!(items.next().is_some_and(|item| item.is_ok()));
            cancel.cancel();
            assert!(items.any(|item| item.is_err_and(|failure| matches!(failure.cause(), Cause::Cancelled))));
            drop(items);
            first.join().expect("no one asks for its items");
            second.join().expect("no one asks for its items");
        }
    });
}

/// A `post` that waits for room must return when the pipeline ends.
#[test]
fn a_cancel_while_an_item_is_posted() {
    watched(|| {
        for patience in 0..effort(50) {
            let cancel = Cancel::new();
            let ends = cancel.clone();
            let running = posted(|items| {
                items.window(1).hand_over(1).concurrent(1, |_: u32| pending::<u32>()).cancelled_by(&cancel)
            });
            let running = running.expect("it can be run");
            let ending = thread::spawn(move || {
                (0..patience).for_each(|_| thread::yield_now());
                ends.cancel();
            });
            let refused = (0..).find_map(|number| running.post(number).err()).expect("there is an end");
            assert!(matches!(refused, PostError::Ended(_)));
            assert!(running.collect().is_err_and(|failure| matches!(failure.cause(), Cause::Cancelled)));
            ending.join().expect("it does not panic");
        }
    });
}
