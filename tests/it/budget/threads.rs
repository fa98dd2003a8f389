//! Whose the budget is: a task's, known by its waker, and the thread's, whatever the wakers.

use super::tasks::{Since, most_between_polls};
use futures::executor::LocalPool;
use futures::stream::{FuturesUnordered, StreamExt};
use futures::task::LocalSpawnExt;
use pipes::{Chan, Port, stream};
use pipes_tests::table::budget::{OF_TASK, left, spend_all};
use pipes_tests::{WakeCounter, poll_future, test_in, watched};
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// The receives of a thread in all tasks, before they give way.
const OF_THREAD: usize = 16_381;

/// Passes messages round a ring of a hundred tasks. Returns how often a receive gave way.
fn given_way_in_a_ring(tokens: usize, laps: usize) -> usize {
    let (given_way, mut pool) = (Rc::new(Cell::new(0)), LocalPool::new());
    let (mut chans, ports): (Vec<Chan<usize>>, Vec<Port<usize>>) = (0..100).map(|_| stream()).unzip();
    (0..tokens).for_each(|token| chans[0].send(token).expect("the port is here"));
    chans.rotate_left(1);
    for (mut chan, mut port) in chans.into_iter().zip(ports) {
        let given_way = given_way.clone();
        let node = async move {
            for _ in 0..tokens * laps {
                let passed = poll_fn(|cx| {
                    let received = pin!(port.recv_async()).poll(cx);
                    given_way.set(given_way.get() + usize::from(received.is_pending() && port.is_ready()));
                    received
                });
                let token = passed.await.expect("the neighbour is here");
                // After the last lap, the neighbour may have left.
                let _ = chan.send(token);
            }
        };
        pool.spawner().spawn_local(node).expect("the pool is there");
    }
    pool.run();
    given_way.get()
}

/// A task that finds nothing after its messages has let the executor run, so no task of a ring gives way
/// for itself: only the thread does, with four receives in a row.
#[test_in(watched)]
fn a_ring_of_a_hundred_tasks() {
    let messages = 100 * 10 * 200;
    let given_way = given_way_in_a_ring(10, 200);
    let times = messages / OF_THREAD;
    assert!((1..=4 * times).contains(&given_way), "{given_way} times for {messages} messages");
}

/// Each waker has a full budget, and those with the same data pointer share one.
#[test]
fn another_waker() {
    let ((_, first), (_, second)) = (WakeCounter::new(), WakeCounter::new());
    spend_all(&first);
    assert_eq!(left(&second), OF_TASK);
    spend_all(&first);
    assert_eq!(left(&first.clone()), 0);
    spend_all(Waker::noop());
    assert_eq!(left(Waker::noop()), 0);
}

/// Whatever the wakers, some receives in a row give way, and then all are served again.
#[test]
fn two_wakers_in_turn() {
    let ((mut chan, mut port), wakers) = (stream(), [WakeCounter::new().1, WakeCounter::new().1]);
    let mut given_way = Vec::new();
    for number in 0..2 * OF_THREAD {
        chan.send(number).expect("the port is here");
        let polled = (0..).find(|_| poll_future(&mut port.recv_async(), &wakers[number % 2]).is_ready());
        given_way.extend(polled.filter(|times| *times > 0).map(|times| (number, times)));
    }
    assert_eq!(given_way, [(OF_THREAD, 4)]);
}

/// Receives of several messages at a time count each.
#[test]
fn many_messages_at_a_time() {
    let ((mut chan, mut port), mut values) = (stream(), Vec::new());
    let wakers = [WakeCounter::new().1, WakeCounter::new().1];
    let mut receives = 0..;
    let first = receives.find(|receive| {
        chan.send_all(&mut vec![0; 1_000]).expect("the port is here");
        let mut future = port.recv_many_async(&mut values, 1_000);
        poll_future(&mut future, &wakers[receive % 2]).is_pending()
    });
    assert!(first.is_some_and(|receives| receives <= OF_THREAD / 1_000 + 1), "{first:?}");
}

/// A stream that is always full: what is received is sent again.
type Ends = (Chan<u64>, Port<u64>);

fn always_full() -> Ends {
    let (mut chan, port) = stream();
    chan.send(1).expect("the port is here");
    (chan, port)
}

async fn pass((mut chan, mut port): Ends, times: usize) -> Ends {
    for _ in 0..times {
        let number = port.recv_async().await.expect("the chan is here");
        chan.send(number).expect("the port is here");
    }
    (chan, port)
}

/// Each future of the set receives some messages, and then another one takes its place.
async fn pass_in_turns(mut ends: Vec<Ends>, times: usize, turns: usize, since: &Since) {
    let mut receives: FuturesUnordered<_> = ends.drain(..).map(|ends| pass(ends, times)).collect();
    for _ in 0..turns {
        let ends = receives.next().await.expect("there is one");
        since.update(|before| before + times);
        receives.push(pass(ends, times));
    }
}

fn busy(count: usize) -> Vec<Ends> {
    (0..count).map(|_| always_full()).collect()
}

const MANY: usize = 100_000;

#[track_caller]
fn assert_gives_way_at_last<F: Future<Output = ()> + 'static>(receive: impl FnOnce(Since) -> F) {
    let most = most_between_polls(receive);
    // An executor inside the task may be the one that gives way, but not twice in a row.
    assert!((1..=2 * OF_THREAD).contains(&most), "{most} messages between two polls of another task");
}

/// `FuturesUnordered` gives each future a waker, and polls the next one if one has given way.
#[test_in(watched)]
fn futures_unordered() {
    for (count, times) in [(1, 1), (2, 1), (3, 1), (100, 1), (2, 7), (2, 200)] {
        assert_gives_way_at_last(|since| async move {
            pass_in_turns(busy(count), times, MANY / times, &since).await;
        });
    }
    let (_chan, idle) = stream();
    let ends = vec![(stream().0, idle), always_full()];
    assert_gives_way_at_last(|since| async move { pass_in_turns(ends, 1, MANY, &since).await });
}

#[test_in(watched)]
fn futures_unordered_in_futures_unordered() {
    assert_gives_way_at_last(|since| async move {
        let turns = |times: usize| pass_in_turns(busy(2), 1, times, &since);
        let mut receives: FuturesUnordered<_> = [turns(100), turns(1_000_000)].into_iter().collect();
        for _ in 0..MANY / 100 {
            receives.next().await.expect("there is one");
            receives.push(turns(100));
        }
    });
}

/// The task and an executor that runs inside it receive in turn. Where the inner one gives way, the outer one
/// does not notice.
#[test_in(watched)]
fn an_executor_in_a_task() {
    assert_gives_way_at_last(|since| async move {
        let (mut inner, mut outer) = (always_full(), always_full());
        for _ in 0..MANY / 2 {
            let mut passing = Box::pin(pass(inner, 1));
            inner = loop {
                if let Poll::Ready(ends) = poll_future(&mut passing, Waker::noop()) {
                    break ends;
                }
            };
            outer = pass(outer, 1).await;
            since.update(|before| before + 2);
        }
    });
}
