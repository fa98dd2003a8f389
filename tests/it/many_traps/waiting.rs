//! Traps of waiting: which waiters are woken, and what they find.

use futures::StreamExt;
use pipes::{
    Chan, Port, PortSet, Receive, RecvError, RecvTimeoutError, SetEmpty, TryRecvError, oneshot, select,
    select_async, shared_stream, stream, sync_stream,
};
use pipes_tests::{Bell, Tally, poll_future, watched};
use std::mem::forget;
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

#[test]
#[allow(clippy::forget_non_drop, reason = "the trap is what was chosen and is never taken")]
fn leaked_selection_loses_or_invents_a_message() {
    let tally = Tally::new();
    let ((mut one, mut first), (_two, mut second)) = (stream(), stream());
    assert!(one.send(tally.make(1)).is_ok());
    forget(first.ready());
    let mut waiting = Box::pin(async {
        select_async! { it = first => it, it = second => it }
    });
    assert!(
        matches!(poll_future(&mut waiting, Waker::noop()), Poll::Ready(Ok(payload)) if payload.number == 1)
    );
    drop(waiting);
    let mut waiting = Box::pin(async {
        select_async! { it = first => it, it = second => it }
    });
    assert!(poll_future(&mut waiting, Waker::noop()).is_pending());
    forget(waiting);

    let mut set = PortSet::new();
    let mut chan = set.chan();
    assert!(chan.send(tally.make(2)).is_ok());
    let mut ready = set.ready();
    assert!(poll_future(&mut ready, Waker::noop()).is_ready());
    forget(ready);
    forget(set.recv_async());
    assert_eq!(set.recv().map(|(_, message)| message.map(|payload| payload.number)), Ok(Ok(2)));
    drop(set);
    tally.assert_all_gone();
}

/// One sender becomes many, one receiver several, and a port a member, while a receiver waits now and then.
#[test]
fn flavour_changes_while_a_receiver_waits() {
    watched(|| {
        let (chan, mut port) = shared_stream();
        let receiving = thread::spawn(move || {
            let mut received = Vec::new();
            let mut wait = |port: &mut Port<u64>, count: usize| {
                while received.len() < count {
                    match port.recv_timeout(Duration::from_micros(5)) {
                        Ok(number) => received.push(number),
                        Err(RecvTimeoutError::Timeout(())) => {}
                        Err(RecvTimeoutError::Closed) => panic!("there is more"),
                    }
                }
            };
            wait(&mut port, 500);
            let mut set = PortSet::new();
            let key = set.insert(port);
            for _ in 0..500 {
                let (_, message) = set.recv().expect("it is a member");
                received.push(message.expect("there is more"));
            }
            let mut port = set.remove(&key).expect("it is a member").into_shared();
            while let Ok(number) = port.recv_timeout(Duration::from_secs(1_000)) {
                received.push(number);
                port = port.clone();
            }
            received
        });
        let mut chan = chan;
        for number in 0..1_500 {
            chan.send(number).expect("the port is there");
            if number % 10 == 0 {
                chan = chan.clone();
            }
        }
        drop(chan);
        assert_eq!(receiving.join().expect("it does not panic"), (0..1_500).collect::<Vec<_>>());
    });
}

#[test]
fn stale_waiter_is_left_after_a_timed_out_send() {
    for capacity in [0, 1] {
        let (bell, waker) = Bell::new();
        let (mut chan, mut port) = sync_stream(capacity);
        (0..capacity).for_each(|_| chan.send(0).expect("there is room"));
        let mut sending = chan.send_async(1);
        assert!(poll_future(&mut sending, &waker).is_pending());
        assert_eq!(sending.into_inner(), Some(1));
        let mut give_up = |time| {
            let late = chan.send_timeout(2, time);
            assert!(late.is_err_and(|error| !error.is_closed() && error.into_payload() == 2));
        };
        give_up(Duration::from_micros(20));
        bell.gives_way(give_up);
        assert_eq!((bell.rings(), bell.wakers()), (0, 1));
        assert_eq!(port.try_iter().collect::<Vec<_>>(), vec![0; capacity]);
        assert_eq!(bell.rings(), 0, "nobody waits for room");
        let mut sending = chan.send_async(3);
        let pending = poll_future(&mut sending, &waker).is_pending();
        assert_eq!((pending, port.try_recv()), (capacity == 0, Ok(3)));
        assert_eq!(bell.rings(), usize::from(pending));
    }
}

