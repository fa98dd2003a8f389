//! Pipelines that are cancelled and dropped at each moment, and what is dropped with them.

use crate::counts::joined;
use crate::{LONG, farm, start, words};
use pipes_remote::farm::{Remote, Workers, worker};
use pipes_remote_tests::numbers;
use pipes_skeleton::{Cancel, from_iter};
use pipes_tests::{Random, caught, spin_while, watched};
use serde::{Deserialize, Serialize, Serializer};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Pipelines that end after any number of results, in any way, one after the other and side by side, with the
/// same workers. Each has its own results, and at the end all workers are there.
#[test]
fn pipelines_that_end_at_each_moment() {
    watched(|| {
        let (via, farm) = farm();
        let working = [start(&via, 2), start(&via, 1)];
        joined(&farm, 7);
        let mut random = Random::new(7);
        for round in 0..150 {
            let cancel = Cancel::new();
            let window = 1 + random.below(20) as usize;
            let (begin, taken) = (round * 1000, random.below(30));
            let items = from_iter(begin..begin + 30).window(window).remote(&farm, |number| number);
            let mut results = items.in_order().cancelled_by(&cancel).into_iter();
            for number in begin..begin + taken {
                let result = results.next().expect("there are more").expect("no worker is lost");
                assert_eq!(result, words(number));
            }
            match random.below(3) {
                0 => cancel.cancel(),
                1 => {
                    let other = from_iter(begin..begin + 5).remote(&farm, |number| number).in_order();
                    drop(results);
                    let other = other.collect().expect("no worker is lost");
                    assert!(other.into_iter().eq((begin..begin + 5).map(words)));
                }
                _ => assert!(
                    results.map(|it| it.expect("it goes on")).eq((begin + taken..begin + 30).map(words))
                ),
            }
        }
        let results = from_iter(0..100).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there are workers").into_iter().eq((0..100).map(words)));
        assert!(farm.finish(LONG));
        for worker in working {
            worker.join().expect("no panic").expect("it is the end");
        }
    });
}

/// The number of the bad one.
const BAD: u64 = 13;

static MADE: AtomicUsize = AtomicUsize::new(0);
static GONE: AtomicUsize = AtomicUsize::new(0);

/// A result that is counted where it arrives, and that panics there when it goes, if it is the bad one.
#[derive(Deserialize)]
#[serde(from = "u64")]
struct Sour {
    number: u64,
    has_arrived: bool,
}

impl From<u64> for Sour {
    fn from(number: u64) -> Self {
        MADE.fetch_add(1, Ordering::Relaxed);
        Sour { number, has_arrived: true }
    }
}

impl Serialize for Sour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number.serialize(serializer)
    }
}

impl Drop for Sour {
    fn drop(&mut self) {
        if self.has_arrived {
            GONE.fetch_add(1, Ordering::Relaxed);
            assert!(self.number != BAD, "the result does not want to go");
        }
    }
}

/// A result that panics when it goes, in pipelines that are dropped at each moment: the farm goes on, and all
/// results go.
#[test]
fn a_result_that_panics_when_it_goes() {
    watched(|| {
        let via = pipes_remote::memory();
        let farm: Workers<u64, Sour> = Workers::listen(&via).expect("it is free");
        let working =
            thread::spawn(move || worker(&via, 3, |number: u64| Sour { number, has_arrived: false }));
        for taken in 0..40 {
            let results = from_iter(0..60).window(16).remote(&farm, |number| number);
            let mut results = results.into_iter();
            for _ in 0..taken {
                let result = results.next().expect("there are more").expect("no worker is lost");
                let _ = caught(|| drop(result));
            }
            let _ = caught(|| drop(results));
        }
        let results = from_iter(100..200).remote(&farm, |number| number).in_order().collect();
        let results = results.expect("there is a worker");
        assert!(results.iter().map(|result| result.number).eq(100..200));
        drop(results);
        assert!(farm.finish(LONG));
        let _ = working.join().expect("no panic");
        spin_while(|| MADE.load(Ordering::Relaxed) != GONE.load(Ordering::Relaxed));
    });
}

/// A worker whose session the farm has left, and whose place another client of this peer has taken, asks
/// again until it is free.
#[test]
fn a_worker_whose_place_is_taken_asks_again() {
    watched(|| {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = asked.clone();
        let via = pipes_remote::memory().sessions(1).admit(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            true
        });
        let farm: Workers<u64, u64> = Workers::listen(&via).expect("it is free");
        let farm = farm.timeout(Duration::from_millis(50)).tries(1000);
        // The limit is that of all protocols together.
        let listener = numbers::listen(&via).expect("it is another protocol");
        let (took, mut taken) = pipes::stream();
        let (mut go, goes) = pipes::stream::<()>();
        let (goes, there) = (goes.into_shared(), via.clone());
        let working = thread::spawn(move || {
            let took = Mutex::new(took);
            worker(&there, 1, move |number: u64| {
                took.lock().expect("no panic").send(number).expect("the test goes on");
                let _ = goes.clone().recv();
                number
            })
        });
        let mut results = from_iter(0..1).remote(&farm, |number| number).into_iter();
        assert_eq!(taken.recv(), Ok(0));
        // The item takes too long, so the farm leaves the session.
        let other = loop {
            match numbers::connect(&via) {
                Ok(client) => break client,
                Err(_) => thread::yield_now(),
            }
        };
        let before = asked.load(Ordering::SeqCst);
        go.send(()).expect("the worker waits for it");
        // It is refused, and asks again.
        spin_while(|| asked.load(Ordering::SeqCst) < before + 2 && !working.is_finished());
        assert!(!working.is_finished(), "there is a farm");
        drop((other, listener, go));
        assert_eq!(results.next().expect("there is an item").expect("it is done"), 0);
        assert!(farm.finish(LONG));
        working.join().expect("no panic").expect("it is the end");
    });
}
