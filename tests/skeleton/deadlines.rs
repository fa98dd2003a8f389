//! Stages that sleep until a moment: deadlines of gathering stages, ages of batches, paces. They see each
//! change and each end.

use pipes::{Chan, stream};
use pipes_skeleton::{Batching, Gather, Pace, Pipeline, Processed, filter, from_iter, from_port};
use pipes_tests::{Rng, effort, spawn, spin, test_in, watched};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::thread::yield_now;
use std::time::{Duration, Instant};

const WINDOW: u64 = 16;

/// Takes one item, with a deadline that has passed at once. It begins when the window is full of items that
/// come to nothing. It emits how many items have left the source when it is woken.
struct Due {
    taken: Option<Instant>,
    pulled: Arc<AtomicU64>,
    dropped: Arc<AtomicU64>,
}

impl Gather<u64> for Due {
    type Out = u64;

    fn take(&mut self, _: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        while self.dropped.load(SeqCst) < WINDOW {
            yield_now();
        }
        self.taken = Some(Instant::now());
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        self.taken
    }

    fn wake(&mut self, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.taken = None;
        // If it had given back places, the source would fill them meanwhile.
        (0..1000).for_each(|_| yield_now());
        emit(self.pulled.load(SeqCst))
    }
}

/// Behind a farm that lets only the first item through, a stage is woken at its deadline, however busy the
/// farm is. The source ends only after that. Where the order is restored, the stage gives back the places of
/// dropped items, and looks at the clock after each of them.
#[test_in(watched)]
fn a_deadline_behind_a_busy_farm() {
    for in_order in [false, true, false, true] {
        let (pulled, dropped) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let due = Due { taken: None, pulled: pulled.clone(), dropped: dropped.clone() };
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = is_over.clone();
        let numbers = (0_u64..).inspect(move |_| _ = pulled.fetch_add(1, SeqCst));
        let source =
            from_iter(numbers.take_while(move |_| !ends.load(SeqCst))).in_flight(2 * WINDOW as usize);
        let farm = source.parallel_with(2, |_| {
            let dropped = dropped.clone();
            filter(move |n: &u64| {
                dropped.fetch_add(1, SeqCst);
                *n == 0
            })
        });
        let farm = if in_order { farm.in_order() } else { farm };
        let mut woken = Vec::new();
        let done = farm.gather(due).for_each(|pulled| {
            woken.push(pulled);
            is_over.store(true, SeqCst);
        });
        done.expect("no stage fails");
        assert_eq!(woken.len(), 1);
        assert!(!in_order || woken[0] <= WINDOW + WINDOW / 4, "it was woken after {woken:?} items");
    }
}

/// Adds items, and emits the sum at a deadline that is set from outside.
struct Sum {
    all: u64,
    moment: Arc<Mutex<Option<Instant>>>,
    watcher: Arc<Mutex<Option<Waker>>>,
    /// Signals that it waits with an item.
    waits: Mutex<Chan<()>>,
}

impl Gather<u64> for Sum {
    type Out = u64;

    fn take(&mut self, item: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        self.all += item;
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        *self.moment.lock().expect("not poisoned")
    }

    fn register(&mut self, waker: &Waker) {
        *self.watcher.lock().expect("not poisoned") = Some(waker.clone());
        if self.all > 0 {
            let _ = self.waits.lock().expect("not poisoned").send(());
        }
    }

    fn wake(&mut self, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
        *self.moment.lock().expect("not poisoned") = None;
        emit(std::mem::take(&mut self.all))
    }
}

/// A deadline is moved while its stage sleeps. The stage sees it when the waker that it registered is woken.
#[test_in(watched)]
fn a_deadline_that_is_moved() {
    for first in [None, Some(Instant::now() + Duration::from_secs(3600))] {
        let ((waits, mut is_waiting), (mut chan, port)) = (stream(), stream());
        let moment = Arc::new(Mutex::new(first));
        let watcher = Arc::new(Mutex::new(None::<Waker>));
        let sum = Sum { all: 0, moment: moment.clone(), watcher: watcher.clone(), waits: Mutex::new(waits) };
        let (mut sums, running) = from_port(port).gather(sum).into_port();
        chan.send(7).expect("the pipeline runs");
        is_waiting.recv().expect("it registers before it waits");
        // It falls asleep meanwhile, most probably.
        (0..1000).for_each(|_| yield_now());
        *moment.lock().expect("not poisoned") = Some(Instant::now());
        watcher.lock().expect("not poisoned").take().expect("it waits").wake();
        assert_eq!(sums.recv(), Ok(7));
        drop((chan, running));
    }
}

/// Other threads change a pace again and again, to any value, while stages sleep by it. The last value holds.
#[test_in(watched)]
fn paces_that_change_again_and_again() {
    fn any_rate(random: &mut Rng) -> f64 {
        [0.0, 0.0, f64::MIN_POSITIVE / 4.0, 1e-300, 1e-3, 1.0, 1e6, 1e300, f64::MAX][random.usize(..9)]
    }
    for seed in 0..effort(20) as u64 {
        let pace = Pace::new(any_rate(&mut Rng::with_seed(seed))).expect("it is possible");
        let changes = pace.clone();
        let changing = spawn(move || {
            let mut random = Rng::with_seed(seed + 1000);
            for _ in 0..200 {
                changes.set(any_rate(&mut random)).expect("it is possible");
                spin(random.u64(..20_000));
            }
            changes.set(1e9).expect("it is possible");
        });
        let items = from_iter(0..300_u64).in_flight(8).parallel(2, |n| n).paced(&pace);
        assert_eq!(items.paced(&pace).collect().expect("no stage fails").len(), 300);
        changing.join().expect("it does not panic");
    }
}

/// Sizes and ages of batches change again and again. With the last setting of each round no item is kept
/// back, although none follows.
#[test_in(watched)]
fn batches_that_change_again_and_again() {
    fn batched(items: Pipeline<u64>, batching: &Batching) -> Pipeline<u64> {
        items.batched(batching).sequential(|batch| batch.into_iter().sum())
    }
    for seed in 0..effort(20) as u64 {
        let (batching, (mut chan, port)) = (Batching::of(3), stream());
        let items = from_port(port).in_flight(12).parallel(2, |n| n).in_order();
        let items = batched(batched(items, &batching), &batching);
        let (mut sums, running) = items.into_port();
        let mut random = Rng::with_seed(seed + 7);
        for _ in 0..30 {
            let count = random.u64(..9);
            (0..count).for_each(|_| chan.send(1).expect("it runs"));
            for _ in 0..random.u64(..6) {
                let sizes = [1, 2, 5, 100, usize::MAX];
                batching.set_size(sizes[random.usize(..5)]).expect("it is possible");
                let ages = [None, Some(Duration::MAX), Some(Duration::from_micros(30)), Some(Duration::ZERO)];
                batching.set_age(ages[random.usize(..4)]);
                spin(random.u64(..3_000));
            }
            if random.bool() {
                batching.set_age(None);
                batching.set_size(1).expect("it is possible");
            } else {
                batching.set_size(usize::MAX).expect("it is possible");
                batching.set_age(Some(Duration::from_nanos(random.u64(..50_000))));
            }
            let mut came = 0;
            while came < count {
                came += sums.recv().expect("it runs");
            }
            assert_eq!(came, count);
        }
        drop((chan, sums));
        running.join().expect("no stage fails");
    }
}
