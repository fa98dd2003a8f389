//! Random worlds of tasks that receive from one queue in every way. Their wakers poll, drop and send by
//! themselves, inside the wake-up. When all is quiet, nothing waits for what is there.

use futures::future::select;
use futures::{FutureExt, StreamExt};
use pipes::{Chan, Port, SharedChan, SharedPort, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::{Counted, Random, Tally, watched};
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake};
use std::thread;
use std::time::Duration;

const WORLDS: u64 = if cfg!(miri) { 8 } else { 3000 };
/// The number of places for tasks.
const PLACES: usize = 6;

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A place for a task, and whether it was woken since its last poll.
#[derive(Default)]
struct Place {
    task: Mutex<Option<Task>>,
    is_woken: AtomicBool,
    /// Whether it is a task that sends.
    sends: AtomicBool,
}

/// All that the wakers can reach.
struct World {
    places: [Place; PLACES],
    /// A receiver from which others are cloned.
    port: Mutex<Option<SharedPort<Counted>>>,
    received: Mutex<Vec<u64>>,
    /// The depth of polls.
    depth: AtomicUsize,
    /// Whether wakers panic now and then.
    panics: bool,
}

thread_local! {
    static RANDOM: RefCell<Random> = RefCell::new(Random::new(0));
}

struct Rings(Weak<World>, usize);

impl Wake for Rings {
    fn wake(self: Arc<Self>) {
        let Some(world) = self.0.upgrade() else { return };
        world.places[self.1].is_woken.store(true, Ordering::SeqCst);
        world.acts(self.1);
    }
}

impl Drop for Rings {
    /// The destructor of a waker acts as well.
    fn drop(&mut self) {
        let Some(world) = self.0.upgrade() else { return };
        if !world.panics && world.below(4) == 0 {
            world.acts(self.1);
        }
    }
}

/// Runs this; returns its panic.
fn caught<T>(action: impl FnOnce() -> T) -> thread::Result<T> {
    catch_unwind(AssertUnwindSafe(action))
}

impl World {
    fn below(&self, limit: u64) -> u64 {
        RANDOM.with_borrow_mut(|random| random.below(limit))
    }

    fn receives(&self, message: Counted) {
        let mut received = self.received.lock().expect("no panic");
        received.push(message.number);
    }

    /// What a waker does: it polls a task, its own or another one, or drops one, or receives.
    fn acts(self: &Arc<Self>, index: usize) {
        if self.panics && self.below(12) == 0 {
            resume_unwind(Box::new("on purpose"));
        }
        if self.depth.load(Ordering::SeqCst) > 6 {
            return;
        }
        match self.below(12) {
            0..3 => self.polls(index),
            3 => self.polls(self.below(PLACES as u64) as usize),
            4 => self.drops(self.below(PLACES as u64) as usize),
            5 => self.looks(),
            _ => {}
        }
    }

    fn another(&self) -> Option<SharedPort<Counted>> {
        self.port.try_lock().ok()?.clone()
    }

    fn looks(&self) {
        let Some(mut port) = self.another() else { return };
        let looked = match self.below(3) {
            0 => port.try_recv().ok(),
            1 => port.recv_timeout(Duration::ZERO).ok(),
            // It leaves with its place in the line.
            _ => port.next().now_or_never().flatten(),
        };
        looked.into_iter().for_each(|message| self.receives(message));
    }

    fn polls(self: &Arc<Self>, index: usize) {
        let place = &self.places[index];
        let Ok(mut task) = place.task.try_lock() else { return };
        if task.is_none() {
            return;
        }
        place.is_woken.store(false, Ordering::SeqCst);
        self.depth.fetch_add(1, Ordering::SeqCst);
        let waker = Arc::new(Rings(Arc::downgrade(self), index)).into();
        let panic = caught(|| {
            // A task whose poll panics is dropped as well.
            let poll = |polled: &mut Task| polled.as_mut().poll(&mut Context::from_waker(&waker));
            let is_over = caught(|| task.as_mut().is_none_or(|task| poll(task).is_ready()));
            if !matches!(is_over, Ok(false)) {
                *task = None;
            }
            if let Err(panic) = is_over {
                resume_unwind(panic);
            }
        });
        drop(task);
        drop(waker);
        self.depth.fetch_sub(1, Ordering::SeqCst);
        if let Err(panic) = panic {
            resume_unwind(panic);
        }
    }

