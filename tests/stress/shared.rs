//! Many senders and one receiver, with counted destructors.

use crate::race::{alone, counted_race, race};
use pipes::{Port, RecvTimeoutError, SharedChan, shared_stream};
use pipes_tests::{Counted, DropCounter, Rng, caught, effort, poll, test_in};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;
use std::thread;
use std::time::Duration;

const SENDERS: u64 = 4;

/// A number that tells which sender sent it, and its place among that sender's messages.
pub fn number(sender: u64, index: u64) -> u64 {
    sender << 32 | index
}

/// Lets `SENDERS` threads send, each with an end of its own, while `receive` has the port.
fn fan_in<T: Send>(send: impl Fn(u64, SharedChan<T>) + Sync, receive: impl FnOnce(Port<T>) + Send) {
    let (chan, port) = shared_stream();
    thread::scope(|scope| {
        for sender in 0..SENDERS {
            let (chan, send) = (chan.clone(), &send);
            scope.spawn(move || send(sender, chan));
        }
        drop(chan);
        receive(port);
    });
}

/// A message whose send has returned can be received, even if another sender is in the middle of an earlier
/// send.
#[test_in(alone)]
fn what_was_sent_is_there() {
    let sent = AtomicUsize::new(0);
    let send = |_, chan: SharedChan<()>| {
        for _ in 0..effort(100_000) {
            assert!(chan.send(()).is_ok());
            sent.fetch_add(1, Ordering::SeqCst);
        }
    };
    let receive = |mut port: Port<()>| {
        let mut received = 0;
        while received < effort(100_000) * SENDERS as usize {
            let at_least = sent.load(Ordering::SeqCst);
            assert!(received >= at_least || port.is_ready(), "{at_least} were sent, {received} received");
            match port.try_recv() {
                Ok(()) => received += 1,
                Err(_) => assert!(received >= at_least, "{at_least} were sent, {received} received"),
            }
        }
        assert!(port.recv().is_err());
    };
    fan_in(send, receive);
}

/// The port leaves in the middle: what is not received goes back to its sender, or is dropped with the port.
/// One of the messages may panic when it is dropped.
#[test_in(alone)]
fn a_port_that_leaves_early() {
    let drops = DropCounter::new();
    let mut random = Rng::with_seed(1);
    for round in 0..effort(60) {
        let stay = random.usize(..effort(2000));
        let bomb = (round % 2 == 0).then(|| number(0, random.u64(..stay as u64 + 20)));
        let send = |sender, chan: SharedChan<Counted>| {
            for number in (0..).map(|index| number(sender, index)) {
                let value =
                    if bomb == Some(number) { drops.make_panicking(number) } else { drops.make(number) };
                if let Err(error) = chan.send(value) {
                    let back = error.into_payload();
                    assert_eq!(back.number, number, "its own value");
                    assert!(chan.is_closed());
                    let _panic = caught(|| drop(back));
                    break;
                }
            }
        };
        fan_in(send, |mut port| {
            let early: Vec<_> = port.iter().take(stay).collect();
            let _panic = caught(|| drop(port));
            early.into_iter().for_each(|value| drop(caught(|| drop(value))));
        });
        drops.assert_all_dropped();
    }
}

/// The payloads are large, so that a block has few slots, and the senders are at its end most of the time.
#[test_in(alone)]
fn sends_against_sends_at_the_end_of_a_block() {
    let make = |number: usize, drops: &DropCounter| {
        let (chan, mut port) = shared_stream();
        for number in 0..number as u64 % 5 {
            assert!(chan.send((drops.make(number), [0_u64; 200])).is_ok());
        }
        port.try_iter().take(number % 3).for_each(drop);
        ((chan.clone(), port, drops.make(8)), (chan, drops.make(9)))
    };
    let left = |(chan, mut port, payload): (SharedChan<_>, Port<_>, _)| {
        assert!(chan.send((payload, [0; 200])).is_ok());
        drop(chan);
        assert!(port.iter().filter(|(value, _): &(Counted, _)| value.number >= 8).count() == 2);
    };
    counted_race(15_000, make, left, |(chan, payload)| {
        assert!(chan.send((payload, [0; 200])).is_ok());
    });
}

/// The last sender to leave closes the stream.
#[test_in(alone)]
fn senders_that_come_and_go() {
    race(
        10_000,
        |number| {
            let (chan, mut port) = shared_stream::<u64>();
            if number % 2 == 0 {
                assert!(poll(&mut port, Waker::noop()).is_pending());
            }
            ((chan.clone(), port), chan)
        },
        |(chan, mut port)| {
            drop(chan);
            match port.recv_timeout(Duration::from_secs(20)) {
                Ok(value) => assert_eq!(value, 7),
                Err(error) => assert_eq!(error, RecvTimeoutError::Closed),
            }
            assert_eq!(port.recv_timeout(Duration::from_secs(20)), Err(RecvTimeoutError::Closed));
        },
        |chan| {
            let again = chan.clone();
            drop(chan);
            assert!(again.send(7).is_ok());
        },
    );
}

/// A weak sender becomes a sender and sends while the last sender leaves: what it has sent is received, and
/// the stream closes.
#[test_in(alone)]
fn a_weak_sender_against_the_last_one() {
    let drops = DropCounter::new();
    let [sent, received] = [const { AtomicUsize::new(0) }; 2];
    let make = |_| {
        let (chan, port) = shared_stream::<Counted>();
        let weak = chan.downgrade();
        (chan, (weak, port))
    };
    race(20_000, make, drop, |(weak, mut port)| {
        if let Some(chan) = weak.upgrade() {
            assert!(chan.send(drops.make(1)).is_ok());
            sent.fetch_add(1, Ordering::Relaxed);
        }
        received.fetch_add(port.iter().count(), Ordering::Relaxed);
        assert!(weak.upgrade().is_none());
    });
    assert_eq!(received.into_inner(), sent.into_inner());
    drops.assert_all_dropped();
}
