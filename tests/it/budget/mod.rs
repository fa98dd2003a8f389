//! A task that receives in a loop gives way to others.

mod receivers;
mod wakers;

use futures::executor::{LocalPool, block_on};
use futures::task::LocalSpawnExt;
use futures::{FutureExt, StreamExt};
use pipes::{Chan, Port, PortSet, RecvOrError, SharedPort};
use pipes_tests::{Bell, poll_future};
use std::cell::Cell;
use std::future::{Future, poll_fn, ready};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

const MESSAGES: u64 = 5_000;
/// The most messages that a task may receive between two polls of another one.
const LIMIT: usize = 256;

/// The messages that one task has received since another one was polled.
type Since = Rc<Cell<usize>>;

/// Runs a task that receives this many messages, beside one that is polled again and again, on one thread.
/// Returns the largest number of messages between two polls of the latter.
fn most_between_polls<F: Future<Output = u64> + 'static>(
    messages: u64,
    receive: impl FnOnce(Since) -> F,
) -> usize {
    let mut pool = LocalPool::new();
    let (since, most, is_done) = (Since::default(), Since::default(), Rc::new(Cell::new(false)));
    let receiver = {
        let (received, is_done) = (receive(since.clone()), is_done.clone());
        async move {
            assert_eq!(received.await, messages, "all are received");
            is_done.set(true);
        }
    };
    let other = {
        let most = most.clone();
        poll_fn(move |cx: &mut Context<'_>| {
            most.set(most.get().max(since.take()));
            if is_done.get() {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
    };
    pool.spawner().spawn_local(receiver).expect("the pool is there");
    pool.spawner().spawn_local(other).expect("the pool is there");
    pool.run();
    most.get()
}

#[track_caller]
fn assert_gives_way<F: Future<Output = u64> + 'static>(receive: impl FnOnce(Since) -> F) {
    let most = most_between_polls(MESSAGES, receive);
    assert!((1..=LIMIT).contains(&most), "{most} messages between two polls of another task");
}

fn count(since: &Since) {
    since.set(since.get() + 1);
}

/// A stream with many messages, whose sender has left.
fn full() -> Port<u64> {
    let (mut chan, port) = pipes::stream();
    fill(&mut chan);
    port
}

fn fill(chan: &mut Chan<u64>) {
    (0..MESSAGES).for_each(|number| chan.send(number).expect("the port is here"));
}

#[test]
fn a_port() {
    assert_gives_way(|since| async move {
        let (mut port, mut received) = (full(), 0);
        while port.recv_async().await.is_ok() {
            count(&since);
            received += 1;
        }
        received
    });
}

#[test]
fn a_port_as_a_stream() {
    assert_gives_way(|since| {
        full().fold(0, move |received, _| {
            count(&since);
            std::future::ready(received + 1)
        })
    });
}

#[test]
fn a_shared_port() {
    assert_gives_way(|since| async move {
        let (mut port, mut received) = (full().into_shared(), 0);
        while port.recv_async().await.is_ok() {
            count(&since);
            received += 1;
        }
        received
    });
}

#[test]
fn a_shared_port_as_a_stream() {
    assert_gives_way(|since| {
        full().into_shared().fold(0, move |received, _| {
            count(&since);
            std::future::ready(received + 1)
        })
    });
}

/// A set with two members and many messages.
fn full_set() -> PortSet<Port<u64>> {
    let mut set = PortSet::new();
    let mut chans = [set.chan(), set.chan()];
    for number in 0..MESSAGES {
        chans[number as usize % 2].send(number).expect("the set is here");
    }
    set
}

#[test]
fn a_set() {
    assert_gives_way(|since| async move {
        let (mut set, mut received) = (full_set(), 0);
        while let Ok((_, message)) = set.recv_async().await {
            count(&since);
            received += u64::from(message.is_ok());
        }
        received
    });
}

#[test]
fn a_set_as_a_stream() {
    assert_gives_way(|since| {
        full_set().fold(0, move |received, (_, message)| {
            count(&since);
            std::future::ready(received + u64::from(message.is_ok()))
        })
    });
}

#[test]
fn several_messages_at_a_time() {
    assert_gives_way(|since| async move {
        let (mut port, mut values, mut received) = (full(), Vec::new(), 0);
        while let Ok(many) = port.recv_many_async(&mut values, 100).await {
            since.set(since.get() + many);
            received += many as u64;
        }
        received
    });
}

#[test]
fn a_selection() {
    assert_gives_way(|since| async move {
        let ((mut left, mut right), mut received) = ((full(), full()), 0);
        while received < MESSAGES {
            pipes::select_async! {
                _message = left => {}
                _message = right => {}
            }
            count(&since);
            received += 1;
        }
        received
    });
}

#[test]
fn a_selection_beside_an_idle_port() {
    assert_gives_way(|since| async move {
        let ((_chan, mut idle), mut busy, mut received) = (pipes::stream::<u64>(), full(), 0);
        while received < MESSAGES {
            pipes::select_async! {
                _message = idle => {}
                _message = busy => {}
            }
            count(&since);
            received += 1;
        }
        received
    });
    assert_gives_way(|since| async move {
        let ((_chan, mut idle), mut busy, mut received) = (pipes::stream::<u64>(), full(), 0);
        while received < MESSAGES {
            futures::select_biased! {
                _message = idle.recv_async().fuse() => {}
                _message = busy.recv_async().fuse() => {}
            }
            count(&since);
            received += 1;
        }
        received
    });
}

#[test]
fn two_loops_joined() {
    assert_gives_way(|since| async move {
        let since = &since;
        let receive = |mut port: Port<u64>| async move {
            let mut received = 0;
            while received < MESSAGES / 2 && port.recv_async().await.is_ok() {
                count(since);
                received += 1;
            }
            received
        };
        let (left, right) = futures::join!(receive(full()), receive(full()));
        left + right
    });
}

pipes::proto! {
    counting { counting: send { number(u64) -> counting } }
}

#[test]
fn an_unbounded_protocol() {
    assert_gives_way(|since| async move {
        let (mut client, mut server) = counting::pipe();
        for number in 0..MESSAGES {
            client = client.number(number).expect("the server is here");
        }
        drop(client);
        let mut received = 0;
        while let Ok(counting::Counting::Number(_, next)) = server.recv_async().await {
            count(&since);
            (server, received) = (next, received + 1);
        }
        received
    });
}

/// What only looks or only waits never gives way.
#[test]
fn looking_and_waiting() {
    let mut port = full();
    for number in 0..MESSAGES {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(port.poll_ready(&mut cx).is_ready());
        assert!(pin!(port.ready()).poll(&mut cx).is_ready());
        assert_eq!(port.try_recv(), Ok(number));
    }
}

/// The largest number of receives in a row that are ready at their first poll.
fn ready_in_a_row(port: &mut SharedPort<u64>, waker: &Waker) -> usize {
    (0..).take_while(|_| poll_future(&mut port.recv_async(), waker).is_ready()).count()
}

/// A receive that gives way has received nothing, wakes its own task once, and is ready when it is polled
/// again. A receive of another end in the same task spends the same budget.
#[test]
fn once() {
    let (bell, waker) = Bell::new();
    let (mut port, mut shared) = (full(), full().into_shared());
    for number in 0..100 {
        assert_eq!(poll_future(&mut port.recv_async(), &waker), Poll::Ready(Ok(number)));
    }
    assert_eq!(ready_in_a_row(&mut shared, &waker), 28, "they share the budget");
    assert_eq!(bell.rings(), 1);
    assert_eq!(ready_in_a_row(&mut shared, &waker), 128);
    assert_eq!(bell.rings(), 2);

    let mut receive = port.recv_async();
    for _ in 0..128 {
        assert!(poll_future(&mut shared.recv_async(), &waker).is_ready());
    }
    assert!(poll_future(&mut receive, &waker).is_pending());
    assert_eq!(bell.rings(), 3);
    assert_eq!(poll_future(&mut receive, &waker), Poll::Ready(Ok(100)));
    assert_eq!(bell.rings(), 3);
}

/// A receive that finds nothing spends nothing and fills nothing: a task that polls an idle port beside a
/// busy one gives way.
#[test]
fn an_idle_port_beside_a_busy_one() {
    assert_gives_way(|since| async move {
        let ((_chan, mut idle), mut busy, mut received) = (pipes::stream::<u64>(), full(), 0);
        while busy.recv_or(idle.recv_async()).await.is_ok() {
            count(&since);
            received += 1;
        }
        received
    });
    assert_gives_way(|since| async move {
        let ((_chan, mut idle), mut busy, mut received) = (pipes::stream::<u64>(), full(), 0);
        while let Err(RecvOrError::Other((), Ok(_))) = idle.recv_or(busy.recv_async()).await {
            count(&since);
            received += 1;
        }
        received
    });
    let (_chan, mut idle) = pipes::stream::<u64>();
    let mut busy = full();
    let wait = |idle: &mut Port<u64>| poll_future(&mut idle.recv_async(), Waker::noop()).is_pending();
    assert!((0..1_000).all(|_| wait(&mut idle)), "it has spent nothing");
    spend_all(Waker::noop());
    let ready = (0..128).filter(|_| poll_future(&mut busy.recv_async(), Waker::noop()).is_ready()).count();
    assert_eq!(ready, 127, "the first one gave way");
}

/// Spends the budget of the task with this waker, to the last message.
fn spend_all(waker: &Waker) {
    let port = &mut full().into_shared();
    ready_in_a_row(port, waker);
    assert!((0..128).all(|_| poll_future(&mut port.recv_async(), waker).is_ready()));
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
    let mut port = full();
    block_on(spend());
    assert_eq!(block_on(port.recv_or(ready("stop"))), Ok(0));
    let (chan, one) = pipes::oneshot();
    chan.send(1).expect("the port is here");
    block_on(spend());
    assert_eq!(block_on(one.recv_or(ready("stop"))).ok(), Some(1));
    spend_all(Waker::noop());
    let mut chosen = pin!(async {
        pipes::select_async! {
            number = port => number.ok(),
            timeout(ready(())) => None,
        }
    });
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(chosen.as_mut().poll(&mut cx), Poll::Ready(Some(1)));
}
