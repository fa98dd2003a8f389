//! Pipelines are run, ended, joined and dropped in unusual places: in their own stages, futures and
//! destructors, and in those of other pipelines. None may hang.

use pipes::{oneshot, stream};
use pipes_skeleton::{Cause, Divided, Posted, Running, divide_and_conquer, from_iter, map_in_place, posted};
use pipes_tests::watched;
use std::sync::{Arc, Mutex};

/// A place for a value that is made after the closure that uses it.
struct Place<T>(Arc<Mutex<Option<T>>>);

impl<T> Clone for Place<T> {
    fn clone(&self) -> Self {
        Place(self.0.clone())
    }
}

impl<T> Place<T> {
    fn new() -> Self {
        Place(Arc::new(Mutex::new(None)))
    }

    fn put(&self, value: T) {
        *self.0.lock().expect("no thread panics with it") = Some(value);
    }

    fn take(&self) -> Option<T> {
        self.0.lock().expect("no thread panics with it").take()
    }
}

#[test]
fn a_running_pipeline_that_is_dropped_in_its_own_stage() {
    watched(|| {
        for joins in [false, true] {
            let place = Place::<Running>::new();
            let (go, gone) = oneshot();
            let (mut gone, inside) = (Some(gone), place.clone());
            let (mut port, running) = from_iter(0..)
                .sequential(move |number: u64| {
                    if let Some(gone) = gone.take() {
                        gone.recv().expect("it may go on");
                        let running = inside.take().expect("it was put there");
                        if joins {
                            let failure = running.join().expect_err("it would wait for itself");
                            assert!(matches!(failure.cause(), Cause::WaitsForItself));
                        }
                    }
                    number
                })
                .into_port();
            place.put(running);
            go.send(()).expect("it waits");
            while port.recv().is_ok() {}
        }
    });
}

#[test]
fn a_posted_pipeline_that_is_dropped_in_its_own_future() {
    watched(|| {
        let place = Place::<Posted<u64, u64>>::new();
        let (go, gone) = oneshot();
        let (mut gone, inside) = (Some(gone), place.clone());
        let (told, is_told) = oneshot();
        let mut told = Some(told);
        let running = posted(move |items| {
            items.concurrent(2, move |number: u64| {
                let (gone, inside, told) = (gone.take(), inside.clone(), told.take());
                async move {
                    if let Some((gone, told)) = gone.zip(told) {
                        gone.await.expect("it may go on");
                        drop(inside.take().expect("it was put there"));
                        told.send(()).expect("it is waited for");
                    }
                    number
                }
            })
        });
        let running = running.expect("it can be run");
        running.post(1).unwrap_or_else(|_| panic!("it runs"));
        place.put(running);
        go.send(()).expect("it waits");
        assert_eq!(is_told.recv(), Ok(()));
    });
}

/// Pipelines with a window of 1, in stages, in futures, in destructors of items, and in functions of the
/// skeletons for data in memory.
#[test]
fn pipelines_in_everything() {
    /// Runs a pipeline when it is dropped.
    struct Runs(u64);
    impl Drop for Runs {
        fn drop(&mut self) {
            assert_eq!(sum(self.0), self.0 * 3);
        }
    }
    fn sum(number: u64) -> u64 {
        let numbers =
            from_iter(vec![number; 3]).window(1).hand_over(1).parallel(2, |number| number).in_order();
        numbers.fold(0, |sum, number| sum + number).expect("no stage fails")
    }
    watched(|| {
        let all = from_iter(0..8_u64)
            .window(1)
            .hand_over(1)
            .parallel(2, sum)
            .concurrent(2, |number| async move { sum(number) })
            .in_order()
            .sequential(|number| (Runs(number), sum(number)).1)
            .feedback(|again| {
                again.parallel(2, |number| {
                    if number < 1000 {
                        std::ops::ControlFlow::Continue(sum(number + 1))
                    } else {
                        std::ops::ControlFlow::Break(number)
                    }
                })
            })
            .collect();
        assert_eq!(all.expect("no stage fails").len(), 8);
        let mut numbers = [1, 2, 3, 4];
        map_in_place(&mut numbers, 2, |number| *number = sum(*number)).expect("nothing panics");
        assert_eq!(numbers, [3, 6, 9, 12]);
        let whole = divide_and_conquer(
            16_u64,
            3,
            |problem| match problem {
                1 => Divided::Solved(sum(1)),
                _ => Divided::Into(vec![problem / 2; 2]),
            },
            |parts| parts.into_iter().sum::<u64>(),
        );
        assert_eq!(whole.expect("nothing panics"), 48);
    });
}

/// Twenty pipelines in a row: a stage of each owns the handle of the one before, so its destructor drops
/// that, whose stages may wait for room. The port of the last one is dropped.
#[test]
fn a_chain_of_pipelines_that_is_dropped_from_its_end() {
    watched(|| {
        let (mut port, mut running) = from_iter(0_u64..).hand_over(1).into_port();
        for _ in 0..20 {
            let before = running;
            let source = pipes_skeleton::from_port(port).hand_over(1);
            (port, running) = source
                .sequential(move |number| {
                    let _before = &before;
                    number
                })
                .into_port();
        }
        assert_eq!((port.recv(), port.recv()), (Ok(0), Ok(1)));
        drop(port);
        running.join().expect("that is no failure");
    });
}

/// A sink waits until the source is far enough ahead, within the window.
#[test]
fn a_sink_that_waits_for_the_source() {
    watched(|| {
        for window in 1..6_u64 {
            let (mut pulled, mut pulls) = stream();
            let source =
                from_iter((0..200_u64).inspect(move |number| pulled.send(*number).expect("it is here")));
            // Up to a quarter of the window may be unused while the sink works.
            let ahead = window - (window / 4).max(1);
            let mut seen = 0;
            let source = source.window(window as usize).parallel(2, |number| number).in_order();
            let done = source.for_each(|number| {
                while seen < (number + ahead).min(199) {
                    seen = pulls.recv().expect("the source is there");
                }
            });
            done.expect("no stage fails");
        }
    });
}
