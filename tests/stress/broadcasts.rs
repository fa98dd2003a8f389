//! Races of broadcasts and watches.

use crate::race::{alone, counted_race, race};
use pipes::{BroadcastChan, BroadcastPort, WatchChan, WatchPort, broadcast, broadcast_lagging, watch};
use pipes_tests::{Counted, DropCounter, effort, spawn, test_in};
use std::time::Duration;

/// Two senders and three receivers of every kind pass many messages through a small ring. Each wait that
/// loses its wake-up would last for ever.
#[test_in(alone)]
fn every_kind_of_wait() {
    const EACH: u64 = effort(20_000) as u64;
    for capacity in [1, 3] {
        let drops = DropCounter::new();
        let (chan, port) = broadcast(capacity);
        let receivers = [0, 1, 2].map(|kind| {
            let mut port = port.clone();
            spawn(move || {
                let mut count = 0;
                loop {
                    let received: Result<Counted, _> = match (kind + count) % 3 {
                        0 => port.recv(),
                        1 => futures::executor::block_on(port.recv_async()),
                        _ => match port.recv_timeout(Duration::from_nanos(count)) {
                            Err(pipes::RecvTimeoutError::Timeout(())) => port.recv(),
                            other => other.map_err(|_| pipes::RecvError),
                        },
                    };
                    match received {
                        Ok(_) => count += 1,
                        Err(_) => return count,
                    }
                }
            })
        });
        drop(port);
        let other = chan.clone();
        let source = drops.clone();
        let sending = spawn(move || {
            let send = |number| other.send(source.make(number)).is_ok();
            (0..EACH).all(send)
        });
        for number in 0..EACH {
            assert!(futures::executor::block_on(chan.send_async(drops.make(number))).is_ok());
        }
        drop(chan);
        assert!(sending.join().expect("it does not panic"));
        for receiver in receivers {
            assert_eq!(receiver.join().expect("it does not panic"), 2 * EACH);
        }
        drops.assert_all_dropped();
    }
}

/// A send races with a receiver that begins to wait, and then the close does.
#[test_in(alone)]
fn a_send_against_a_receive() {
    let drops = DropCounter::new();
    let send = |chan: BroadcastChan<_>| assert!(chan.send(drops.make(1)).is_ok());
    race(
        20_000,
        |_| broadcast(1),
        send,
        |mut port: BroadcastPort<Counted>| {
            assert!(port.recv().is_ok());
            assert!(port.recv().is_err());
        },
    );
    drops.assert_all_dropped();
}

/// The slower of two receivers leaves at the moment when the sender begins to wait for it.
#[test_in(alone)]
fn a_receiver_that_leaves_against_a_send() {
    let drops = DropCounter::new();
    let make = |_| {
        let (chan, mut port) = broadcast(1);
        let slow = port.clone();
        assert!(chan.send(drops.make(1)).is_ok());
        assert!(port.recv().is_ok());
        ((chan, port), slow)
    };
    let send = |(chan, mut port): (BroadcastChan<_>, BroadcastPort<Counted>)| {
        assert!(chan.send(drops.make(2)).is_ok());
        assert_eq!(port.recv().map(|message| message.number), Ok(2));
    };
    race(20_000, make, send, drop);
    drops.assert_all_dropped();
}

/// Two receivers race for being the last. The value is gone when both have received.
#[test_in(alone)]
fn two_last_receivers() {
    let make = |_, drops: &DropCounter| {
        let (chan, port) = broadcast(1);
        assert!(chan.send(drops.make(1)).is_ok());
        ((port.clone(), chan.clone()), (port, chan))
    };
    let receive = |(mut port, chan): (BroadcastPort<Counted>, BroadcastChan<Counted>)| {
        assert!(port.try_recv().is_ok());
        drop(chan);
    };
    counted_race(20_000, make, receive, receive);
}

/// A message is received at the moment when it is overwritten: it arrives, or it is missed.
#[test_in(alone)]
fn a_send_that_overwrites_against_a_receive() {
    let drops = DropCounter::new();
    let make = |_| {
        let (chan, port) = broadcast_lagging(1);
        assert!(chan.send(drops.make(1)).is_ok());
        (chan, (port.clone(), port))
    };
    let send = |chan: pipes::LaggingChan<Counted>| assert!(chan.send(drops.make(2)).is_ok());
    race(20_000, make, send, |(mut port, _keeps)| {
        let account: u64 = port.iter().map(|next| next.map_or_else(|it| it.0, |_| 1)).sum();
        assert_eq!(account, 2);
    });
    drops.assert_all_dropped();
}

/// A change races with a receiver that begins to wait, and then the close does.
#[test_in(alone)]
fn a_change_against_a_wait() {
    let send = |chan: WatchChan<u64>| {
        assert!(chan.send(1).is_ok());
        assert!(chan.send(2).is_ok());
    };
    race(
        20_000,
        |_| watch(0),
        send,
        |mut port: WatchPort<u64>| {
            while port.changed().is_ok() {}
            assert_eq!(*port.borrow(), 2);
        },
    );
}
