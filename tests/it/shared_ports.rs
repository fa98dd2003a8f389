//! One port for several receivers.

use crate::acceptance::Sleeper;
use futures::StreamExt;
use futures::executor::block_on;
use pipes::{RecvError, RecvTimeoutError, SharedPort, TryRecvError, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Tally, caught, poll, poll_future, watched};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn one_receiver_has_every_verb() {
    watched(|| {
        let (mut chan, port) = stream();
        chan.send(0).expect("the port is here");
        let mut port = port.into_shared();
        assert_eq!(port.recv(), Ok(0), "it was sent before the port was shared");
        assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
        assert_eq!(port.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
        assert_eq!(port.recv_timeout(Duration::from_micros(50)), Err(RecvTimeoutError::Timeout(())));
        assert_eq!(port.recv_deadline(Instant::now()), Err(RecvTimeoutError::Timeout(())));
        (1..8).for_each(|number| chan.send(number).expect("the port is here"));
        assert_eq!(port.try_recv(), Ok(1));
        assert_eq!(port.recv_timeout(Duration::ZERO), Ok(2));
        assert_eq!(port.recv_timeout(Duration::MAX), Ok(3));
        assert_eq!(port.recv_deadline(Instant::now()), Ok(4));
        assert_eq!(block_on(port.recv_async()), Ok(5));
        assert_eq!(block_on(port.next()), Some(6));
        assert_eq!(port.iter().next(), Some(7));
        drop(chan);
        for _ in 0..2 {
            assert_eq!(port.recv(), Err(RecvError));
            assert_eq!(port.try_recv(), Err(TryRecvError::Closed));
            assert_eq!(port.recv_timeout(Duration::MAX), Err(RecvTimeoutError::Closed));
            assert_eq!(port.recv_deadline(Instant::now()), Err(RecvTimeoutError::Closed));
            assert_eq!(block_on(port.recv_async()), Err(RecvError));
            assert_eq!(block_on(port.next()), None);
            assert_eq!(port.iter().next(), None);
        }
    });
}

/// The last receiver that leaves closes the stream, and drops everything unread.
#[test]
fn the_last_receiver_closes() {
    let tally = Tally::new();
    let (mut chan, port) = stream();
    let mut ports = vec![port.into_shared()];
    for number in 0..5 {
        let clone = ports[number / 2].clone();
        ports.push(clone);
    }
    (0..10).for_each(|number| assert!(chan.send(tally.make(number)).is_ok()));
    while ports.len() > 1 {
        drop(ports.pop());
        assert!(!chan.is_closed());
    }
    assert_eq!(tally.gone(), 0);
    drop(ports);
    assert!(chan.is_closed());
    tally.assert_all_gone();
    assert!(chan.send(tally.make(10)).is_err());
}

/// The close wakes all receivers.
#[test]
fn a_close_wakes_all_who_wait() {
    watched(|| {
        let (chan, port) = stream::<u64>();
        let port = port.into_shared();
        let sleepers: Vec<_> = (0..8)
            .map(|number| {
                let mut port = port.clone();
                Sleeper::spawn(
                    move || if number % 2 == 0 { port.recv() } else { block_on(port.recv_async()) },
                )
            })
            .collect();
        sleepers.iter().for_each(Sleeper::fall_asleep);
        drop(chan);
        for sleeper in sleepers {
            assert_eq!(sleeper.join().expect("it does not panic"), Err(RecvError));
        }
    });
}

/// Tasks are called in the order in which they began to wait, one for each message.
#[test]
fn who_waits_longest_is_called_first() {
    let (mut chan, port) = stream();
    let port = port.into_shared();
    let mut ports: Vec<_> = (0..4).map(|_| port.clone()).collect();
    let (bells, wakers): (Vec<_>, Vec<_>) = (0..4).map(|_| Bell::new()).unzip();
    let mut waiting: Vec<_> = ports.iter_mut().map(SharedPort::recv_async).collect();
    for index in [2, 0, 3, 1] {
        assert!(poll_future(&mut waiting[index], &wakers[index]).is_pending());
    }
    // A second poll keeps the place in the line.
    assert!(poll_future(&mut waiting[2], &wakers[2]).is_pending());
    for (called, index) in [2, 0, 3, 1].into_iter().enumerate() {
        chan.send(called).expect("they wait");
        assert_eq!(bells[index].rings(), 1);
        assert_eq!(bells.iter().map(|bell| bell.rings()).sum::<usize>(), called + 1);
        assert_eq!(poll_future(&mut waiting[index], &wakers[index]), Poll::Ready(Ok(called)));
    }
    assert!(bells.iter().all(|bell| bell.wakers() == 1));
}

/// Two messages before any receiver looks: the receiver that takes the first one calls the next receiver.
#[test]
fn who_is_called_passes_the_call_on() {
    let (mut chan, port) = stream();
    let (mut first, mut second) = {
        let port = port.into_shared();
        (port.clone(), port)
    };
    let ((one, one_waker), (two, two_waker)) = (Bell::new(), Bell::new());
    let (mut first, mut second) = (first.recv_async(), second.recv_async());
    assert!(poll_future(&mut first, &one_waker).is_pending());
    assert!(poll_future(&mut second, &two_waker).is_pending());
    chan.send(1).expect("they wait");
    chan.send(2).expect("they wait");
    assert_eq!((one.rings(), two.rings()), (1, 0));
    assert_eq!(poll_future(&mut first, &one_waker), Poll::Ready(Ok(1)));
    assert_eq!((one.rings(), two.rings()), (1, 1));
    assert_eq!(poll_future(&mut second, &two_waker), Poll::Ready(Ok(2)));
}

/// A receiver that is called, and dropped before it looks: the next one is called instead.
#[test]
fn a_called_receiver_that_is_dropped_passes_the_call_on() {
    for closed in [false, true] {
        let (mut chan, port) = stream();
        let mut ports = [port.into_shared(), stream().1.into_shared()];
        ports[1] = ports[0].clone();
        let [first, second] = &mut ports;
        let ((one, one_waker), (two, two_waker)) = (Bell::new(), Bell::new());
        let (mut first, mut second) = (first.recv_async(), second.recv_async());
        assert!(poll_future(&mut first, &one_waker).is_pending());
        assert!(poll_future(&mut second, &two_waker).is_pending());
        if closed {
            drop(chan);
        } else {
            chan.send(1).expect("they wait");
        }
        assert_eq!((one.rings(), two.rings()), (1, 0));
        drop(first);
        assert_eq!((one.rings(), two.rings()), (1, 1));
        assert_eq!(
            poll_future(&mut second, &two_waker),
            Poll::Ready(if closed { Err(RecvError) } else { Ok(1) })
        );
    }
}

/// The call is also passed on if the called receiver leaves, or receives with a verb that does not wait.
#[test]
fn a_called_receiver_that_does_something_else_passes_the_call_on() {
    let otherwise: [fn(SharedPort<u64>) -> Option<u64>; 3] = [
        |port| {
            drop(port);
            None
        },
        |mut port| port.try_recv().ok(),
        |mut port| port.recv_timeout(Duration::ZERO).ok(),
    ];
    for does in otherwise {
        let (mut chan, port) = stream();
        let mut first = port.into_shared();
        let mut second = first.clone();
        let ((one, one_waker), (two, two_waker)) = (Bell::new(), Bell::new());
        // A leaked future keeps its place in the line.
        let mut leaked = first.recv_async();
        assert!(poll_future(&mut leaked, &one_waker).is_pending());
        std::mem::forget(leaked);
        let mut second = second.recv_async();
        assert!(poll_future(&mut second, &two_waker).is_pending());
        chan.send(1).expect("they wait");
        chan.send(2).expect("they wait");
        assert_eq!((one.rings(), two.rings()), (1, 0));
        let mut got: Vec<_> = does(first).into_iter().collect();
        assert_eq!(two.rings(), 1, "there is more, or there is what was not taken");
        let Poll::Ready(Ok(number)) = poll_future(&mut second, &two_waker) else { panic!("it was called") };
        got.push(number);
        assert_eq!(got, (1..=got.len() as u64).collect::<Vec<_>>());
    }
}

/// A receiver is called, and another one that did not wait takes the message: the first waits again, and is
/// called again.
#[test]
fn a_called_receiver_that_comes_too_late() {
    let (mut chan, port) = stream();
    let mut patient = port.into_shared();
    let mut hasty = patient.clone();
    let (bell, waker) = Bell::new();
    let mut waiting = patient.recv_async();
    assert!(poll_future(&mut waiting, &waker).is_pending());
    chan.send(1).expect("they are here");
    assert_eq!((bell.rings(), hasty.try_recv()), (1, Ok(1)));
    assert!(poll_future(&mut waiting, &waker).is_pending());
    chan.send(2).expect("they are here");
    assert_eq!(bell.rings(), 2);
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok(2)));
}

