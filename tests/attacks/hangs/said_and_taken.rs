//! Tasks that register their waker, look once more, find a message, and return `Pending`. The next message
//! must still wake them, and so must the end.

use futures::Stream;
use pipes::{Port, SharedPort, TryRecvError, stream};
use pipes_tests::{Bell, effort, poll_future, watched};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread;

/// Receives all messages: registers the waker first and looks after that, so that no message is missed in
/// between.
fn said_and_drained<P>(
    port: &mut P,
    cx: &mut Context<'_>,
    mut look: impl FnMut(&mut P) -> Result<u32, TryRecvError>,
) -> Vec<u32>
where
    P: Stream<Item = u32> + Unpin,
{
    let mut all = Vec::new();
    while let Poll::Ready(Some(number)) = Pin::new(&mut *port).poll_next(cx) {
        all.push(number);
    }
    while let Ok(number) = look(port) {
        all.push(number);
    }
    all
}

/// A message that comes between these two steps may wake another receiver. Taking it must not undo the
/// registration.
#[test]
fn a_value_that_is_found_behind_a_wait_ends_no_wait() {
    let (mut chan, mut port) = stream();
    let (bell, waker) = Bell::new();
    let mut cx = Context::from_waker(&waker);
    assert!(Pin::new(&mut port).poll_next(&mut cx).is_pending());
    chan.send(1).expect("it is here");
    assert_eq!(port.try_recv(), Ok(1));
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    drop(chan);
    assert!(bell.rings() > 0, "a port");

    let (mut chan, port) = stream();
    let mut first: SharedPort<u32> = port.into_shared();
    let mut second = first.clone();
    let (first_bell, first_waker) = Bell::new();
    let mut receive = first.recv_async();
    assert!(poll_future(&mut receive, &first_waker).is_pending());
    let (bell, waker) = Bell::new();
    let mut cx = Context::from_waker(&waker);
    assert!(Pin::new(&mut second).poll_next(&mut cx).is_pending());
    chan.send(1).expect("it is here");
    assert_eq!((first_bell.rings(), bell.rings()), (1, 0), "who waits longest is woken");
    assert_eq!(second.try_recv(), Ok(1), "the other one is faster");
    assert_eq!(second.try_recv(), Err(TryRecvError::Empty(())));
    assert!(poll_future(&mut receive, &first_waker).is_pending(), "it waits again");
    drop(chan);
    assert_eq!(first_bell.rings(), 2, "the end is for all");
    assert!(bell.rings() > 0, "the task that has said that it waits learns of the end");
}

/// Both kinds of ports, in the same loop.
#[test]
fn nothing_comes_while_it_says_so() {
    let (mut chan, mut port) = stream();
    let (bell, waker) = Bell::new();
    let mut cx = Context::from_waker(&waker);
    assert!(said_and_drained(&mut port, &mut cx, Port::try_recv).is_empty());
    chan.send(1).expect("it is here");
    assert_eq!(bell.rings(), 1);
    let mut port = port.into_shared();
    assert_eq!(said_and_drained(&mut port, &mut cx, SharedPort::try_recv), [1]);
    chan.send(2).expect("it is here");
    assert_eq!(bell.rings(), 2);
    assert_eq!(said_and_drained(&mut port, &mut cx, SharedPort::try_recv), [2]);
    drop(chan);
    assert_eq!(bell.rings(), 3);
}

/// Until the end, beside a thread that waits for each value: the task must see the end, too.
#[test]
fn a_task_beside_a_thread() {
    for _ in 0..effort(300) {
        watched(|| {
            let (mut chan, port) = stream();
            let mut port = port.into_shared();
            let mut other = port.clone();
            let beside = thread::spawn(move || other.iter().count());
            let sender = thread::spawn(move || {
                for number in 0..200 {
                    chan.send(number).expect("both are there");
                    thread::yield_now();
                }
            });
            let mut count = 0;
            futures::executor::block_on(std::future::poll_fn(|cx| {
                loop {
                    match Pin::new(&mut port).poll_next(cx) {
                        Poll::Ready(Some(_)) => count += 1,
                        Poll::Ready(None) => return Poll::Ready(()),
                        Poll::Pending => break,
                    }
                }
                // A message that comes here has woken the thread, which may be slower.
                (0..count % 3).for_each(|_| thread::yield_now());
                while port.try_recv().is_ok() {
                    count += 1;
                }
                Poll::Pending
            }));
            sender.join().expect("it does not panic");
            assert_eq!(count + beside.join().expect("it does not panic"), 200);
        });
    }
}
