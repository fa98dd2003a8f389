//! Wakers that `futures` makes of a counted pointer, owned ones and borrowed ones. Code that keeps such a
//! waker must hold a count of its own, and release it.

use futures::task::{ArcWake, waker, waker_ref};
use pipes::{Closing, PortSet, Readiness, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{Tally, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

/// Counts how often it is woken.
struct Task(AtomicUsize);

impl ArcWake for Task {
    fn wake_by_ref(task: &Arc<Self>) {
        task.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Registers two tasks, one after the other, each with borrowed wakers and owned ones. Only the task that was
/// registered last may have a second count.
fn by_turns(mut register: impl FnMut(&mut Context<'_>) -> Poll<()>) -> [Arc<Task>; 2] {
    let tasks = [(); 2].map(|()| Arc::new(Task(AtomicUsize::new(0))));
    for turn in 0..6 {
        let task = &tasks[turn / 3];
        let polled = if turn % 2 == 0 {
            register(&mut Context::from_waker(&waker_ref(task)))
        } else {
            register(&mut Context::from_waker(&waker(task.clone())))
        };
        assert!(polled.is_pending());
        let counts = tasks.each_ref().map(Arc::strong_count);
        assert_eq!(counts, if turn < 3 { [2, 1] } else { [1, 2] }, "in turn {turn}");
    }
    tasks
}

/// Asserts that all counts are released, and that the task that was registered last was woken `called` times.
#[track_caller]
fn given_back(tasks: &[Arc<Task>; 2], called: usize) {
    assert_eq!(tasks.each_ref().map(Arc::strong_count), [1, 1], "counts");
    assert_eq!(tasks.each_ref().map(|task| task.0.load(Ordering::SeqCst)), [0, called], "calls");
}

#[test]
fn at_receivers() {
    watched(|| {
        let tally = Tally::new();
        for calls in [0, 1] {
            let (mut chan, mut port) = stream();
            let tasks = by_turns(|cx| port.poll_ready(cx));
            (0..calls).for_each(|_| chan.send(tally.make(1)).expect("it is received"));
            drop(port);
            given_back(&tasks, calls);

            let (mut chan, mut port) = sync_stream(1);
            let tasks = by_turns(|cx| port.poll_ready(cx));
            (0..calls).for_each(|_| chan.send(tally.make(1)).expect("it is received"));
            drop(port);
            given_back(&tasks, calls);

            let (chan, mut port) = shared_stream();
            let tasks = by_turns(|cx| port.poll_ready(cx));
            (0..calls).for_each(|_| chan.send(tally.make(1)).expect("it is received"));
            drop(port);
            given_back(&tasks, calls);

            let (chan, mut port) = oneshot();
            let tasks = by_turns(|cx| Readiness::poll_ready(&mut port, cx));
            if calls > 0 {
                chan.send(tally.make(1)).expect("it is received");
            }
            drop(port);
            given_back(&tasks, calls);

            let (mut chan, port) = stream();
            let mut set = PortSet::new();
            set.insert(port);
            let tasks = by_turns(|cx| set.poll_ready(cx));
            (0..calls).for_each(|_| chan.send(tally.make(1)).expect("it is received"));
            drop(set);
            given_back(&tasks, calls);

            // The waker of the shared port's lock stands between the port and the task; the line holds one
            // count of the task.
            let (mut chan, port) = stream();
            let mut shared = port.into_shared();
            let tasks =
                by_turns(|cx| futures::Stream::poll_next(std::pin::Pin::new(&mut shared), cx).map(drop));
            (0..calls).for_each(|_| chan.send(tally.make(1)).expect("it is received"));
            drop(shared);
            given_back(&tasks, calls);
        }
        tally.assert_all_gone();
    });
}

#[test]
fn at_senders() {
    watched(|| {
        for calls in [0, 1] {
            let (mut chan, port) = stream::<u64>();
            let tasks = by_turns(|cx| Closing::poll_closed(&mut chan, cx));
            let mut port = Some(port);
            drop((calls > 0).then(|| port.take()));
            drop(chan);
            given_back(&tasks, calls);

            let (mut chan, port) = sync_stream::<u64>(0);
            let tasks = by_turns(|cx| Closing::poll_closed(&mut chan, cx));
            let mut port = Some(port);
            drop((calls > 0).then(|| port.take()));
            drop(chan);
            given_back(&tasks, calls);

            let (mut chan, port) = oneshot::<u64>();
            let tasks = by_turns(|cx| Closing::poll_closed(&mut chan, cx));
            let mut port = Some(port);
            drop((calls > 0).then(|| port.take()));
            drop(chan);
            given_back(&tasks, calls);
        }
    });
}
