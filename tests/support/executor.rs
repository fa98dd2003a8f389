//! A strict executor: it polls a task only after the task was woken, and each poll has a waker of its own.

use crate::Rng;
use std::any::Any;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::{fmt, mem, thread};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Tasks, and the threads that run them.
#[derive(Clone, Default)]
pub struct Tasks(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    places: Vec<Place>,
    woken: VecDeque<usize>,
    /// How many tasks are not done, and how many are being polled.
    left: usize,
    polled: usize,
    /// The panic of a task, or the text about those that wait.
    failure: Option<Box<dyn Any + Send>>,
    /// Chooses tasks that are polled although they were not woken.
    spurious: Option<Rng>,
}

struct Place {
    name: String,
    /// `None` while the task is being polled, and when it is done.
    task: Option<Task>,
    is_woken: bool,
    polls: u64,
}

/// The waker of one poll of a task. Wakers of earlier polls do not wake the task.
struct Turn {
    task: usize,
    poll: u64,
    tasks: Tasks,
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        let mut state = self.tasks.lock();
        let place = &mut state.places[self.task];
        if place.polls != self.poll || mem::replace(&mut place.is_woken, true) || place.task.is_none() {
            return;
        }
        state.woken.push_back(self.task);
        self.tasks.0.changed.notify_one();
    }
}

impl Tasks {
    /// No tasks yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on, tasks are polled now and then although they were not woken.
    pub fn poll_spuriously(&self, seed: u64) {
        self.lock().spurious = Some(Rng::with_seed(seed));
    }

    /// Adds a task.
    pub fn spawn(&self, name: impl Into<String>, task: impl Future<Output = ()> + Send + 'static) {
        let mut state = self.lock();
        let index = state.places.len();
        state.places.push(Place { name: name.into(), task: Some(Box::pin(task)), is_woken: true, polls: 0 });
        state.woken.push_back(index);
        state.left += 1;
    }

    /// Runs all tasks in this thread. Other threads may wake them: a lost wake-up is a hang.
    pub fn run(&self) {
        self.work(false);
        self.report();
    }

    /// Runs all tasks in this many threads. Only tasks wake tasks.
    ///
    /// # Panics
    ///
    /// Panics if no task is woken any more, and some are not done.
    pub fn run_alone(&self, threads: usize) {
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| self.work(true)))));
        self.report();
    }

    fn report(&self) {
        if let Some(failure) = self.lock().failure.take() {
            resume_unwind(failure);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, alone: bool) {
        let mut state = self.lock();
        while state.left > 0 && state.failure.is_none() {
            let Some((index, mut task)) = state.next() else {
                if alone && state.polled == 0 {
                    let places = state.places.iter().filter(|place| place.task.is_some());
                    let names: Vec<_> = places.map(|place| place.name.as_str()).collect();
                    let text = format!("no task is woken any more, and {names:?} wait");
                    eprintln!("{text}");
                    state.failure = Some(Box::new(text));
                } else {
                    state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                continue;
            };
            state.polled += 1;
            let turn = Turn { task: index, poll: state.places[index].polls, tasks: self.clone() };
            drop(state);
            let waker = Waker::from(Arc::new(turn));
            // Polled and dropped outside of the lock, because both may wake tasks.
            let polled = catch_unwind(AssertUnwindSafe(|| {
                let polled = task.as_mut().poll(&mut Context::from_waker(&waker));
                polled.is_pending().then_some(task)
            }));
            drop(waker);
            state = self.lock();
            state.polled -= 1;
            match polled {
                Ok(Some(task)) => {
                    state.places[index].task = Some(task);
                    if state.places[index].is_woken {
                        state.woken.push_back(index);
                    }
                }
                Ok(None) => state.left -= 1,
                Err(panic) => state.failure = Some(panic),
            }
            self.0.changed.notify_all();
        }
        self.0.changed.notify_all();
    }
}

impl State {
    /// The next task to be polled.
    fn next(&mut self) -> Option<(usize, Task)> {
        let mut index = self.woken.pop_front()?;
        if let Some(random) = &mut self.spurious
            && random.u64(..8) == 0
        {
            let other = random.usize(..self.places.len());
            if self.places[other].task.is_some() && !self.places[other].is_woken {
                self.woken.push_front(index);
                index = other;
            }
        }
        let place = &mut self.places[index];
        place.is_woken = false;
        place.polls += 1;
        place.task.take().map(|task| (index, task))
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("left", &self.lock().left).finish_non_exhaustive()
    }
}

/// Is ready after this many polls. It wakes its task in each poll.
pub async fn give_way(mut polls: u64) {
    poll_fn(|cx| {
        if polls == 0 {
            return Poll::Ready(());
        }
        polls -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