#[test]
fn of_several_polls_the_last_waker_counts() {
    let (mut chan, port) = stream();
    let mut port = port.into_shared();
    let ((old, old_waker), (new, new_waker)) = (Bell::new(), Bell::new());
    let mut waiting = port.recv_async();
    for waker in [&old_waker, &new_waker, &old_waker, &new_waker] {
        assert!(poll_future(&mut waiting, waker).is_pending());
    }
    assert_eq!(old.wakers(), 1);
    chan.send(1).expect("it waits");
    assert_eq!((old.rings(), new.rings()), (0, 1));
    drop(waiting);
    assert_eq!((new.wakers(), port.try_recv()), (1, Ok(1)));
}

/// A waker that receives in the middle of the send, and a waker that panics there.
#[test]
fn wakers_that_come_back_or_panic() {
    watched(|| {
        let (mut chan, port) = stream();
        let mut port = port.into_shared();
        let (inside, seen) = (Mutex::new(port.clone()), Arc::new(Mutex::new(None)));
        let log = seen.clone();
        let (_bell, waker) = Bell::that(move || {
            *log.lock().expect("nobody panics") = Some(inside.lock().expect("nobody panics").try_recv());
        });
        assert!(poll_future(&mut port.recv_async(), &waker).is_pending());
        let mut waiting = port.recv_async();
        assert!(poll_future(&mut waiting, &waker).is_pending());
        chan.send(1).expect("they are here");
        assert_eq!(*seen.lock().expect("nobody panics"), Some(Ok(1)));
        assert!(poll_future(&mut waiting, &waker).is_pending());
        drop(waiting);

        let (_bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
        let mut waiting = port.recv_async();
        assert!(poll_future(&mut waiting, &waker).is_pending());
        assert!(caught(|| chan.send(2)).is_some());
        assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok(2)));
    });
}

