//! A value that comes later, stays, and has several readers: tasks and threads that look at it in turns under one lock. Each that said it waits is woken when
//! the value is there.

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
fn two_tasks() {
    let (chan, port) = oneshot();
    let value = Value::new(Mutex::new(Eventual::from_port(port)));
    let ((first, first_waker), (second, second_waker)) = (Bell::new(), Bell::new());
    assert!(look(&value, &first_waker).is_pending());
    assert!(look(&value, &second_waker).is_pending());
    chan.send(7).expect("it is waited for");
    assert_eq!(second.rings(), 1);
    assert_eq!(look(&value, &second_waker), Poll::Ready(Ok(7)));
    assert_eq!(first.rings(), 1, "the value is there, and the first task sleeps for ever");
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
        while bell.wakers() > 1 && bell.rings() == 0 && !thread.is_finished() {
            // Until the thread has the value's seat.
            thread::yield_now();
        }
        chan.send(7).expect("it is waited for");
        assert_eq!(thread.join().expect("it does not panic"), Ok(7));
        assert_eq!(bell.rings(), 1, "the value is there, and the task sleeps for ever");
    });
}

/// The tasks on an executor: whoever was asked last is the only one to come back.
#[test]
fn many_tasks() {
    watched(|| {
        use futures::executor::LocalPool;
        use futures::task::LocalSpawnExt;
        let (chan, port) = oneshot();
        let value = Value::new(Mutex::new(Eventual::from_port(port)));
        let (mut pool, done) = (LocalPool::new(), Arc::new(Mutex::new(0)));
        for _ in 0..3 {
            let (value, done) = (value.clone(), done.clone());
            let reader = async move {
                let got = std::future::poll_fn(|cx| look(&value, cx.waker())).await;
                assert_eq!(got, Ok(7));
                *done.lock().expect("no task panics with it") += 1;
            };
            pool.spawner().spawn_local(reader).expect("the pool is there");
        }
        pool.run_until_stalled();
        chan.send(7).expect("it is waited for");
        pool.run_until_stalled();
        assert_eq!(*done.lock().expect("no task panics with it"), 3, "the other readers sleep for ever");
    });
}