#[test]
fn stale_waiter_is_left_after_a_timed_out_receive() {
    let (mut chan, port) = stream();
    let mut late = port.into_shared();
    let mut patient = late.clone();
    let ((one, one_waker), (two, two_waker)) = (Bell::new(), Bell::new());
    assert!(poll_future(&mut late.next(), &one_waker).is_pending());
    let mut waiting = patient.recv_async();
    assert!(poll_future(&mut waiting, &two_waker).is_pending());
    one.gives_way(|time| assert_eq!(late.recv_timeout(time), Err(RecvTimeoutError::Timeout(()))));
    assert_eq!((one.rings(), one.wakers()), (0, 1), "the wait has taken the stream's place");
    chan.send(1).expect("they are here");
    assert_eq!((one.rings(), two.rings()), (0, 1), "the one that has given up is not called");
    assert_eq!(poll_future(&mut waiting, &two_waker), Poll::Ready(Ok(1)));
}

#[test]
fn woken_waiter_is_cancelled_and_passes_the_wake_on() {
    let (mut chan, port) = stream();
    let port = port.into_shared();
    let mut ports: Vec<_> = (0..5).map(|_| port.clone()).collect();
    let (bells, wakers): (Vec<_>, Vec<_>) = (0..5).map(|_| Bell::new()).unzip();
    let mut waiting: Vec<_> = ports.iter_mut().map(|port| Some(port.recv_async())).collect();
    for (waiting, waker) in waiting.iter_mut().flatten().zip(&wakers) {
        assert!(poll_future(waiting, waker).is_pending());
    }
    chan.send(1).expect("they wait");
    // Each receiver is called, and leaves; the last one takes the message.
    for index in 0..4 {
        assert_eq!(bells.iter().map(|bell| bell.rings()).sum::<usize>(), index + 1);
        assert_eq!(bells[index].rings(), 1);
        waiting[index] = None;
    }
    let last = waiting[4].as_mut().expect("it still waits");
    assert_eq!((bells[4].rings(), poll_future(last, &wakers[4])), (1, Poll::Ready(Ok(1))));
}

/// Each thread waits for a stream of its own and for one whose only port goes from thread to thread.
#[test]
fn select_over_several_threads_loses_a_message() {
    watched(|| {
        const ROUNDS: u64 = 300;
        let (mut hand, handed) = stream::<Port<u64>>();
        let (mut tokens, token_port) = stream();
        hand.send(token_port).expect("it is here");
        let handed = handed.into_shared();
        let (mut threads, mut chans) = (Vec::new(), Vec::new());
        let (back, mut returned) = shared_stream::<Port<u64>>();
        for _ in 0..3 {
            let (chan, mut own) = stream::<u64>();
            let (mut handed, back) = (handed.clone(), back.clone());
            chans.push(chan);
            threads.push(thread::spawn(move || {
                let mut sum = 0;
                while let Ok(mut round) = handed.recv() {
                    // A few messages, from either port; then the port goes to the next thread.
                    for _ in 0..2 {
                        select! {
                            number = own => sum += number.unwrap_or(0),
                            number = round => sum += number.unwrap_or(0),
                        }
                    }
                    if back.send(round).is_err() {
                        break;
                    }
                }
                sum + own.iter().sum::<u64>()
            }));
        }
        drop(handed);
        let mut last = None;
        for number in 0..ROUNDS {
            tokens.send(number).expect("somebody has the port");
            for chan in &mut chans {
                chan.send(number).expect("the thread is there");
            }
            let port = returned.recv().expect("it comes back");
            if number + 1 == ROUNDS {
                last = Some(port);
            } else {
                hand.send(port).expect("somebody takes it");
            }
        }
        drop((hand, chans, tokens));
        let rest: u64 = last.expect("it came back").into_iter().sum();
        let sums = threads.into_iter().map(|thread| thread.join().expect("no thread panics"));
        assert_eq!(rest + sums.sum::<u64>(), 4 * (0..ROUNDS).sum::<u64>());
    });
}