    fn drops(&self, index: usize) {
        let place = &self.places[index];
        if place.sends.load(Ordering::SeqCst) {
            return;
        }
        let Ok(mut task) = place.task.try_lock() else { return };
        let dropped = task.take();
        place.is_woken.store(false, Ordering::SeqCst);
        drop(task);
        drop(dropped);
    }

    /// Starts a task that receives.
    fn starts(self: &Arc<Self>) {
        let Some(place) = self.places.iter().find(|place| {
            place.task.try_lock().is_ok_and(|task| task.is_none()) && !place.sends.load(Ordering::SeqCst)
        }) else {
            return;
        };
        let Some(mut port) = self.another() else { return };
        let (world, count) = (self.clone(), self.below(4) as usize);
        let task: Task = match self.below(5) {
            0 => Box::pin(async move {
                while let Ok(message) = port.recv_async().await {
                    world.receives(message);
                }
            }),
            1 => Box::pin(async move {
                while let Some(message) = port.next().await {
                    world.receives(message);
                }
            }),
            2 => Box::pin(async move {
                let mut other = port.clone();
                loop {
                    let (heard, _) = select(port.recv_async(), other.recv_async()).await.factor_first();
                    let Ok(message) = heard else { return };
                    world.receives(message);
                }
            }),
            // It leaves after a few messages.
            3 => Box::pin(async move {
                for _ in 0..count {
                    let Some(message) = port.next().await else { return };
                    world.receives(message);
                }
            }),
            // It changes its way to wait with each poll.
            _ => Box::pin(poll_fn(move |cx| {
                loop {
                    // A receive that was dropped has left the line.
                    let received = match world.below(3) {
                        0 => None,
                        1 => port.try_recv().ok().map(Some),
                        _ => match Pin::new(&mut port.recv_async()).poll(cx) {
                            Poll::Ready(heard) => Some(heard.ok()),
                            Poll::Pending => None,
                        },
                    };
                    let polled = match received {
                        Some(heard) => Poll::Ready(heard),
                        None => port.poll_next_unpin(cx),
                    };
                    match polled {
                        Poll::Ready(Some(message)) => world.receives(message),
                        Poll::Ready(None) => return Poll::Ready(()),
                        Poll::Pending => return Poll::Pending,
                    }
                }
            })),
        };
        // Another thread may have been faster.
        let Ok(mut there) = place.task.try_lock() else { return };
        if there.is_none() {
            *there = Some(task);
            place.is_woken.store(true, Ordering::SeqCst);
        }
    }

    /// Does something at random, mostly what an executor does.
    fn goes_on(self: &Arc<Self>) {
        let panic = caught(|| self.steps()).err();
        assert!(self.panics || panic.is_none(), "no waker panics");
    }

    fn steps(self: &Arc<Self>) {
        let any = self.below(PLACES as u64) as usize;
        match self.below(40) {
            0..10 => self.starts(),
            10..15 => self.polls(any),
            15 | 16 => self.drops(any),
            17 => self.looks(),
            _ => {
                let woken = |index: &usize| self.places[*index].is_woken.load(Ordering::SeqCst);
                let next = (any..PLACES).chain(0..any).find(woken);
                next.into_iter().for_each(|index| self.polls(index));
            }
        }
    }
}

impl World {
    /// No task was woken, so no task may wait for what is there.
    fn is_quiet(&self, capacity: Option<usize>) -> bool {
        let is_there = |place: &&Place| place.task.lock().expect("no panic").is_some();
        let mut there = self.places.iter().filter(is_there);
        if there.any(|place| place.is_woken.load(Ordering::SeqCst)) {
            return false;
        }
        let sends = |place: &Place| place.sends.load(Ordering::SeqCst);
        let receivers = self.places.iter().filter(is_there).filter(|place| !sends(place)).count();
        let senders = self.places.iter().filter(is_there).filter(|place| sends(place)).count();
        let probe = self.another().expect("it is here");
        assert!(!probe.is_ready() || receivers == 0, "{receivers} receivers sleep, and a message is here");
        assert!(!probe.is_closed() || receivers == 0, "{receivers} receivers sleep, and this is the end");
        assert!(
            probe.is_ready() || senders == 0 || capacity == Some(0),
            "{senders} senders sleep, and nothing is unread"
        );
        true
    }
}