/// A task waited for the port before it was shared: its waker is dropped when another receiver waits.
#[test]
fn a_waiter_from_before_it_was_shared() {
    let (bell, waker) = Bell::new();
    let (mut chan, mut port) = stream();
    assert!(poll(&mut port, &waker).is_pending());
    let mut port = port.into_shared();
    let (own, own_waker) = Bell::new();
    let mut waiting = port.recv_async();
    assert!(poll_future(&mut waiting, &own_waker).is_pending());
    assert_eq!(bell.wakers(), 1);
    chan.send(1).expect("it waits");
    assert_eq!((bell.rings(), own.rings()), (0, 1));
    assert_eq!(poll_future(&mut waiting, &own_waker), Poll::Ready(Ok(1)));
}

/// Streams of every kind, with threads and tasks as receivers.
#[test]
fn every_message_goes_to_exactly_one() {
    type Ends = (Box<dyn FnMut(u64) + Send>, SharedPort<u64>);
    fn shared_of(kind: usize) -> Ends {
        match kind {
            0 => {
                let (mut chan, port) = stream();
                (Box::new(move |number| chan.send(number).expect("they are there")), port.into_shared())
            }
            1 => {
                let (mut chan, port) = sync_stream(2);
                (Box::new(move |number| chan.send(number).expect("they are there")), port.into_shared())
            }
            2 => {
                let (mut chan, port) = sync_stream(0);
                (Box::new(move |number| chan.send(number).expect("they are there")), port.into_shared())
            }
            _ => {
                let (chan, port) = shared_stream();
                (Box::new(move |number| chan.send(number).expect("they are there")), port.into_shared())
            }
        }
    }
    watched(|| {
        for kind in 0..4 {
            let (mut send, port) = shared_of(kind);
            let receivers: Vec<_> = (0..5)
                .map(|receiver| {
                    let mut port = port.clone();
                    thread::spawn(move || match receiver {
                        0 => block_on(port.collect::<Vec<_>>()),
                        1 => {
                            let mut received = Vec::new();
                            loop {
                                match port.recv_timeout(Duration::from_micros(20)) {
                                    Ok(number) => received.push(number),
                                    Err(RecvTimeoutError::Timeout(())) => {}
                                    Err(RecvTimeoutError::Closed) => return received,
                                }
                            }
                        }
                        _ => port.iter().collect(),
                    })
                })
                .collect();
            drop(port);
            (0..2_000).for_each(&mut send);
            drop(send);
            let mut all = Vec::new();
            for receiver in receivers {
                let received = receiver.join().expect("no receiver panics");
                assert!(received.is_sorted(), "what one receiver gets is in order");
                all.extend(received);
            }
            all.sort_unstable();
            assert_eq!(all, (0..2_000).collect::<Vec<_>>(), "kind {kind}");
        }
    });
}

#[test]
fn it_can_be_printed_and_sent() {
    fn check<T: Send + Sync + Unpin>(_: &T) {}
    let (_chan, port) = stream::<u64>();
    let mut port = port.into_shared();
    check(&port);
    assert_eq!(format!("{port:?}"), "SharedPort { waits: false, .. }");
    assert!(poll_future(&mut port.next(), Waker::noop()).is_pending());
    assert_eq!(format!("{port:?}"), "SharedPort { waits: true, .. }");
}
