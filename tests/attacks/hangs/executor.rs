//! An executor that does nothing it was not asked to: it polls a task only when its waker was called, each time with a fresh waker.

use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Whom a waker of a task's turn calls.
struct Turn {
    task: usize,
    called: Mutex<Sender<usize>>,
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        // A task that is done is called in vain.
        let _ = self.called.lock().expect("no thread panics with it").send(self.task);
    }
}

/// Runs all tasks in this thread, until they are done. Where a wake-up is lost, it waits for ever.
pub(super) fn run(tasks: impl IntoIterator<Item = Task>) {
    let (called, calls) = channel();
    let mut tasks: Vec<Option<Task>> = tasks.into_iter().map(Some).collect();
    let mut left = tasks.len();
    (0..left).for_each(|task| called.send(task).expect("it is received below"));
    while left > 0 {
        let task = calls.recv().expect("there is a sender here");
        let Some(future) = &mut tasks[task] else { continue };
        // Each poll has another waker, so that one left behind by an earlier poll is a stale one.
        let waker = Waker::from(Arc::new(Turn { task, called: Mutex::new(called.clone()) }));
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            tasks[task] = None;
            left -= 1;
        }
    }
}

/// A task for the executor.
pub(super) fn task(future: impl Future<Output = ()> + Send + 'static) -> Task {
    Box::pin(future)
}
