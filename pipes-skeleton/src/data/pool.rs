//! Work that any worker of a team may take, and that may create more work.
//!
//! Each worker has a queue. It takes what it put there last, which keeps the amount of open work small: it
//! finishes what it has begun before it begins something else. A worker without work takes the oldest piece
//! from another worker's queue, which tends to be the largest, and disturbs that worker least (Blumofe and
//! Leiserson, "Scheduling multithreaded computations by work stealing", 1999).

use crate::run::crew::{Crew, Halted};
use crate::sync::{AtomicUsize, Lock, Ordering};
use std::collections::VecDeque;
use std::task::{Poll, Waker};

/// The open work of a team.
pub(crate) struct Pool<W> {
    queues: Vec<WorkerQueue<W>>,
    asleep: Lock<Vec<Waker>>,
    /// The length of that list. It is changed under the lock, and loaded without it.
    sleepers: AtomicUsize,
}

/// A worker's queue, on its own cache line.
#[repr(align(64))]
struct WorkerQueue<W>(Lock<VecDeque<W>>);

impl<W> Pool<W> {
    pub(crate) fn new(workers: usize) -> Self {
        let queues = (0..workers).map(|_| WorkerQueue(Lock::new(VecDeque::new()))).collect();
        Pool { queues, asleep: Lock::new(Vec::new()), sleepers: AtomicUsize::new(0) }
    }

    /// Adds work to this worker's queue. The worker takes the last piece next; the others may be taken by
    /// other workers.
    pub(crate) fn push(&self, worker: usize, work: impl ExactSizeIterator<Item = W>) {
        let others = work.len().saturating_sub(1);
        self.queues[worker].0.lock().extend(work);
        self.wake(others);
    }

    /// Takes work for this worker. Sleeps while there is none.
    ///
    /// # Errors
    ///
    /// The run has been stopped.
    pub(crate) fn take(&self, crew: &Crew, worker: usize) -> Result<W, Halted> {
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
        // This worker may have been woken for other work than it has found, so it wakes another one for that.
        if self.is_any_open() {
            self.wake(1);
        }
        Ok(work)
    }

    /// Takes the worker's own newest work, or the oldest work of another worker.
    fn find(&self, worker: usize) -> Option<W> {
        let own = self.queues[worker].0.lock().pop_back();
        own.or_else(|| {
            // Each worker begins with the queue behind its own.
            let (before, behind) = self.queues.split_at(worker + 1);
            behind.iter().chain(before).find_map(|queue| queue.0.lock().pop_front())
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

    /// Wakes this number of workers, if that many are asleep.
    fn wake(&self, workers: usize) {
        // ORDERING: Relaxed: a sleeper counts itself before it looks into the queues. If it looked into this
        // queue before the work was added, the queue's lock makes its count visible here; if later, it has
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
        // ORDERING: Relaxed: the locks of the queues order it, see `wake`.
        self.sleepers.store(asleep.len(), Ordering::Relaxed);
    }
}