#[test]
#[allow(clippy::forget_non_drop, reason = "the trap is a future whose destructor never runs")]
fn future_is_forgotten() {
    // Of a set: its waker stays registered, and is woken needlessly.
    let (bell, waker) = Bell::new();
    let mut set = PortSet::new();
    let mut chan = set.chan();
    let mut receiving = set.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    forget(receiving);
    chan.send(1).expect("the set is here");
    assert_eq!((bell.rings(), set.try_recv()), (1, Ok((0, Ok(1)))));
    let mut receiving = set.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    forget(receiving);
    drop(set);
    assert_eq!(bell.wakers(), 1);

    // Of a shared port: its place in the line goes with the port.
    let (mut chan, port) = stream();
    let (mut first, mut second) = (port.into_shared(), None);
    let mut receiving = first.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    forget(receiving);
    let mut waiting = second.insert(first.clone()).recv_async();
    assert!(poll_future(&mut waiting, &waker).is_pending());
    chan.send(2).expect("they are here");
    drop(first);
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok(2)));

    // Of a send: the offered payload can be taken, once.
    let tally = Tally::new();
    for taken in [false, true] {
        let (mut chan, mut port) = sync_stream(0);
        let mut sending = chan.send_async(tally.make(3));
        assert!(poll_future(&mut sending, &waker).is_pending());
        forget(sending);
        if taken {
            assert_eq!(port.try_recv().map(|payload| payload.number).ok(), Some(3));
            assert!(chan.try_send(tally.make(4)).is_err(), "nobody waits");
        } else {
            assert!(chan.try_send(tally.make(4)).is_err(), "something lies there");
        }
        drop((chan, port));
        tally.assert_all_gone();
    }
    assert_eq!(bell.wakers(), 1);
}

/// With nothing to wait for, every form returns at once.
#[test]
fn empty_selection_panics_or_hangs() {
    watched(|| {
        let (index, message, rest) = pipes::select(Vec::<&mut Port<u64>>::new());
        assert_eq!((index, message, rest.len()), (0, Err(RecvError), 0));
        let mut set = PortSet::<Port<u64>>::new();
        assert_eq!(set.recv(), Err(SetEmpty));
        assert_eq!(set.try_recv(), Err(TryRecvError::Closed));
        assert_eq!(set.recv_timeout(Duration::MAX), Err(RecvTimeoutError::Closed));
        assert_eq!(futures::executor::block_on(set.recv_async()), Err(SetEmpty));
        assert_eq!(futures::executor::block_on(StreamExt::next(&mut set)), None);
        assert_eq!(Receive::recv(&mut set), Err(RecvError));
        let (_chan, mut idle) = stream::<u64>();
        select! {
            turn = set => assert_eq!(turn, Err(SetEmpty)),
            number = idle => panic!("nobody sent {number:?}"),
        }
        let other = pipes::select2(&mut set, &mut idle);
        assert!(other.is_left());
    });
}

/// A message that is sent because an earlier one is known to have been sent comes after it.
#[test]
fn receiver_misses_what_came_first() {
    watched(|| {
        for _ in 0..300 {
            let (chan, mut port) = shared_stream();
            let (mut set, (tell, told)) = (PortSet::new(), oneshot());
            let (mut one, mut two): (Chan<u64>, Chan<u64>) = (set.chan(), set.chan());
            let other = chan.clone();
            let first = thread::spawn(move || {
                chan.send(1).expect("the port is there");
                one.send(1).expect("the set is there");
                tell.send(()).expect("the second one waits");
            });
            let second = thread::spawn(move || {
                told.recv().expect("the first one tells it");
                other.send(2).expect("the port is there");
                two.send(2).expect("the set is there");
            });
            assert_eq!([port.recv(), port.recv()], [Ok(1), Ok(2)]);
            // The set may have reported the first sender's close in between.
            let messages = std::iter::from_fn(|| set.messages().next());
            assert_eq!(messages.collect::<Vec<_>>(), [1, 2]);
            first.join().expect("it does not panic");
            second.join().expect("it does not panic");
        }
    });
}
