//! Wakers that panic are woken or dropped because their task gives way: to a receive in the same place, to a
//! member that is inserted or removed, or to a send that does not wait. The value that the step would have
//! returned must be dropped once, in the unwinding.

use futures::{Sink, Stream, StreamExt};
use pipes::{Closing, Port, PortSet, SharedPort, stream, sync_stream};
use pipes_tests::{Bell, Counted, Tally, caught, poll, poll_future};
use std::pin::Pin;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

/// A waker that panics when it is woken.
fn bomb() -> Waker {
    Bell::that(|| std::panic::resume_unwind(Box::new("on purpose"))).1
}

/// A receiver waits as a stream, behind one that waits as a receive. Then it receives, as a future or as a
/// stream, the message for which the first one was woken. Its waker panics when it leaves the line and is
/// dropped.
#[test]
fn a_stream_gives_way_to_a_receive() {
    let receives: [fn(&mut SharedPort<Counted>) -> bool; 2] = [
        |port| poll_future(&mut port.recv_async(), Waker::noop()).is_ready(),
        |port| poll_future(&mut port.next(), Waker::noop()).is_ready(),
    ];
    for receive in receives {
        let tally = Tally::new();
        let (mut chan, port) = stream();
        let mut first = port.into_shared();
        let mut second = first.clone();
        let (bell, idle) = Bell::new();
        let mut waits = first.recv_async();
        assert!(poll_future(&mut waits, &idle).is_pending());
        let old = Bell::at_last(|| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(Pin::new(&mut second).poll_next(&mut Context::from_waker(&old)).is_pending());
        drop(old);
        assert!(chan.send(tally.make(1)).is_ok());
        assert_eq!(bell.rings(), 1);
        assert!(caught(|| receive(&mut second)).is_some(), "the waker panics");
        assert_eq!(tally.gone(), 1);
        drop(waits);
        drop((first, second, chan));
        tally.assert_all_gone();
    }
}

/// A task waits for a set, and a ready member is inserted, perhaps in the place of another one, or a member
/// is removed.
#[test]
fn a_set_that_is_roused() {
    for step in 0..4 {
        let tally = Tally::new();
        let mut set = PortSet::<Port<Counted>, u8>::new();
        let (mut old, port) = stream();
        assert!(set.insert_at(1, port).is_none());
        assert!(poll(&mut set, &bomb()).is_pending());
        let (mut chan, port) = stream();
        assert!(chan.send(tally.make(1)).is_ok());
        let changed = match step {
            0 => caught(|| drop(set.insert_at(1, port))),
            1 => caught(|| drop(set.insert_at(2, port))),
            2 => {
                drop(port);
                caught(|| drop(set.remove(&1)))
            }
            _ => caught(|| set.extend([(2, port), (3, stream().1)])),
        };
        assert!(changed.is_some(), "{step}: the waker panics");
        assert_eq!(old.send(tally.make(2)).is_err(), matches!(step, 0 | 2), "{step}");
        let mut received = 0;
        while let Ok((_, message)) = set.try_recv() {
            received += usize::from(message.is_ok());
        }
        assert_eq!(received, [1, 2, 0, 2][step], "{step}");
        drop((set, chan, old));
        tally.assert_all_gone();
    }
}

/// At capacity 0 a sender waits for the close, or for room, and then sends without waiting.
#[test]
fn a_sender_that_does_not_wait() {
    for (waits, offered, receiver) in
        (0..2).flat_map(|waits| (0..2).flat_map(move |offered| (0..3).map(move |it| (waits, offered, it))))
    {
        let tally = Tally::new();
        let (mut chan, mut port) = sync_stream::<Counted>(0);
        let bomb = bomb();
        let mut cx = Context::from_waker(&bomb);
        if offered == 1 {
            assert!(Pin::new(&mut chan).start_send(tally.make(0)).is_ok());
        }
        if waits == 0 {
            assert!(Closing::poll_closed(&mut chan, &mut cx).is_pending());
        } else {
            let _ = Pin::new(&mut chan).poll_flush(&mut cx);
        }
        if receiver == 1 {
            let _ = caught(|| poll(&mut port, &Bell::new().1));
        } else if receiver == 2 {
            let _ = caught(|| drop(port));
            port = sync_stream(0).1;
        }
        for way in 0..3 {
            let _ = caught(|| match way {
                0 => chan.try_send(tally.make(1)).map_err(drop),
                1 => chan.send_deadline(tally.make(2), Instant::now()).map_err(drop),
                _ => chan.send_timeout(tally.make(3), Duration::from_micros(50)).map_err(drop),
            });
            let _ = caught(|| Closing::poll_closed(&mut chan, &mut cx).is_ready());
            if way == 1 {
                let _ = caught(|| drop(port.try_recv()));
            }
        }
        let _ = caught(|| drop(chan));
        let _ = caught(|| drop(port));
        tally.assert_all_gone();
    }
}
