//! Work that any worker of a team may take, and that may create more work.
//!
//! Each worker has a queue. It takes what it put there last, which keeps the amount of open work small: it
//! finishes what it has begun before it begins something else. A worker without work takes the oldest piece
//! from another worker's queue, which tends to be the largest, and disturbs that worker least (Blumofe and
//! Leiserson, "Scheduling multithreaded computations by work stealing", 1999).

use crate::skeleton::run::crew::{Crew, Halted};
use crate::sync::{AtomicUsize, Lock, Ordering, chance};
use std::collections::VecDeque;
use std::task::{Poll, Waker};

/// The open work of a team.
pub(in crate::skeleton) struct Pool<W> {
    queues: Vec<WorkerQueue<W>>,
    asleep: Lock<Vec<Waker>>,
    /// How many are in that list. Changed under its lock, looked at without it.
    sleepers: AtomicUsize,
}

/// On a line of memory of its own.
#[repr(align(64))]
struct WorkerQueue<W>(Lock<VecDeque<W>>);

impl<W> Pool<W> {
    pub(in crate::skeleton) fn new(workers: usize) -> Self {
        let queues = (0..workers).map(|_| WorkerQueue(Lock::new(VecDeque::new()))).collect();
        Pool { queues, asleep: Lock::new(Vec::new()), sleepers: AtomicUsize::new(0) }
    }

    /// Adds work to this worker's queue, all but one of it for others. The last is what the worker takes
    /// next.
    pub(in crate::skeleton) fn push(&self, worker: usize, work: impl ExactSizeIterator<Item = W>) {
        let others = work.len().saturating_sub(1);
        self.queues[worker].0.lock().extend(work);
        self.wake(others);
    }

    /// Work for this worker. Sleeps while there is none.
    ///
    /// # Errors
    ///
    /// Everything is to stop.
    pub(in crate::skeleton) fn take(&self, crew: &Crew, worker: usize) -> Result<W, Halted> {
        if let Some(work) = self.find(worker) {
            return Ok(work);
        }
        let work = crew.until(
            || None,
            || self.is_any_open(),
            |cx| {
                self.lie_down(cx.waker());
                let Some(work) = self.find(worker) else { return Poll::Pending };
                self.get_up(cx.waker());
                Poll::Ready(work)
            },
        )?;
        // This worker may have been woken for other work than it has found: that is for the next one.
        if self.is_any_open() {
            self.wake(1);
        }
        Ok(work)
    }

    /// The newest work of its own, or the oldest of another worker.
    fn find(&self, worker: usize) -> Option<W> {
        let own = self.queues[worker].0.lock().pop_back();
        own.or_else(|| {
            // The threads begin with different ones.
            let (behind, before) = self.queues.split_at(chance(self.queues.len()));
            before.iter().chain(behind).find_map(|queue| queue.0.lock().pop_front())
        })
    }

    fn is_any_open(&self) -> bool {
        self.queues.iter().any(|queue| !queue.0.lock().is_empty())
    }

    fn lie_down(&self, waker: &Waker) {
        let mut asleep = self.asleep.lock();
        if !asleep.iter().any(|other| other.will_wake(waker)) {
            asleep.push(waker.clone());
        }
        self.count(&asleep);
    }

    fn get_up(&self, waker: &Waker) {
        let mut asleep = self.asleep.lock();
        asleep.retain(|other| !other.will_wake(waker));
        self.count(&asleep);
    }

    /// Wakes this many, if this many are asleep.
    fn wake(&self, workers: usize) {
        // ORDERING: Relaxed. A sleeper counts itself before it looks into the queues. If it looked into this
        // one before the work came, then the lock of the queue shows the count here; if later, then it has
        // found the work.
        if workers == 0 || self.sleepers.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut asleep = self.asleep.lock();
        let left = asleep.len().saturating_sub(workers);
        let woken = asleep.split_off(left);
        self.count(&asleep);
        drop(asleep);
        woken.into_iter().for_each(Waker::wake);
    }

    fn count(&self, asleep: &[Waker]) {
        // ORDERING: Relaxed, see `wake`.
        self.sleepers.store(asleep.len(), Ordering::Relaxed);
    }
}
