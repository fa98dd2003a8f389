//! Members that close, and sets that are dropped.

use super::streams;
use pipes::{Closed, Port, PortSet, SetEmpty, TryRecvError, oneshot, stream, sync_stream};
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::{Bell, Counted, Tally, caught, courier, poll_future, watched};
use std::thread;

#[test]
fn a_close_is_reported_once_and_after_the_messages() {
    watched(|| {
        for unread in 0..200 {
            let (mut chans, mut set) = streams(2);
            let mut chan = chans.remove(0);
            (0..unread).for_each(|number| chan.send(number).expect("the set is here"));
            drop(chan);
            for number in 0..unread {
                assert_eq!(set.recv(), Ok((0, Ok(number))));
                assert!(set.contains_key(&0));
            }
            assert_eq!(set.recv(), Ok((0, Err(Closed))));
            assert!(!set.contains_key(&0) && set.remove(&0).is_none());
            assert_eq!((set.len(), set.try_recv()), (1, Err(TryRecvError::Empty(()))));
        }
    });
}

/// The key of a member that has closed can be used again.
#[test]
fn a_key_is_free_after_the_close() {
    watched(|| {
        let mut set = PortSet::new();
        for round in 0..10 {
            let (mut chan, port) = stream();
            assert!(set.insert_at("the key", port).is_none());
            chan.send(round).expect("the set is here");
            assert_eq!(set.recv(), Ok(("the key", Ok(round))));
            drop(chan);
            assert_eq!(set.recv(), Ok(("the key", Err(Closed))));
        }
        assert_eq!(set.recv(), Err(SetEmpty));
    });
}

/// Closes are received in the order in which the members closed.
#[test]
fn everybody_closes() {
    watched(|| {
        let (chans, mut set) = streams::<u64>(100);
        let (even, odd): (Vec<_>, Vec<_>) =
            chans.into_iter().enumerate().partition(|(number, _)| number % 2 == 0);
        drop(odd);
        even.into_iter().rev().for_each(drop);
        let order: Vec<_> =
            (0..50).map(|half| half * 2 + 1).chain((0..50).rev().map(|half| half * 2)).collect();
        let closed: Vec<_> = (0..100)
            .map(|_| match set.recv() {
                Ok((key, Err(Closed))) => key,
                turn => panic!("nobody sent {turn:?}"),
            })
            .collect();
        assert_eq!(closed, order);
        assert_eq!(set.recv(), Err(SetEmpty));
    });
}

/// A panic closes what its thread owned, and the set reports it.
#[test]
fn a_sender_panics() {
    watched(|| {
        let (chans, mut set) = streams::<u64>(4);
        for (number, mut chan) in chans.into_iter().enumerate() {
            let dying = thread::spawn(move || {
                chan.send(number as u64).expect("the set is there");
                std::panic::resume_unwind(Box::new("on purpose"));
            });
            assert!(dying.join().is_err());
            assert_eq!(set.recv(), Ok((number, Ok(number as u64))));
            assert_eq!(set.recv(), Ok((number, Err(Closed))));
        }
        assert!(set.is_empty());
    });
}

/// The set is dropped after 0 to 12 of its members' messages were received.
#[test]
fn a_dropped_set_closes_its_members() {
    for received in 0..=12 {
        let tally = Tally::new();
        let (mut chans, mut set) = streams(4);
        for (number, chan) in chans.iter_mut().enumerate().skip(1) {
            (0..number as u64 * 2).for_each(|it| chan.send(tally.make(it)).expect("the set is here"));
        }
        assert_eq!(set.messages().take(received).count(), received);
        assert_eq!(tally.gone(), received);
        drop(set);
        tally.assert_all_gone();
        for chan in &mut chans {
            assert!(chan.is_closed());
            assert_eq!(chan.send(tally.make(99)).map_err(|error| error.into_payload().number), Err(99));
        }
    }
}

/// Peers that wait for the members are woken, and learn of the close.
#[test]
fn a_dropped_set_wakes_who_waits_for_its_members() {
    watched(|| {
        let (bell, waker) = Bell::new();
        let mut set = PortSet::new();
        let (mut chan, port) = sync_stream(1);
        set.insert(port);
        chan.send(1).expect("the set is here");
        let mut sending = chan.send_async(2);
        assert!(poll_future(&mut sending, &waker).is_pending());
        drop(set);
        assert_eq!(bell.rings(), 1);
        let std::task::Poll::Ready(Err(error)) = poll_future(&mut sending, &waker) else {
            panic!("it has closed")
        };
        assert_eq!(error.into_payload(), 2);

        let mut set = PortSet::new();
        let (client, server) = pingpong::pipe();
        set.insert(server);
        let client = client.ping(7).expect("the set is here");
        let waiting = thread::spawn(move || client.recv().is_err());
        drop(set);
        assert!(waiting.join().expect("it does not panic"));
    });
}

/// An endpoint in an unread message of a member closes too.
#[test]
fn what_lies_in_unread_messages_closes() {
    watched(|| {
        let (inner, delivered) = pingpong::pipe::<u64>();
        let inner = inner.ping(1).expect("it is here");
        let (client, server) = courier::pipe();
        client.last(delivered).expect("it is here");
        let mut set = PortSet::new();
        set.insert(server);
        assert!(!inner.is_closed());
        drop(set);
        assert!(inner.recv().is_err());
    });
}

#[test]
fn a_panicking_destructor_in_a_dropped_set() {
    let tally = Tally::new();
    let (mut chans, set) = streams(10);
    for (number, chan) in chans.iter_mut().enumerate() {
        let payload = if number == 4 { tally.make_bomb(4) } else { tally.make(number as u64) };
        assert!(chan.send(payload).is_ok());
        assert!(chan.send(tally.make(0)).is_ok());
    }
    let panic = caught(|| drop(set)).expect("the destructor's panic is not swallowed");
    assert_eq!(panic.downcast_ref(), Some(&4_u64));
    tally.assert_all_gone();
    assert!(chans.iter().all(|chan| chan.is_closed()));
}

/// A set as the payload of a stream: if it is not received, it is dropped with all that it holds.
#[test]
fn a_set_in_an_unread_message() {
    let tally = Tally::new();
    let (mut sets, unread) = stream::<PortSet<Port<Counted>>>();
    let (mut chans, set) = streams(3);
    chans.iter_mut().for_each(|chan| assert!(chan.send(tally.make(1)).is_ok()));
    assert!(sets.send(set).is_ok());
    drop(unread);
    tally.assert_all_gone();
    assert!(chans.iter().all(|chan| chan.is_closed()));
}

/// Members that leave before their set is dropped: one is removed and dropped with its message unread, one
/// leaves with its message.
#[test]
fn members_that_leave_with_messages_unread() {
    let tally = Tally::new();
    let mut set = PortSet::new();
    let (client, server) = pingpong::pipe();
    let waiting = client.ping(tally.make(1)).expect("it is here");
    set.insert(server);
    let (chan, port) = oneshot();
    let mut others = PortSet::new();
    let key = others.insert(port);
    chan.send(tally.make(2)).expect("it is here");
    drop(others.remove(&key));
    assert_eq!(tally.gone(), 1);
    let Ok((_, Ok(Ping::Ping(payload, server)))) = set.recv() else { panic!("it was sent") };
    drop(set);
    assert!(!waiting.is_closed(), "its server has left the set");
    drop((payload, server));
    assert!(waiting.recv().is_err());
    tally.assert_all_gone();
}
