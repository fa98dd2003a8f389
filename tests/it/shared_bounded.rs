//! Bounded streams with many senders: room, the line, permits, and every way to receive.

use pipes::{
    Closing, PortSet, SendTimeoutError, SharedChan, TrySendError, select, shared_stream, shared_sync_stream,
};
use pipes_tests::{Bell, Tally, poll_future, watched};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// A stream that is full, with its sender's end.
fn full(capacity: u64) -> (SharedChan<u64>, pipes::Port<u64>) {
    let (chan, port) = shared_sync_stream(capacity as usize);
    (0..capacity).for_each(|number| chan.try_send(number).expect("there is room"));
    (chan, port)
}

#[test]
fn as_many_fit_as_the_capacity_says() {
    for capacity in [1, 2, 3, 64, 1000] {
        let (chan, mut port) = full(capacity);
        let other = chan.clone();
        assert_eq!(other.try_send(9), Err(TrySendError::Full(9)));
        assert_eq!(port.recv(), Ok(0));
        assert_eq!(other.try_send(9), Ok(()));
        assert_eq!(chan.try_send(9), Err(TrySendError::Full(9)));
        drop((chan, other));
        assert_eq!(port.iter().count() as u64, capacity);
    }
}

/// However a value is received, its room is free afterwards.
#[test]
fn every_receive_makes_room() {
    watched(|| {
        let receive: [fn(&mut pipes::Port<u64>) -> u64; 7] = [
            |port| port.recv().expect("it was sent"),
            |port| port.try_recv().expect("it was sent"),
            |port| port.recv_timeout(Duration::from_secs(9)).expect("it was sent"),
            |port| port.iter().next().expect("it was sent"),
            |port| futures::executor::block_on(port.recv_async()).expect("it was sent"),
            |port| futures::executor::block_on_stream(port).next().expect("it was sent"),
            |port| {
                let mut values = Vec::new();
                assert_eq!(port.recv_many(&mut values, 1), Ok(1));
                values[0]
            },
        ];
        let (chan, mut port) = full(1);
        for (number, receive) in (1..).zip(receive) {
            assert_eq!(receive(&mut port), number - 1);
            assert_eq!(chan.try_send(number), Ok(()), "receive {number}");
            assert_eq!(chan.try_send(99), Err(TrySendError::Full(99)));
        }
    });
}

#[test]
fn a_run_makes_room_for_as_many() {
    let (chan, mut port) = full(8);
    let mut values = Vec::new();
    assert_eq!(port.recv_many(&mut values, 5), Ok(5));
    assert_eq!((0..9).filter(|&number| chan.try_send(number).is_ok()).count(), 5);
    assert_eq!(port.try_recv_many(&mut values, 100), Ok(8));
    assert_eq!(values, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4]);
}

/// A port of this kind is a port: a member of a set, a receiver in `select!`, and shared by several.
#[test]
fn the_port_is_like_every_other() {
    watched(|| {
        let (chan, port) = full(1);
        let mut set = PortSet::new();
        set.insert(port);
        assert_eq!(set.recv().expect("it has a member").1, Ok(0));
        assert_eq!(chan.try_send(1), Ok(()), "the set has made room");

        let (chan, mut port) = full(1);
        let selected = select! { value = port => value, default => panic!("it was sent") };
        assert_eq!(selected, Ok(0));
        assert_eq!(chan.try_send(1), Ok(()), "the selection has made room");

        let mut first = port.into_shared();
        let mut second = first.clone();
        let sender = thread::spawn(move || (2..=9).try_for_each(|number| chan.send(number)));
        let other = thread::spawn(move || second.iter().sum::<u64>());
        let sum = first.iter().sum::<u64>() + other.join().expect("it does not panic");
        assert_eq!(sum, 45);
        sender.join().expect("it does not panic").expect("receivers are there");
    });
}

