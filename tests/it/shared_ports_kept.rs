//! Receivers of a shared port that wait without receiving: what they find is kept for them.

use pipes::{
    Port, RecvError, RecvOrError, SharedPort, TryRecvError, TrySendError, shared_stream, shared_sync_stream,
    stream, sync_stream,
};
use pipes_tests::{Bell, Counted, Tally, caught, poll, poll_future, spin_while, watched};
use std::cell::Cell;
use std::future::{pending, poll_fn, ready};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// A sender that waits for room, if there is a limit.
pub type Send<T> = Box<dyn FnMut(T) + std::marker::Send>;

/// One stream of each kind.
pub fn streams<T: std::marker::Send + 'static>() -> [(Send<T>, Port<T>); 5] {
    let (mut single, single_port) = stream();
    let (mut bounded, bounded_port) = sync_stream(4);
    let (mut meets, meeting_port) = sync_stream(0);
    let (shared, shared_port) = shared_stream();
    let (limited, limited_port) = shared_sync_stream(4);
    [
        (Box::new(move |value| assert!(single.send(value).is_ok())), single_port),
        (Box::new(move |value| assert!(bounded.send(value).is_ok())), bounded_port),
        (Box::new(move |value| assert!(meets.send(value).is_ok())), meeting_port),
        (Box::new(move |value| assert!(shared.send(value).is_ok())), shared_port),
        (Box::new(move |value| assert!(limited.send(value).is_ok())), limited_port),
    ]
}

/// A way to receive.
type Verb = fn(&mut SharedPort<u64>) -> Option<u64>;

/// Two receivers, the first of which keeps 1; then 2 was sent, and the sender is gone.
fn one_is_kept() -> [SharedPort<u64>; 2] {
    let (mut chan, port) = stream();
    let mut first = port.into_shared();
    let second = first.clone();
    chan.send(1).expect("the ports are here");
    assert!(poll(&mut first, Waker::noop()).is_ready());
    chan.send(2).expect("the ports are here");
    [first, second]
}

#[test]
fn what_is_kept_is_received_by_its_receiver() {
    let [mut first, mut second] = one_is_kept();
    assert!(poll(&mut first, Waker::noop()).is_ready(), "a second look takes no second message");
    assert!(first.is_ready() && !first.is_closed());
    assert_eq!(second.try_recv(), Ok(2));
    assert!(!second.is_ready());
    assert_eq!(first.try_recv(), Ok(1));
    assert_eq!(first.try_recv(), Err(TryRecvError::Closed));
}

/// Every verb receives what is kept.
#[test]
fn every_verb_receives_what_is_kept() {
    let verbs: [Verb; 7] = [
        |port| port.recv().ok(),
        |port| port.try_recv().ok(),
        |port| port.recv_timeout(Duration::ZERO).ok(),
        |port| port.recv_deadline(Instant::now()).ok(),
        |port| futures::executor::block_on(port.recv_async()).ok(),
        |port| port.iter().next(),
        |port| futures::executor::block_on_stream(port).next(),
    ];
    for receive in verbs {
        let [mut first, mut second] = one_is_kept();
        assert_eq!(receive(&mut first), Some(1));
        assert_eq!(receive(&mut second), Some(2));
        assert_eq!([receive(&mut first), receive(&mut second)], [None; 2]);
    }
}

/// While a message is kept that may be given back, no other receiver finds the end.
#[test]
fn the_end_comes_after_what_is_kept() {
    let [mut first, mut second] = one_is_kept();
    assert_eq!(second.recv(), Ok(2));
    assert!(!second.is_closed());
    assert_eq!(second.try_recv(), Err(TryRecvError::Empty(())));
    let (bell, waker) = Bell::new();
    let mut waiting = second.recv_async();
    assert!(poll_future(&mut waiting, &waker).is_pending());
    assert_eq!(first.recv(), Ok(1));
    assert_eq!(bell.rings(), 1, "it waits for the end");
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Err(RecvError)));
    drop(waiting);
    assert!(first.is_closed() && second.is_closed());
    assert_eq!(first.recv(), Err(RecvError));
}

/// A receiver that is dropped gives back what it keeps; a waiting one is woken for it.
#[test]
fn what_is_kept_is_given_back() {
    let [first, mut second] = one_is_kept();
    assert_eq!(second.recv(), Ok(2));
    let (bell, waker) = Bell::new();
    let mut third = second.clone();
    let mut waiting = second.recv_async();
    assert!(poll_future(&mut waiting, &waker).is_pending());
    drop(first);
    assert_eq!(bell.rings(), 1);
    assert!(third.is_ready() && !third.is_closed());
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok(1)));
    assert_eq!(third.try_recv(), Err(TryRecvError::Closed));
}

