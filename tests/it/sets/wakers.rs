//! What is special about the wakers of a set, and about its destructor.

use super::streams;
use pipes::{Port, PortSet, stream};
use pipes_tests::{DropCounter, WakeCounter, caught, poll, test_in, watched};
use std::task::Waker;

/// One task waits for all members: it is woken once, until it waits again.
#[test]
fn one_wake_up_for_several_messages() {
    let (mut chans, mut set) = streams(3);
    let (wakes, waker) = WakeCounter::new();
    for round in 1..3 {
        assert!(poll(&mut set, &waker).is_pending());
        for number in [2, 0, 1] {
            chans[number].send(number).expect("the set is here");
        }
        assert_eq!(wakes.count(), round);
        let turns = [2, 0, 1].map(|number| Ok((number, Ok(number))));
        assert_eq!([set.recv(), set.recv(), set.recv()], turns);
    }
}

/// A new member does not get wake-ups that were meant for the previous owner of its room.
#[test]
fn the_room_of_a_removed_member_is_used_again() {
    let (mut chans, mut set) = streams(1);
    chans[0].send(1).expect("it is a member");
    let mut first = set.remove(&0).expect("it is a member");
    let (mut chan, port) = stream();
    let key = set.insert(port);
    assert!(set.try_recv().is_err(), "the message was for the first one");
    chan.send(2).expect("it is a member");
    assert_eq!(set.recv(), Ok((key, Ok(2))));
    assert_eq!(first.recv(), Ok(1));
}

/// A waker whose destructor sends to the set: when it is replaced, and when the set is dropped.
#[test_in(watched)]
fn destructor_that_sends_to_the_set() {
    for replaced in [true, false] {
        let (chans, mut set) = streams(1);
        let mut chan = chans.into_iter().next().expect("there is one");
        let waker = WakeCounter::on_drop(move || assert_eq!(chan.send(7).is_ok(), replaced));
        assert!(poll(&mut set, &waker).is_pending());
        drop(waker);
        if replaced {
            // The message comes while the second waker is registered.
            assert!(poll(&mut set, Waker::noop()).is_ready());
            assert_eq!(set.try_recv(), Ok((0, Ok(7))));
        }
    }
}

/// A payload's destructor panics when the set is dropped: all members are closed, and all payloads dropped.
#[test]
fn payload_that_panics_in_a_dropped_set() {
    let drops = DropCounter::new();
    let (mut chans, set): (_, PortSet<Port<_>>) = streams(10);
    for (number, chan) in chans.iter_mut().enumerate() {
        let payload = if number == 4 { drops.make_panicking(4) } else { drops.make(number as u64) };
        assert!(chan.send(payload).is_ok() && chan.send(drops.make(0)).is_ok());
    }
    let panic = caught(|| drop(set)).expect("the destructor's panic is not swallowed");
    assert_eq!(panic.downcast_ref(), Some(&4_u64));
    drops.assert_all_dropped();
    assert!(chans.iter().all(|chan| chan.is_closed()));
}