#[test]
fn a_send_waits_until_a_deadline() {
    watched(|| {
        let (chan, mut port) = full(1);
        let short = Duration::from_micros(10);
        assert_eq!(chan.send_timeout(7, short), Err(SendTimeoutError::Timeout(7)));
        assert_eq!(chan.send_timeout(7, Duration::ZERO), Err(SendTimeoutError::Timeout(7)));
        assert_eq!(chan.send_deadline(7, Instant::now() + short), Err(SendTimeoutError::Timeout(7)));
        assert!(matches!(chan.reserve_timeout(short), Err(SendTimeoutError::Timeout(()))));
        assert!(matches!(chan.reserve_deadline(Instant::now()), Err(SendTimeoutError::Timeout(()))));
        assert_eq!(port.recv(), Ok(0));
        assert_eq!(chan.send_timeout(1, Duration::ZERO), Ok(()), "no one that gave up has kept the room");
        let waiting = chan.clone();
        let sender = thread::spawn(move || waiting.send_timeout(2, Duration::MAX));
        assert!(port.iter().take(2).eq([1, 2]));
        assert_eq!(sender.join().expect("it does not panic"), Ok(()));
        drop(port);
        assert_eq!(chan.send_timeout(3, short), Err(SendTimeoutError::Closed(3)));
    });
}

/// Room goes to the senders in the order in which they began to wait, whatever they wait with.
#[test]
fn the_line_is_served_in_order() {
    let (chan, mut port) = full(1);
    let (bells, wakers): (Vec<_>, Vec<_>) = (0..4).map(|_| Bell::new()).unzip();
    let mut sends = [1, 2, 3].map(|number| chan.send_async(number));
    for (send, waker) in sends.iter_mut().zip(&wakers) {
        assert!(poll_future(send, waker).is_pending());
    }
    let mut last = chan.reserve_async();
    assert!(poll_future(&mut last, &wakers[3]).is_pending());
    for number in 0..3 {
        assert_eq!(port.try_recv(), Ok(number as u64));
        let rung: Vec<_> = bells.iter().map(|bell| bell.rings()).collect();
        assert_eq!(rung, (0..4).map(|it| usize::from(it <= number)).collect::<Vec<_>>());
        assert_eq!(chan.try_send(9), Err(TrySendError::Full(9)), "the room is granted");
        for later in (number + 1)..3 {
            assert!(poll_future(&mut sends[later], &wakers[later]).is_pending());
        }
        assert_eq!(poll_future(&mut sends[number], &wakers[number]), Poll::Ready(Ok(())));
    }
    assert_eq!(port.try_recv(), Ok(3));
    let Poll::Ready(Ok(permit)) = poll_future(&mut last, &wakers[3]) else { panic!("it is granted") };
    permit.send(4).expect("the port is there");
    assert_eq!(port.try_recv(), Ok(4));
}

/// A waiting send is given another waker, and gives its value back.
#[test]
fn a_waiting_send_is_moved_and_taken_back() {
    let (chan, mut port) = full(1);
    let (old, new) = (Bell::new(), Bell::new());
    let mut send = chan.send_async(5);
    assert!(poll_future(&mut send, &old.1).is_pending());
    assert!(poll_future(&mut send, &new.1).is_pending());
    assert_eq!(port.try_recv(), Ok(0));
    assert_eq!((old.0.rings(), new.0.rings()), (0, 1), "the last waker is called");
    assert_eq!(send.into_inner(), Some(5));
    assert_eq!(chan.try_send(6), Ok(()), "what it was granted has gone back");
    assert_eq!(port.try_recv(), Ok(6));
    let mut send = chan.send_async(7);
    assert_eq!(poll_future(&mut send, Waker::noop()), Poll::Ready(Ok(())));
    assert_eq!(poll_future(&mut send, Waker::noop()), Poll::Ready(Ok(())), "nothing is sent twice");
    assert_eq!(send.into_inner(), None);
}

#[test]
fn permits_are_room() {
    let (chan, mut port) = shared_sync_stream(2);
    let (first, second) = (chan.try_reserve().expect("room"), chan.reserve().expect("room"));
    assert_eq!(chan.try_send(0), Err(TrySendError::Full(0)));
    second.send(2).expect("the port is there");
    drop(first);
    assert_eq!(chan.try_send(3), Ok(()));
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())));
    assert!(port.try_iter().eq([2, 3]));
    let permit = chan.reserve().expect("room");
    drop(port);
    assert_eq!(permit.send(4).expect_err("the port has gone").into_payload(), 4);
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Closed(())));
    assert!(chan.reserve().is_err());
    assert!(futures::executor::block_on(chan.reserve_async()).is_err());
}