/// The same in two threads: one waits for the end, while the other keeps the last message, and drops it or
/// receives it.
#[test]
fn a_thread_waits_for_what_is_kept() {
    watched(|| {
        for is_received in [false, true] {
            let [mut first, mut second] = one_is_kept();
            assert_eq!(second.recv(), Ok(2));
            let waits = thread::spawn(move || second.recv());
            if is_received {
                assert_eq!(first.recv(), Ok(1));
            }
            drop(first);
            let heard = waits.join().expect("it does not panic");
            assert_eq!(heard.ok(), (!is_received).then_some(1));
        }
    });
}

/// A message that is kept, or was given back, is dropped with the last receiver.
#[test]
fn the_last_receiver_drops_what_is_left() {
    for (mut send, port) in streams() {
        let tally = Tally::new();
        let mut first = port.into_shared();
        let (mut second, made) = (first.clone(), tally.make(1));
        let sends = thread::spawn(move || {
            send(made);
            send
        });
        watched(move || {
            spin_while(|| poll(&mut first, Waker::noop()).is_pending());
            drop(first);
            assert!(second.is_ready(), "it was given back");
            assert!(poll(&mut second, Waker::noop()).is_ready());
        });
        assert_eq!(tally.gone(), 1);
        drop(sends.join().expect("it does not panic"));
        tally.assert_all_gone();
    }
}

/// What is kept counts as received.
#[test]
fn there_is_room_for_another_message() {
    let (chan, port) = shared_sync_stream(1);
    let mut first = port.into_shared();
    let mut second = first.clone();
    chan.try_send(1).expect("there is room");
    assert!(matches!(chan.try_send(2), Err(TrySendError::Full(2))));
    assert!(poll(&mut first, Waker::noop()).is_ready());
    chan.try_send(2).expect("the first is kept");
    assert!(matches!(chan.try_send(3), Err(TrySendError::Full(3))));
    drop(first);
    assert_eq!([second.recv(), second.recv()], [Ok(1), Ok(2)]);
}

/// What has no message to keep says so, and takes none.
#[test]
fn a_wait_may_find_nothing() {
    watched(|| {
        let (mut chan, port) = stream::<u64>();
        let mut port = port.into_shared();
        let none = pipes::select! { heard = port => Some(heard), default => None };
        assert_eq!(none, None);
        let none = pipes::select! { heard = port => Some(heard), timeout(Duration::from_millis(1)) => None };
        assert_eq!(none, None);
        let stopped = futures::executor::block_on(port.recv_or(ready("stop")));
        assert_eq!(stopped, Err(RecvOrError::Other((), "stop")));
        chan.send(1).expect("the port is here");
        assert_eq!(futures::executor::block_on(port.recv_or(pending::<()>())), Ok(1));
        drop(chan);
        let end = pipes::select! { heard = port => Some(heard), default => None };
        assert_eq!(end, Some(Err(RecvError)));
        assert_eq!(futures::executor::block_on(port.recv_or(pending::<()>())), Err(RecvOrError::Closed));
    });
}

/// A task that waits in `select_async!` and one that waits for a receive: each message wakes both, and one of
/// them gets it. If the selecting one is gone, the other one is woken all the same.
#[test]
fn a_selection_that_is_dropped_keeps_no_wake_up() {
    let (mut chan, port) = stream();
    let mut first = port.into_shared();
    let mut second = first.clone();
    let (_, waker) = Bell::new();
    {
        let mut selecting = Box::pin(async {
            pipes::select_async! { heard = first => heard }
        });
        assert!(poll_future(&mut selecting, &waker).is_pending());
    }
    let (bell, waker) = Bell::new();
    let mut waiting = second.recv_async();
    assert!(poll_future(&mut waiting, &waker).is_pending());
    chan.send(1).expect("the ports are here");
    assert_eq!(bell.rings(), 1);
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok(1)));
    drop(waiting);
    drop(first);
}

/// Threads that each select among two queues share all messages; each finds both ends.
#[test]
fn threads_select_among_two_queues() {
    watched(|| {
        const MESSAGES: u64 = 300;
        for ((send, port), (other_send, other_port)) in streams().into_iter().zip(streams().into_iter().rev())
        {
            let tally = Tally::new();
            let senders = [send, other_send].map(|mut send| {
                let made: Vec<Counted> = (1..=MESSAGES).map(|number| tally.make(number)).collect();
                thread::spawn(move || made.into_iter().for_each(&mut send))
            });
            let (left, right) = (port.into_shared(), other_port.into_shared());
            let workers = [(); 3].map(|()| {
                let (mut left, mut right) = (left.clone(), right.clone());
                thread::spawn(move || {
                    let (mut sum, mut is_open) = (0, [true; 2]);
                    loop {
                        let (heard, which) = pipes::select! {
                            heard = left, if is_open[0] => (heard, 0),
                            heard = right, if is_open[1] => (heard, 1),
                            else => return sum,
                        };
                        match heard {
                            Ok(message) => sum += message.number,
                            Err(RecvError) => is_open[which] = false,
                        }
                    }
                })
            });
            drop((left, right));
            let sum: u64 = workers.into_iter().map(|worker| worker.join().expect("no panic")).sum();
            assert_eq!(sum, MESSAGES * (MESSAGES + 1));
            senders.into_iter().for_each(|sender| sender.join().expect("no panic"));
            tally.assert_all_gone();
        }
    });
}

