//! Senders that do not keep their stream open.

use pipes::{WeakChan, shared_stream, shared_sync_stream};
use pipes_tests::DropCounter;
use std::thread;

/// A weak sender sends while a sender is there, and does not keep the stream open.
#[test]
fn it_sends_while_a_sender_is_there() {
    for (chan, mut port) in [shared_stream(), shared_sync_stream(2), shared_sync_stream(0)] {
        let weak = chan.downgrade();
        let another = weak.clone().upgrade().expect("there is a sender");
        assert_eq!(another.capacity(), chan.capacity());
        drop(chan);
        let sending = thread::spawn(move || another.send(1));
        assert_eq!(port.recv(), Ok(1));
        assert_eq!(sending.join().expect("it does not panic"), Ok(()));
        assert!(weak.upgrade().is_none());
        assert!(port.recv().is_err(), "the stream has closed");
    }
}

/// Senders are counted, and weak ones are not.
#[test]
fn senders_are_counted() {
    for (chan, port) in [shared_stream::<u8>(), shared_sync_stream(2), shared_sync_stream(0)] {
        let weak = chan.downgrade();
        let (other, upgraded) = (chan.clone(), weak.clone().upgrade().expect("there is a sender"));
        assert_eq!((chan.sender_count(), weak.sender_count()), (3, 3));
        assert!(chan.same_channel(&upgraded) && weak.same_channel(&other.downgrade()));
        assert!(!chan.same_channel(&shared_stream().0));
        drop((other, upgraded, port));
        assert_eq!(chan.sender_count(), 1);
        drop(chan);
        assert_eq!(weak.sender_count(), 0);
    }
}

/// The sends of an upgraded sender fail when the port has gone, and the limit holds for them.
#[test]
fn it_has_the_limit_and_the_close_of_its_stream() {
    let (chan, port) = shared_sync_stream(1);
    let weak = chan.downgrade();
    chan.try_send(1).unwrap();
    assert!(weak.upgrade().expect("there is a sender").try_send(2).is_err_and(|error| !error.is_closed()));
    drop(port);
    let upgraded = weak.upgrade().expect("there is a sender");
    assert!(upgraded.is_closed());
    assert_eq!(upgraded.send(3).unwrap_err().into_payload(), 3);
}

/// A loop that sends to itself sees the end of its stream, when the last sender outside has left.
#[test]
fn a_loop_that_sends_to_itself() {
    let (chan, mut port) = shared_stream();
    let weak: WeakChan<u32> = chan.downgrade();
    chan.send(0).unwrap();
    let (mut outside, mut seen) = (Some(chan), Vec::new());
    for number in port.iter() {
        seen.push(number);
        outside.take_if(|_| number == 3);
        if let Some(chan) = weak.upgrade() {
            chan.send(number + 1).unwrap();
        }
    }
    assert_eq!(seen, [0, 1, 2, 3]);
}

/// Unread messages are dropped with the port, not with the last weak sender.
#[test]
fn it_keeps_no_message() {
    let drops = DropCounter::new();
    let (chan, port) = shared_stream();
    let weak = chan.downgrade();
    (0..200).for_each(|number| chan.send(drops.make(number)).unwrap());
    drop((chan, port));
    drops.assert_all_dropped();
    assert_eq!(format!("{weak:?}"), "WeakChan");
}
