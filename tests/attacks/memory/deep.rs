//! Nesting as deep as the user likes, which would need a stack as deep: the overflow of a thread's stack ends
//! the process.
//!
//! Wakers that poll their task at once, inside the call that wakes it, as the simplest executor does. At the
//! end of a stream they must not be woken one inside the other.
//!
//! And 150 farms in a row, for which a `Pipeline` promises to have room.

use pipes::{SharedPort, stream};
use pipes_skeleton::{Pipeline, from_iter};
use pipes_tests::{apart, watched};
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Wake};

thread_local! {
    /// How many wakers are being called, one inside the other, now and at most.
    static DEPTH: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A task that is polled inside the call that wakes it.
struct Task(Mutex<Option<Job>>);

impl Task {
    fn start(job: impl Future<Output = ()> + Send + 'static) {
        Arc::new(Task(Mutex::new(Some(Box::pin(job))))).poll();
    }

    fn poll(self: Arc<Self>) {
        // `None` while it is being polled, or when it is done.
        let job = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut job) = job else { return };
        let waker = self.clone().into();
        if job.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let (now, most) = DEPTH.get();
        DEPTH.set((now + 1, most.max(now + 1)));
        self.poll();
        DEPTH.set((now, DEPTH.get().1));
    }
}

/// With 50,000 tasks the stack of a thread was too small.
const TASKS: usize = 300;

fn tasks(port: &SharedPort<u32>) -> Arc<AtomicUsize> {
    let ended = Arc::new(AtomicUsize::new(0));
    for _ in 0..TASKS {
        let (mut port, ended) = (port.clone(), ended.clone());
        Task::start(async move {
            while port.recv_async().await.is_ok() {}
            ended.fetch_add(1, Ordering::Relaxed);
        });
    }
    ended
}

/// The sender leaves, and all tasks that wait must see the end.
#[test]
fn the_end() {
    watched(|| {
        let (chan, port) = stream();
        let port = port.into_shared();
        let ended = tasks(&port);
        drop(chan);
        assert_eq!(ended.load(Ordering::Relaxed), TASKS);
        let (_, most) = DEPTH.get();
        assert!(most < TASKS / 2, "{most} wakers, one inside the other");
    });
}

/// Runs the test in its own process.
fn alone(test: fn()) {
    apart(|| watched(test));
}

/// A chain of this many stages must not overflow the stack of a thread.
const STAGES: usize = if cfg!(miri) { 10 } else { 150 };

fn chain(stage: impl Fn(Pipeline<u64>) -> Pipeline<u64>) {
    let items = (0..STAGES).fold(from_iter(0..3), |items, _| stage(items));
    assert_eq!(items.in_order().collect().expect("no stage fails"), [0, 1, 2]);
}

#[test]
fn keyed_farms() {
    alone(|| chain(|items| items.keyed(1, |number| *number, |number| number)));
}

#[test]
fn farms_in_order() {
    alone(|| chain(|items| items.parallel(1, |number| number).in_order()));
}

#[test]
fn farms_of_futures_in_order() {
    alone(|| chain(|items| items.in_order().concurrent(1, |number| async move { number })));
}

#[test]
fn farms_of_pipelines() {
    alone(|| chain(|items| items.farm(1, |share| share.sequential(|number| number))));
}
