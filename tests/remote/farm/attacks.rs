//! Farms whose users do at the wrong moment what they may do: they end, fail, panic and nest.

use super::protocol::work;
use crate::counts::joined;
use crate::ends::error;
use crate::{LONG, farm, start, words};
use pipes::Cause;
use pipes_remote::engine::Engine;
use pipes_remote::farm::{FarmError, Remote, WorkerError, Workers, worker};
use pipes_remote::{ListenError, Via};
use pipes_remote_tests::Trap;
use pipes_skeleton::{Cancel, from_iter};
use pipes_tests::{spin_while, watched};
use serde::{Deserialize, Serialize, Serializer};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

/// An item whose destructor panics if it has arrived, its number is 1, and a replica of the worker drops it.
#[derive(Deserialize)]
#[serde(from = "u64")]
struct Sour {
    number: u64,
    has_arrived: bool,
}

/// How many items with number 1 have arrived, and how many of these have gone before a replica had them.
static ARRIVED: AtomicU64 = AtomicU64::new(0);
static GONE_BEFORE: AtomicU64 = AtomicU64::new(0);

impl From<u64> for Sour {
    fn from(number: u64) -> Self {
        // The farm's own thread decodes each item as a check.
        let has_arrived = !thread::current().name().is_some_and(|name| name.starts_with("stage"));
        ARRIVED.fetch_add(u64::from(has_arrived && number == 1), Ordering::SeqCst);
        Sour { number, has_arrived }
    }
}

impl Serialize for Sour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number.serialize(serializer)
    }
}

impl Drop for Sour {
    fn drop(&mut self) {
        if self.has_arrived && self.number == 1 {
            // The threads of a runtime have names, those of replicas have none.
            assert!(thread::current().name().is_some(), "the item does not want to go");
            GONE_BEFORE.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Items that are not wanted any more panic when they go: that ends the worker, as any panic does, and not
/// one of its threads alone.
#[test]
fn items_that_are_not_wanted_and_panic() {
    // Returns whether a replica had one of the items with number 1.
    let run = |numbers: [u64; 4]| {
        let ones = numbers.iter().filter(|number| **number == 1).count() as u64;
        let (arrived, gone) = (ARRIVED.load(Ordering::SeqCst), GONE_BEFORE.load(Ordering::SeqCst));
        let via = pipes_remote::memory();
        let farm: Workers<Sour, u64> = Workers::listen(&via).expect("it is free");
        let (took, taken) = mpsc::channel();
        let (go, goes) = mpsc::channel::<()>();
        let goes = Mutex::new(goes);
        let working = thread::spawn(move || {
            worker(&via, 2, move |item: Sour| {
                let number = item.number;
                took.send(number).expect("the test goes on");
                let _ = goes.lock().expect("no panic").recv();
                number
            })
        });
        let cancel = Cancel::new();
        let numbers = from_iter(numbers);
        let results = numbers
            .remote(&farm, |number| Sour { number, has_arrived: false })
            .cancelled_by(&cancel)
            .into_iter();
        assert_eq!([taken.recv(), taken.recv()], [Ok(0), Ok(0)]);
        // Number 1 is at the worker, and waits, when it is not wanted any more.
        spin_while(|| ARRIVED.load(Ordering::SeqCst) < arrived + ones);
        cancel.cancel();
        drop(results);
        drop(go);
        spin_while(|| !working.is_finished() && GONE_BEFORE.load(Ordering::SeqCst) < gone + ones);
        let has_panicked = working.is_finished();
        if has_panicked {
            let panic = working.join().expect_err("it panics");
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"the item does not want to go"));
            assert!(farm.finish(LONG));
        } else {
            assert!(farm.finish(LONG));
            working.join().expect("no panic").expect("it is the end");
        }
        has_panicked
    };
    watched(move || while !run([0, 0, 1, 2]) {});
    watched(move || while !run([0, 0, 1, 1]) {});
}

/// A panic where results are used: workers stay, and another pipeline has them.
#[test]
fn a_panic_where_results_are_used() {
    watched(|| {
        let (via, farm) = farm();
        let working = start(&via, 2);
        for _ in 0..10 {
            let results = from_iter(0..1000).remote(&farm, |number| number);
            let failure = results.for_each(|_| panic!("it is enough")).expect_err("it panics");
            assert_eq!(failure.panic_message(), Some("it is enough"));
        }
        let results = from_iter(0..100).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..100).map(words)));
        assert!(farm.finish(LONG));
        working.join().expect("no panic").expect("it is the end");
    });
}

