//! Wakers that panic because their task gives way, in sets and shared ports.

use futures::{Stream, StreamExt};
use pipes::{Port, PortSet, shared_stream, stream};
use pipes_tests::table::flavors::shared;
use pipes_tests::{Counted, DropCounter, WakeCounter, begun, caught, panics, poll, poll_future};
use std::pin::Pin;
use std::task::{Context, Waker};

/// A waker that panics when it is woken.
fn bomb() -> Waker {
    WakeCounter::on_wake(panics).1
}

/// A message wakes all receivers that wait as streams, although two of their wakers panic.
#[test]
fn a_message_wakes_streams() {
    let (chan, port) = shared(shared_stream::<u32>());
    let mut ports = [port.clone(), port.clone(), port];
    let (wakes, good) = WakeCounter::new();
    for (port, waker) in ports.iter_mut().zip([bomb(), good, bomb()]) {
        assert!(Pin::new(port).poll_next(&mut Context::from_waker(&waker)).is_pending());
    }
    assert!(caught(|| chan.send(1)).is_some());
    assert_eq!(wakes.count(), 1);
}

/// A receiver waits as a stream, behind one that waits as a receive. Then it receives the message for which
/// the first one was woken. Its waker, which leaves the line and is dropped, panics: the message is dropped
/// once.
#[test]
fn a_stream_gives_way_to_a_receive() {
    let drops = DropCounter::new();
    let (mut chan, first) = shared(stream::<Counted>());
    let mut second = first.clone();
    let waits = begun(first.recv_async(), Waker::noop());
    let old = WakeCounter::on_drop(panics);
    assert!(poll_future(&mut second.next(), &old).is_pending());
    drop(old);
    assert!(chan.send(drops.make(1)).is_ok());
    assert!(caught(|| poll_future(&mut second.next(), Waker::noop())).is_some(), "the waker panics");
    assert_eq!(drops.dropped(), 1);
    drop(waits);
    drop((first, second, chan));
    drops.assert_all_dropped();
}

/// A task waits for a set. A ready member is inserted, perhaps in the place of another one, or a member is
/// removed. The set has changed although the waker panics.
#[test]
fn a_set_is_changed_under_a_wait() {
    for step in 0..4 {
        let drops = DropCounter::new();
        let mut set = PortSet::<Port<Counted>, u8>::new();
        let (mut old, port) = stream();
        assert!(set.insert_at(1, port).is_none());
        assert!(poll(&mut set, &bomb()).is_pending());
        let (mut chan, port) = stream();
        assert!(chan.send(drops.make(1)).is_ok());
        let panic = match step {
            0 => caught(|| drop(set.insert_at(1, port))),
            1 => caught(|| drop(set.insert_at(2, port))),
            2 => {
                drop(port);
                caught(|| drop(set.remove(&1)))
            }
            _ => caught(|| set.extend([(2, port), (3, stream().1)])),
        };
        assert!(panic.is_some(), "{step}: the waker panics");
        assert_eq!(old.send(drops.make(2)).is_err(), matches!(step, 0 | 2), "{step}");
        let messages = std::iter::from_fn(|| set.try_recv().ok()).filter(|(_, message)| message.is_ok());
        assert_eq!(messages.count(), [1, 2, 0, 2][step], "{step}");
        drop((set, chan, old));
        drops.assert_all_dropped();
    }
}
