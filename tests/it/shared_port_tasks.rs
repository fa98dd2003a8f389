//! Random tasks that share the receivers of one channel. Their wakers poll tasks, drop them and receive,
//! inside of the wake-up. When no task was woken, none waits for what is there.

use futures::future::select;
use futures::{FutureExt, StreamExt};
use pipes::SharedPort;
use pipes_tests::table::flavor::{Flavor, LimitedSender};
use pipes_tests::table::flavors::{
    ManyReceivers, ManyReceiversBounded, OneSenderManyReceivers, OneSenderManyReceiversBounded,
};
use pipes_tests::{Counted, DropCounter, Rng, effort, watched};
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Wake};
use std::thread;

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A place for a task, and whether it was woken since its last poll.
#[derive(Default)]
struct Place {
    task: Mutex<Option<Task>>,
    is_woken: AtomicBool,
}

/// All that the wakers can reach.
struct World {
    places: [Place; 5],
    /// A receiver from which others are cloned.
    port: Mutex<SharedPort<Counted>>,
    /// How many messages were received.
    received: AtomicU64,
    /// The depth of polls.
    depth: AtomicUsize,
}

thread_local! {
    static RANDOM: RefCell<Rng> = const { RefCell::new(Rng::with_seed(0)) };
}

fn below(limit: usize) -> usize {
    RANDOM.with_borrow_mut(|random| random.usize(..limit))
}

/// Wakes the task of this place, and acts.
struct Waking(Weak<World>, usize);

impl Wake for Waking {
    fn wake(self: Arc<Self>) {
        let Some(world) = self.0.upgrade() else { return };
        world.places[self.1].is_woken.store(true, Ordering::SeqCst);
        match below(12) {
            0..3 => world.poll(self.1),
            3..6 => world.act(),
            _ => {}
        }
    }
}

impl Drop for Waking {
    fn drop(&mut self) {
        if let Some(world) = self.0.upgrade().filter(|_| below(8) == 0) {
            world.act();
        }
    }
}

impl World {
    fn port(&self) -> SharedPort<Counted> {
        self.port.lock().expect("not poisoned").clone()
    }

    /// Does something at random: polls or drops a task, or receives without one.
    fn act(self: &Arc<Self>) {
        let any = below(self.places.len());
        match below(4) {
            0 | 1 => self.poll(any),
            2 => {
                let task = self.places[any].task.try_lock().map_or(None, |mut task| task.take());
                drop(task);
            }
            _ => {
                let found = self.port().recv_async().now_or_never();
                self.received.fetch_add(found.map_or(0, |found| found.is_ok().into()), Ordering::SeqCst);
            }
        }
    }

    fn poll(self: &Arc<Self>, index: usize) {
        let place = &self.places[index];
        let Ok(mut task) = place.task.try_lock() else { return };
        let Some(polled) = task.as_mut().filter(|_| self.depth.load(Ordering::SeqCst) < 6) else { return };
        place.is_woken.store(false, Ordering::SeqCst);
        self.depth.fetch_add(1, Ordering::SeqCst);
        let waker = Arc::new(Waking(Arc::downgrade(self), index)).into();
        let is_over = polled.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        let over = if is_over { task.take() } else { None };
        drop(task);
        drop((over, waker));
        self.depth.fetch_sub(1, Ordering::SeqCst);
    }

    /// Starts a task that receives in one of several ways.
    fn start(self: &Arc<Self>) {
        let (mut port, world, way, most) = (self.port(), self.clone(), below(3), below(8));
        let task = Box::pin(async move {
            let other = port.clone();
            for _ in 0..most {
                let found = match way {
                    0 => port.recv_async().await.ok(),
                    1 => port.next().await,
                    _ => select(port.recv_async(), other.recv_async()).await.factor_first().0.ok(),
                };
                if found.is_none() {
                    return;
                }
                world.received.fetch_add(1, Ordering::SeqCst);
            }
        });
        let place = &self.places[below(self.places.len())];
        let Ok(mut there) = place.task.try_lock() else { return };
        if there.is_none() {
            *there = Some(task);
            place.is_woken.store(true, Ordering::SeqCst);
        }
    }

    /// Mostly does what an executor does.
    fn step(self: &Arc<Self>) {
        match below(10) {
            0 => self.act(),
            1..4 => self.start(),
            _ => {
                let is_woken = |index: &usize| self.places[*index].is_woken.load(Ordering::SeqCst);
                (0..self.places.len()).find(is_woken).into_iter().for_each(|index| self.poll(index));
            }
        }
    }

    /// If no task was woken, then none may wait for what is there. Returns `true` if there is nothing left.
    fn is_over(&self) -> bool {
        let is_there = |place: &&Place| place.task.lock().expect("not poisoned").is_some();
        let tasks: Vec<_> = self.places.iter().filter(is_there).collect();
        if tasks.iter().any(|place| place.is_woken.load(Ordering::SeqCst)) {
            return false;
        }
        let port = self.port();
        assert!(!port.is_ready() || tasks.is_empty(), "tasks sleep, and a message is here");
        assert!(!port.is_closed() || tasks.is_empty(), "tasks sleep, and this is the end");
        port.is_closed()
    }
}

fn run<F: Flavor<Sender: LimitedSender, Receiver = SharedPort<Counted>>>(seed: u64, threads: u64) {
    let (drops, mut sent) = (DropCounter::new(), 0);
    RANDOM.set(Rng::with_seed(seed));
    let count = below(60);
    let (mut sender, port) = F::channel();
    let world = Arc::new(World {
        places: Default::default(),
        port: Mutex::new(port),
        received: AtomicU64::new(0),
        depth: AtomicUsize::new(0),
    });
    thread::scope(|scope| {
        for thread in 0..threads {
            let world = &world;
            scope.spawn(move || {
                RANDOM.set(Rng::with_seed(seed << 8 | thread));
                (0..20 * count).for_each(|_| world.step());
            });
        }
        for _ in 0..count {
            world.step();
            sent += u64::from(sender.try_send(drops.make(0)).is_ok());
        }
    });
    drop(sender);
    while !world.is_over() {
        world.step();
    }
    assert_eq!(world.received.load(Ordering::SeqCst), sent, "seed {seed}");
    drop(world);
    drops.assert_all_dropped();
}

fn run_all(worlds: usize, threads: u64) {
    watched(move || {
        for seed in 0..effort(worlds) as u64 {
            run::<ManyReceivers>(seed, threads);
            run::<ManyReceiversBounded<2>>(seed, threads);
            run::<ManyReceiversBounded<0>>(seed, threads);
            run::<OneSenderManyReceivers>(seed, threads);
            run::<OneSenderManyReceiversBounded<1>>(seed, threads);
            run::<OneSenderManyReceiversBounded<0>>(seed, threads);
        }
    });
}

#[test]
fn wakers_that_act() {
    run_all(500, 0);
}

#[test]
fn wakers_that_act_in_several_threads() {
    run_all(50, 2);
}