/// An unbounded stream has the same methods, and there is always room.
#[test]
fn an_unbounded_stream_has_permits_too() {
    let (chan, mut port) = shared_stream();
    let permits: Vec<_> = (0..100).map(|_| chan.try_reserve().expect("there is always room")).collect();
    for (number, permit) in permits.into_iter().enumerate() {
        permit.send(number).expect("the port is there");
    }
    chan.reserve_timeout(Duration::ZERO).expect("room").send(100).expect("the port is there");
    chan.send_timeout(101, Duration::ZERO).expect("the port is there");
    assert_eq!(poll_future(&mut chan.send_async(102), Waker::noop()), Poll::Ready(Ok(())));
    assert!(port.try_iter().eq(0..103));
    drop(port);
    assert_eq!(chan.send_timeout(9, Duration::ZERO), Err(SendTimeoutError::Closed(9)));
    assert!(chan.reserve().is_err());
}

/// Values that were not sent stay in the vector, in order, when the port is dropped during the wait.
#[test]
fn all_values_of_a_vector() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream(2);
        let sender = thread::spawn(move || {
            let mut values: Vec<u64> = (0..50).collect();
            let sent = chan.send_all(&mut values).is_ok();
            (sent, values)
        });
        assert!(port.iter().take(20).eq(0..20));
        drop(port);
        let (sent, left) = sender.join().expect("it does not panic");
        assert!(!sent);
        assert!((20..=22).contains(&left[0]), "at most two were sent and not received");
        assert!(left.iter().copied().eq(left[0]..50));
        let (chan, mut port) = shared_sync_stream(50);
        let mut values: Vec<u64> = (0..50).collect();
        assert!(chan.send_all(&mut values).is_ok() && values.is_empty());
        assert!(port.try_iter().eq(0..50));
    });
}

/// All senders that wait, threads and tasks, get their values back when the port is dropped.
#[test]
fn a_close_ends_every_wait() {
    watched(|| {
        let tally = Tally::new();
        let (chan, port) = shared_sync_stream(1);
        chan.try_send(tally.make(0)).expect("there is room");
        let threads: Vec<_> = (1..4)
            .map(|number| {
                let (chan, value) = (chan.clone(), tally.make(number));
                thread::spawn(move || chan.send(value).expect_err("the port goes").into_payload().number)
            })
            .collect();
        let (bell, waker) = Bell::new();
        let mut task = chan.send_async(tally.make(9));
        assert!(poll_future(&mut task, &waker).is_pending());
        drop(port);
        assert_eq!(bell.rings(), 1);
        let Poll::Ready(Err(back)) = poll_future(&mut task, &waker) else { panic!("the port has gone") };
        assert_eq!(back.into_payload().number, 9);
        let back: Vec<_> = threads.into_iter().map(|it| it.join().expect("it does not panic")).collect();
        assert_eq!(back, [1, 2, 3]);
        assert!(Closing::is_closed(&chan));
        drop(task);
        tally.assert_all_gone();
    });
}

/// The stream ends when the last sender is dropped, also if a sender waited until then.
#[test]
fn the_last_sender_closes() {
    watched(|| {
        let (chan, mut port) = full(1);
        let sender = thread::spawn(move || chan.send(1));
        assert!(port.iter().eq([0, 1]));
        assert!(port.recv().is_err());
        sender.join().expect("it does not panic").expect("the port was there");
    });
}

/// A sender that panics while it holds a permit gives it back.
#[test]
fn a_panic_gives_the_room_back() {
    let (chan, _port) = shared_sync_stream::<u64>(1);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _permit = chan.reserve().expect("there is room");
        std::panic::resume_unwind(Box::new("on purpose"));
    }));
    assert!(panicked.is_err());
    assert_eq!(chan.try_send(1), Ok(()));
}
