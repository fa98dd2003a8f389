//! Senders that do not keep their stream open.

use pipes::{SharedChan, WeakChan};
use pipes_tests::Tally;

/// A weak sender sends while a sender is there, and does not keep the stream open.
#[track_caller]
fn check((chan, mut port): (SharedChan<u64>, pipes::Port<u64>)) {
    let weak = chan.downgrade();
    weak.clone().upgrade().expect("there is a sender").send(1).unwrap();
    assert_eq!(port.try_recv(), Ok(1));
    let another = weak.upgrade().expect("there is a sender");
    assert_eq!(another.capacity(), chan.capacity());
    drop(chan);
    another.send(2).unwrap();
    assert!(weak.upgrade().is_some(), "one is left");
    drop(another);
    assert!(weak.upgrade().is_none(), "what is unread does not count");
    assert_eq!(port.recv(), Ok(2));
    assert!(port.recv().is_err(), "the stream has closed");
    drop(port);
    assert!(weak.upgrade().is_none());
}

#[test]
fn an_unbounded_stream() {
    check(pipes::shared_stream());
}

#[test]
fn a_bounded_stream() {
    check(pipes::shared_sync_stream(2));
}

/// The sends of an upgraded sender fail when the port has gone, and the limit holds for them.
#[test]
fn a_port_that_has_gone() {
    let (chan, port) = pipes::shared_sync_stream(1);
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
    let (chan, mut port) = pipes::shared_stream();
    let weak: WeakChan<u32> = chan.downgrade();
    chan.send(0).unwrap();
    let (mut outside, mut seen) = (Some(chan), Vec::new());
    for number in port.iter() {
        seen.push(number);
        if number == 3 {
            outside = None;
        }
        if let Some(chan) = weak.upgrade() {
            chan.send(number + 1).unwrap();
        }
    }
    assert_eq!(seen, [0, 1, 2, 3]);
    assert!(outside.is_none());
}

/// Unread messages are dropped with the port, not with the last weak sender.
#[test]
fn a_weak_sender_keeps_no_message() {
    let tally = Tally::new();
    let (chan, port) = pipes::shared_stream();
    let weak = chan.downgrade();
    (0..200).for_each(|number| chan.send(tally.make(number)).unwrap());
    drop(chan);
    drop(port);
    tally.assert_all_gone();
    assert_eq!(format!("{weak:?}"), "WeakChan");
}
