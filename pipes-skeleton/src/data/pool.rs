//! A pool of work, with work stealing. Work may create more work.
//!
//! Each worker has a queue, and takes the newest work from it. So it completes what it has begun before it
//! begins something else, which keeps the amount of open work small. A worker without work steals the oldest
//! work of another worker, which tends to be the largest. See Blumofe and Leiserson, "Scheduling
//! multithreaded computations by work stealing", 1999.

use crate::run::threads::{Stopped, Threads};
use crate::sync::{AtomicUsize, Lock, Ordering};
use std::collections::VecDeque;
use std::task::{Poll, Waker};

/// The open work of a team, in a queue for each worker.
pub(crate) struct Pool<W> {
    queues: Vec<WorkerQueue<W>>,
    /// The wakers of the sleeping workers.
    wakers: Lock<Vec<Waker>>,
    /// The length of that list. It is changed while the list is locked, and loaded without the lock.
    sleepers: AtomicUsize,
}

/// A worker's queue, on its own cache line.
#[repr(align(64))]
struct WorkerQueue<W>(Lock<VecDeque<W>>);

impl<W> Pool<W> {
    pub(crate) fn new(workers: usize) -> Self {
        let queues = (0..workers).map(|_| WorkerQueue(Lock::new(VecDeque::new()))).collect();
        Pool { queues, wakers: Lock::new(Vec::new()), sleepers: AtomicUsize::new(0) }
    }

    /// Adds work to this worker's queue. The worker takes the last of it next. Other workers may steal the
    /// rest.
    pub(crate) fn push(&self, worker: usize, work: impl ExactSizeIterator<Item = W>) {
        let others = work.len().saturating_sub(1);
        self.queues[worker].0.lock().extend(work);
        self.wake(others);
    }

    /// Takes work for this worker. Waits until there is some.
    ///
    /// # Errors
    ///
    /// Returns an error if the run is stopped.
    pub(crate) fn take(&self, threads: &Threads, worker: usize) -> Result<W, Stopped> {
        if let Some(work) = self.find(worker) {
            return Ok(work);
        }
        let work = threads.wait(
            "work of a pool",
            || None,
            || self.has_work(),
            |cx| {
                self.register(cx.waker());
                let Some(work) = self.find(worker) else { return Poll::Pending };
                self.unregister(cx.waker());
                Poll::Ready(work)
            },
        )?;
        // This worker may have been woken for other work than it has found, so it wakes another worker.
        if self.has_work() {
            self.wake(1);
        }
        Ok(work)
    }

    /// Takes the worker's own newest work, or the oldest work of another worker.
    fn find(&self, worker: usize) -> Option<W> {
        let own = self.queues[worker].0.lock().pop_back();
        own.or_else(|| {
            // Each worker begins with the queue after its own.
            let (before, behind) = self.queues.split_at(worker + 1);
            behind.iter().chain(before).find_map(|queue| queue.0.lock().pop_front())
        })
    }

    /// Returns `true` if a queue has work.
    fn has_work(&self) -> bool {
        self.queues.iter().any(|queue| !queue.0.lock().is_empty())
    }

    fn register(&self, waker: &Waker) {
        let mut wakers = self.wakers.lock();
        if !wakers.iter().any(|other| other.will_wake(waker)) {
            wakers.push(waker.clone());
        }
        self.count_sleepers(&wakers);
    }

    fn unregister(&self, waker: &Waker) {
        let mut wakers = self.wakers.lock();
        wakers.retain(|other| !other.will_wake(waker));
        self.count_sleepers(&wakers);
    }

    /// Wakes this number of workers, or all that are asleep.
    fn wake(&self, workers: usize) {
        // ORDERING: Relaxed: a worker counts itself as asleep before it searches the queues. If it searched
        // this queue before the work was added, the queue's lock makes its count visible here. If it searched
        // it later, it has found the work.
        if workers == 0 || self.sleepers.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut wakers = self.wakers.lock();
        let left = wakers.len().saturating_sub(workers);
        let woken = wakers.split_off(left);
        self.count_sleepers(&wakers);
        drop(wakers);
        woken.into_iter().for_each(Waker::wake);
    }

    fn count_sleepers(&self, wakers: &[Waker]) {
        // ORDERING: Relaxed: the locks of the queues order it; see `wake`.
        self.sleepers.store(wakers.len(), Ordering::Relaxed);
    }
}
