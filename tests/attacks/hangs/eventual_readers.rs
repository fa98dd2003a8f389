//! A value that comes later, and stays: a task that waits for it gives way to a thread, under one lock, and is woken when the thread has it. (Several tasks
//! are not for an eventual: it keeps one waker, as its documentation says.)

use pipes::{Eventual, RecvError, oneshot};
use pipes_tests::{Bell, watched};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

type Value = Arc<Mutex<Eventual<u32>>>;

fn look(value: &Value, waker: &Waker) -> Poll<Result<u32, RecvError>> {
    let mut value = value.lock().expect("no thread panics with it");
    value.poll_get(&mut Context::from_waker(waker)).map(|value| value.copied())
}

#[test]
fn a_task_and_a_thread() {
    watched(|| {
        let (chan, port) = oneshot();
        let value = Value::new(Mutex::new(Eventual::from_port(port)));
        let (bell, waker) = Bell::new();
        assert!(look(&value, &waker).is_pending());
        let thread = {
            let value = value.clone();
            thread::spawn(move || value.lock().expect("no thread panics with it").get().copied())
        };
        while value.try_lock().is_ok() {
            thread::yield_now();
        }
        // Until the thread has the value's seat, most probably.
        for _ in 0..10_000 {
            thread::yield_now();
        }
        chan.send(7).expect("it is waited for");
        assert_eq!(thread.join().expect("it does not panic"), Ok(7));
        assert_eq!(bell.rings(), 1, "the value is there, and the task sleeps for ever");
    });
}