/// The end, said in the middle of a pipeline by what uses its results: no hang. It needs workers still, so it
/// fails.
#[test]
fn a_farm_that_is_finished_by_its_own_results() {
    watched(|| {
        let (via, farm) = farm();
        let working = start(&via, 2);
        let results = from_iter(0..10_000).remote(&farm, |number| number).in_order().named("parse");
        let mut farm = Some(farm);
        let failure = results.for_each(|_| assert!(farm.take().is_none_or(|farm| farm.finish(LONG))));
        let failure = failure.expect_err("there is no worker any more");
        assert!(matches!(error(&failure), FarmError::Closed), "{failure}");
        working.join().expect("no panic").expect("it is the end");
    });
}

/// Workers whose work is a farm of its own.
#[test]
fn a_farm_of_farms() {
    watched(|| {
        let (inner_via, inner) = farm();
        let workers = [start(&inner_via, 2), start(&inner_via, 1)];
        let inner = Arc::new(inner);
        let via = pipes_remote::memory();
        let outer: Workers<u64, Vec<String>> = Workers::listen(&via).expect("it is free");
        let own = inner.clone();
        let between = thread::spawn(move || {
            worker(&via, 3, move |number: u64| {
                let numbers = from_iter(number..number + 20);
                numbers.remote(&own, |number| number).in_order().collect().expect("there are workers")
            })
        });
        let results = from_iter(0..50).remote(&outer, |number| number).in_order().into_iter();
        let expected = (0..50).map(|number| (number..number + 20).map(words).collect::<Vec<_>>());
        assert!(results.map(|result| result.expect("there are workers")).eq(expected));
        assert!(outer.finish(LONG));
        assert_eq!(between.join().expect("no panic").expect("it is the end"), 50);
        assert_eq!(inner.report().items(), 1000);
        let inner = Arc::into_inner(inner).expect("the worker between has ended");
        assert!(inner.finish(LONG));
        let done = workers.map(|worker| worker.join().expect("no panic").expect("it is the end"));
        assert_eq!(done.iter().sum::<u64>(), 1000);
    });
}

/// Items and results whose code panics: the pipeline fails, and the farm goes on.
#[test]
fn payloads_that_panic() {
    watched(|| {
        for (trap, by_item) in [
            (Trap::PanicsInSerialize, true),
            (Trap::FailsInSerialize, true),
            (Trap::PanicsInDeserialize, true),
            (Trap::FailsInDeserialize, true),
            (Trap::PanicsInSerialize, false),
            (Trap::FailsInSerialize, false),
            (Trap::PanicsInDeserialize, false),
            (Trap::FailsInDeserialize, false),
        ] {
            let via = pipes_remote::memory();
            let farm: Workers<Trap, Trap> = Workers::listen(&via).expect("it is free");
            let working = thread::spawn(move || {
                worker(&via, 2, move |item: Trap| match item {
                    Trap::Harmless(7) if !by_item => trap,
                    item => item,
                })
            });
            let item = move |number| if number == 7 && by_item { trap } else { Trap::Harmless(number) };
            let failure = from_iter(0..20).remote(&farm, item).named("parse").collect();
            let failure = failure.expect_err("number 7 is bad");
            if (by_item, trap) == (true, Trap::PanicsInSerialize) {
                assert_eq!(failure.panic_message(), Some("the payload cannot be written"));
            } else if (by_item, trap) == (true, Trap::FailsInSerialize) {
                assert!(matches!(error(&failure), FarmError::Unencodable { item: 7, .. }), "{failure}");
            } else {
                let FarmError::Lost { item: 7, tries: 3, cause: Cause::Fault(_) } = error(&failure) else {
                    panic!("{trap:?} {by_item}: {failure}");
                };
            }
            // Four sessions, three of which are lost at most.
            let results = from_iter(20..40).remote(&farm, Trap::Harmless).in_order().collect();
            assert!(results.expect("one session is left").into_iter().eq((20..40).map(Trap::Harmless)));
            assert!(farm.finish(LONG));
            working.join().expect("no panic").expect("it is the end");
        }
    });
}

/// Workers that do not wait for the farm's answer learn the same.
#[test]
fn eager_workers() {
    watched(|| {
        let via = pipes_remote::memory();
        let here = via.clone().admit(|_| false);
        let strict: Workers<u64, String> = Workers::listen(&here).expect("it is free");
        let refused = worker(&via.clone().eager(), 1, words);
        let Err(WorkerError::Connect(error)) = refused else { panic!("{refused:?}") };
        assert!(error.to_string().contains("not admitted"), "{error}");
        drop(strict);
    });
    watched(|| {
        let (via, farm) = farm();
        let working = thread::spawn(move || worker(&via.eager(), 2, words));
        let results = from_iter(0..1000).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..1000).map(words)));
        assert!(farm.finish(LONG));
        assert_eq!(working.join().expect("no panic").expect("it is the end"), 1000);
    });
}

