//! An executor without spurious polls: it polls a task only after its waker was called, with a new waker for
//! each poll.

use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The waker of one poll of a task.
struct Turn {
    task: usize,
    called: Mutex<Sender<usize>>,
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        // The executor may have returned: all its tasks are done.
        let _ = self.called.lock().expect("no thread panics with it").send(self.task);
    }
}

/// Runs all tasks in this thread until they are done. If a wake-up is lost, it waits forever.
pub(super) fn run(tasks: impl IntoIterator<Item = Task>) {
    let (called, calls) = channel();
    let mut tasks: Vec<Option<Task>> = tasks.into_iter().map(Some).collect();
    let mut left = tasks.len();
    (0..left).for_each(|task| called.send(task).expect("it is received below"));
    while left > 0 {
        let task = calls.recv().expect("there is a sender here");
        let Some(future) = &mut tasks[task] else { continue };
        // Each poll has its own waker, so that the waker of an earlier poll is stale.
        let waker = Waker::from(Arc::new(Turn { task, called: Mutex::new(called.clone()) }));
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            tasks[task] = None;
            left -= 1;
        }
    }
}

/// Makes a task for the executor.
pub(super) fn task(future: impl Future<Output = ()> + Send + 'static) -> Task {
    Box::pin(future)
}