/// A task that sends these messages.
fn sends_alone(mut chan: Chan<Counted>, messages: Vec<Counted>) -> Task {
    Box::pin(async move {
        for message in messages {
            assert!(chan.send_async(message).await.is_ok(), "there is a receiver");
        }
    })
}

fn sends_with_others(chan: SharedChan<Counted>, messages: Vec<Counted>) -> Task {
    Box::pin(async move {
        for message in messages {
            assert!(chan.send_async(message).await.is_ok(), "there is a receiver");
        }
    })
}

fn runs(seed: u64, threads: u64, panics: bool) {
    let (mut random, tally) = (Random::new(seed), Tally::new());
    let count = 1 + random.below(40);
    let made = |first: u64| (first..first + count).map(|number| tally.make(number)).collect::<Vec<_>>();
    let capacity = 1 + random.below(3) as usize;
    let both = |(chan, port): (SharedChan<Counted>, Port<Counted>), first, second| {
        (vec![sends_with_others(chan.clone(), first), sends_with_others(chan, second)], port)
    };
    let alone = |(chan, port): (Chan<Counted>, Port<Counted>), first| (vec![sends_alone(chan, first)], port);
    let (senders, port) = match seed % 5 {
        0 => alone(stream(), made(0)),
        1 => alone(sync_stream(0), made(0)),
        2 => alone(sync_stream(capacity), made(0)),
        3 => both(shared_stream(), made(0), made(count)),
        _ => both(shared_sync_stream(capacity), made(0), made(count)),
    };
    let (sent, capacity) = (count * senders.len() as u64, port.capacity());
    RANDOM.set(random);
    let world = Arc::new(World {
        places: Default::default(),
        port: Mutex::new(Some(port.into_shared())),
        received: Mutex::default(),
        depth: AtomicUsize::new(0),
        panics,
    });
    for (place, sender) in world.places.iter().zip(senders) {
        *place.task.lock().expect("no panic") = Some(sender);
        place.sends.store(true, Ordering::SeqCst);
        place.is_woken.store(true, Ordering::SeqCst);
    }
    thread::scope(|scope| {
        for thread in 0..threads {
            let world = &world;
            scope.spawn(move || {
                RANDOM.set(Random::new(seed << 8 | thread));
                (0..20 * count).for_each(|_| world.goes_on());
            });
        }
    });
    loop {
        world.goes_on();
        let is_over = world.another().is_some_and(|probe| probe.is_closed());
        if world.is_quiet(capacity) && is_over {
            break;
        }
    }
    let mut received = std::mem::take(&mut *world.received.lock().expect("no panic"));
    received.sort_unstable();
    assert!(received.is_sorted_by(|one, next| one < next), "no message twice");
    assert!(panics || received.len() as u64 == sent, "each message");
    world.port.lock().expect("no panic").take();
    assert!(world.places.iter().all(|place| place.task.lock().expect("no panic").is_none()));
    drop(world);
    tally.assert_all_gone();
}

fn run_all(worlds: u64, threads: u64, panics: bool) {
    watched(move || {
        for seed in 0..worlds {
            let ran = caught(|| runs(seed, threads, panics));
            if let Err(panic) = ran {
                eprintln!("the seed is {seed}");
                resume_unwind(panic);
            }
        }
    });
}

#[test]
fn wakers_that_act() {
    run_all(WORLDS, 0, false);
}

#[test]
fn wakers_that_act_in_several_threads() {
    run_all(WORLDS / 10, 3, false);
}

#[test]
fn wakers_that_act_and_panic() {
    run_all(WORLDS, 0, true);
    run_all(WORLDS / 20, 2, true);
}