/// Many workers that come at once, and leave after one item each.
#[test]
fn a_crowd_of_workers() {
    watched(|| {
        let (via, farm) = farm();
        // A worker that leaves may be sent one more item.
        let farm = farm.tries(400);
        let results = from_iter(0..400).remote(&farm, |number| number).in_order().into_iter();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut all = tokio::task::JoinSet::new();
            for _ in 0..400 {
                let via = via.clone();
                all.spawn(async move {
                    let session: work::Client<work::Idle<u64, String>> =
                        work::connect_async(&via).await.expect("it listens");
                    let Ok(work::Idle::Item(item, busy)) = session.await else { panic!("there are items") };
                    drop(busy.done(words(item.into_inner())).expect("the farm waits for it"));
                });
            }
            let results = tokio::task::spawn_blocking(move || {
                assert!(results.map(|it| it.expect("there are workers")).eq((0..400).map(words)));
                assert!(farm.finish(LONG));
            });
            while let Some(done) = all.join_next().await {
                done.expect("no panic");
            }
            results.await.expect("no panic");
        });
    });
}

/// Not all items of a long stage are there at a time, if nothing is said of a window either.
#[test]
fn no_more_items_than_the_window() {
    for (window, items) in [(Some(1), 300), (Some(10), 1000), (None, 2000)] {
        watched(move || {
            let (via, farm) = farm();
            let source = pipes_tests::Tally::new();
            let (maker, looks) = (source.clone(), source.clone());
            let working = start(&via, 2);
            joined(&farm, 4);
            let mut stage = from_iter((0..items).map(move |number| maker.make(number)));
            if let Some(window) = window {
                stage = stage.window(window);
            }
            // Without another one, it is 256.
            let most = window.unwrap_or(256) + 1;
            let mut results = stage.remote(&farm, |item| item.number).in_order().into_iter();
            for number in 0..items {
                assert_eq!(results.next().expect("there are more").expect("it goes on"), words(number));
                assert!(looks.made() <= number as usize + 1 + most, "{} at {number}", looks.made());
            }
            assert!(results.next().is_none());
            source.assert_all_gone();
            assert!(farm.finish(LONG));
            working.join().expect("no panic").expect("it is the end");
        });
    }
}

/// One farm after the other at one address, of other types: when one is finished, its address is free.
fn one_after_the_other<E: Engine>(via: &Via<E>) {
    for round in 0..10 {
        let farm: Workers<u64, String> = Workers::listen(via).expect("it is free");
        let there = via.clone();
        let working = thread::spawn(move || worker(&there, 1, words));
        let results = from_iter(0..10).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..10).map(words)), "{round}");
        assert!(farm.finish(LONG));
        working.join().expect("no panic").expect("it is the end");

        let farm: Workers<String, usize> = Workers::listen(via).expect("it is free");
        let there = via.clone();
        let working = thread::spawn(move || worker(&there, 1, |text: String| text.len()));
        let results = from_iter(0..10).remote(&farm, |length| "x".repeat(length)).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq(0..10), "{round}");
        assert!(farm.finish(LONG));
        working.join().expect("no panic").expect("it is the end");
    }
}

#[test]
fn one_farm_after_the_other() {
    watched(|| one_after_the_other(&pipes_remote::memory()));
    watched(|| one_after_the_other(&pipes_remote::tcp_free_port().expect("there is a free port")));
}

/// A farm at a service's address beside it, and a second farm there, which has no place.
#[test]
fn two_farms_at_one_address() {
    watched(|| {
        let (via, farm) = farm();
        let second = Workers::<String, usize>::listen(&via);
        assert!(matches!(second, Err(ListenError::Taken { .. })), "{second:?}");
        let working = start(&via, 1);
        let results = from_iter(0..10).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..10).map(words)));
        assert!(farm.finish(LONG));
        working.join().expect("no panic").expect("it is the end");
    });
}

/// A farm that is dropped leaves its address to the next one, as a listener does.
#[test]
fn a_farm_after_one_that_was_dropped() {
    watched(|| {
        let via = pipes_remote::memory();
        for round in 0..50 {
            let farm: Workers<u64, String> =
                Workers::listen(&via).unwrap_or_else(|error| panic!("{round}: {error}"));
            let there = via.clone();
            let working = (round % 2 == 0).then(|| thread::spawn(move || worker(&there, 1, words)));
            if working.is_some() {
                joined(&farm, 3);
            }
            drop(farm);
            let next: Workers<u64, String> =
                Workers::listen(&via).unwrap_or_else(|error| panic!("{round}: {error}"));
            drop(next);
            if let Some(working) = working {
                assert_eq!(working.join().expect("no panic").expect("it is the end"), 0);
            }
        }
    });
}