/// The functions of 2012 take them by reference.
#[test]
fn the_functions_select() {
    let (mut chan, port) = stream();
    let (_chan, other) = stream();
    let (mut port, mut other) = (port.into_shared(), other.into_shared());
    chan.send(7).expect("the port is here");
    let (index, heard, rest) = pipes::select(vec![&mut other, &mut port]);
    assert_eq!((index, heard, rest.len()), (1, Ok(7), 1));
    chan.send(8).expect("the port is here");
    let pipes::Either::Right((_, heard)) = pipes::select2(&mut other, &mut port) else {
        panic!("the other one has no message")
    };
    assert_eq!(heard, Ok(8));
}

/// A waker that panics does not cost the message that is kept.
#[test]
fn a_senders_waker_panics() {
    let tally = Tally::new();
    let (chan, port) = shared_sync_stream(1);
    let mut port = port.into_shared();
    chan.try_send(tally.make(1)).expect("there is room");
    let (_bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
    let mut sending = Box::pin(chan.send_async(tally.make(2)));
    assert!(poll_future(&mut sending, &waker).is_pending());
    assert!(caught(|| poll(&mut port, Waker::noop())).is_some(), "the panic is not swallowed");
    assert_eq!(tally.gone(), 0);
    assert_eq!(port.try_recv().expect("it was kept").number, 1);
    assert!(poll_future(&mut sending, Waker::noop()).is_ready());
    drop(sending);
    assert_eq!(port.try_recv().expect("it was sent").number, 2);
    tally.assert_all_gone();
}

/// What only looks never gives way, whatever was received before.
#[test]
fn a_look_does_not_give_way() {
    let (mut chan, port) = stream();
    let mut port = port.into_shared();
    let mut cx = Context::from_waker(Waker::noop());
    for number in 0..1000 {
        chan.send(number).expect("the port is here");
        assert!(port.poll_ready(&mut cx).is_ready());
        assert_eq!(port.try_recv(), Ok(number));
    }
}

/// A selection gives way after 128 messages.
#[test]
fn a_selection_gives_way() {
    let (mut chan, port) = stream();
    let mut port = port.into_shared();
    (0..1000).for_each(|number| chan.send(number).expect("the port is here"));
    let mut received = 0;
    let mut polls = 0;
    let mut receiving = Box::pin(async {
        while received < 1000 {
            pipes::select_async! { heard = port => assert_eq!(heard, Ok(received)) }
            received += 1;
        }
    });
    while poll_future(&mut receiving, Waker::noop()).is_pending() {
        polls += 1;
    }
    assert!((4..=9).contains(&polls), "{polls}");
    drop(receiving);
    assert_eq!(received, 1000);
}

/// A message that comes while a receive with another future registers wakes the first receiver in the line.
/// The task of the other one is woken too, or has polled its other future: nothing else would.
#[test]
fn a_message_for_the_first_in_the_line_does_not_keep_the_other_future_from_a_poll() {
    let (chan, port) = stream();
    let chan = Arc::new(Mutex::new(chan));
    let mut first = port.into_shared();
    let mut second = first.clone();
    let mut receive = first.recv_async();
    assert!(poll_future(&mut receive, Waker::noop()).is_pending());
    let polls = Cell::new(0);
    let other = poll_fn(|_| {
        polls.set(polls.get() + 1);
        Poll::<()>::Pending
    });
    let mut either = pin!(second.recv_or(other));
    // Its destructor sends: it runs when another waker takes its place.
    let sender = chan.clone();
    let sends = Bell::at_last(move || sender.lock().expect("no panic").send(7).expect("the port is here"));
    assert!(either.as_mut().poll(&mut Context::from_waker(&sends)).is_pending());
    assert_eq!(polls.get(), 1);
    drop(sends);
    let (bell, waker) = Bell::new();
    assert!(either.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    assert_eq!(poll_future(&mut receive, Waker::noop()), Poll::Ready(Ok(7)));
    assert!(polls.get() == 2 || bell.rings() > 0);
    drop(chan);
}
