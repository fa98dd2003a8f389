//! Tasks that receive in a loop, with one waker: another task is polled in between.

use futures::executor::{LocalPool, block_on};
use futures::task::LocalSpawnExt;
use futures::{FutureExt, StreamExt};
use pipes::{Port, RecvOrError, select_async, stream};
use pipes_tests::table::budget::{OF_TASK, filled, left, spend_all};
use pipes_tests::{WakeCounter, poll_future};
use std::cell::Cell;
use std::future::{Future, poll_fn, ready};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

const MESSAGES: usize = 5_000;

/// The messages that one task has received since another one was polled.
pub type Since = Rc<Cell<usize>>;

/// Runs a task beside one that is polled again and again, on one thread. Returns the largest number of
/// messages between two polls of the latter.
pub fn most_between_polls<F: Future<Output = ()> + 'static>(receive: impl FnOnce(Since) -> F) -> usize {
    let mut pool = LocalPool::new();
    let (since, most, is_done) = (Since::default(), Since::default(), Rc::new(Cell::new(false)));
    let (receiving, done) = (receive(since.clone()), is_done.clone());
    let receiver = async move {
        receiving.await;
        done.set(true);
    };
    let seen = most.clone();
    let other = poll_fn(move |cx: &mut Context<'_>| {
        seen.set(seen.get().max(since.take()));
        if is_done.get() {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    });
    pool.spawner().spawn_local(receiver).expect("the pool is there");
    pool.spawner().spawn_local(other).expect("the pool is there");
    pool.run();
    most.get()
}

/// A task that receives again and again gives way. The receive returns how many messages there were.
#[track_caller]
fn assert_gives_way(mut receive: impl AsyncFnMut() -> usize + 'static) {
    let most = most_between_polls(|since| async move {
        let mut received = 0;
        while received < MESSAGES {
            let messages = receive().await;
            since.update(|before| before + messages);
            received += messages;
        }
    });
    assert!((1..=2 * OF_TASK).contains(&most), "{most} messages between two polls of another task");
}

fn idle() -> Port<u64> {
    let (chan, port) = stream();
    std::mem::forget(chan);
    port
}

#[test]
fn loops_of_receives() {
    let (mut port, mut shared) = (filled(MESSAGES), filled(MESSAGES).into_shared());
    assert_gives_way(async move || {
        let both = futures::join!(port.recv_async(), shared.next());
        usize::from(both.0.is_ok()) + usize::from(both.1.is_some())
    });
    let (mut port, mut values) = (filled(MESSAGES), Vec::new());
    assert_gives_way(async move || port.recv_many_async(&mut values, 100).await.unwrap_or(0));
}

/// An idle port beside a busy one spends nothing and fills nothing.
#[test]
fn loops_beside_an_idle_port() {
    let (mut quiet, mut busy) = (idle(), filled(MESSAGES));
    assert_gives_way(async move || usize::from(busy.recv_or(quiet.recv_async()).await.is_ok()));
    let (mut quiet, mut busy) = (idle(), filled(MESSAGES));
    assert_gives_way(async move || {
        let received = quiet.recv_or(busy.recv_async()).await;
        usize::from(matches!(received, Err(RecvOrError::Other((), Ok(_)))))
    });
    let (mut quiet, mut busy) = (idle(), filled(MESSAGES));
    assert_gives_way(async move || {
        select_async! {
            message = quiet => panic!("nobody sent {message:?}"),
            message = busy => usize::from(message.is_ok()),
        }
    });
    let (mut quiet, mut busy) = (idle(), filled(MESSAGES));
    assert_gives_way(async move || {
        futures::select_biased! {
            message = quiet.recv_async().fuse() => panic!("nobody sent {message:?}"),
            message = busy.recv_async().fuse() => usize::from(message.is_ok()),
        }
    });
}

/// What only looks or only waits never gives way.
#[test]
fn looking_and_waiting() {
    let mut port = filled(MESSAGES);
    for number in 0..MESSAGES as u64 {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(port.poll_ready(&mut cx).is_ready());
        assert!(pin!(port.ready()).poll(&mut cx).is_ready());
        assert_eq!(port.try_recv(), Ok(number));
    }
}

/// All receives in a task spend the same budget. One that gives way has received nothing.
#[test]
fn all_receivers_share_a_budget() {
    let (wakes, waker) = WakeCounter::new();
    let (mut port, shared) = (filled(300), filled(300).into_shared());
    for number in 0..100 {
        assert_eq!(poll_future(&mut port.recv_async(), &waker), Poll::Ready(Ok(number)));
    }
    let ready = (0..).take_while(|_| poll_future(&mut shared.recv_async(), &waker).is_ready()).count();
    assert_eq!((ready, wakes.count()), (OF_TASK - 100, 1));
    assert_eq!(poll_future(&mut port.recv_async(), &waker), Poll::Ready(Ok(100)));
    assert_eq!(left(&waker), OF_TASK - 1);
}

/// A receive beside another future gives way like any other, and still never prefers the other future to a
/// message that is here; nor does a selection with a timeout.
#[test]
fn beside_a_future_that_is_ready() {
    let spend = || {
        poll_fn(|cx| {
            spend_all(cx.waker());
            Poll::Ready(())
        })
    };
    let mut port = filled(2);
    block_on(spend());
    assert_eq!(block_on(port.recv_or(ready("stop"))), Ok(0));
    let (chan, one) = pipes::oneshot();
    chan.send(1).expect("the port is here");
    block_on(spend());
    assert_eq!(block_on(one.recv_or(ready("stop"))).ok(), Some(1));
    spend_all(Waker::noop());
    let mut chosen = Box::pin(async {
        select_async! {
            number = port => number.ok(),
            timeout(ready(())) => None,
        }
    });
    assert_eq!(poll_future(&mut chosen, Waker::noop()), Poll::Ready(Some(1)));
}
