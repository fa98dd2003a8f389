//! A port leaves while the destructor of an unread value takes its time, and the sender goes on until it sees
//! the close. When it sees that the other side has left, all that was sent must be dropped, as
//! `Closing::wait_closed` says.

use pipes::{Closing, Port, PortSet, shared_stream, stream, sync_stream};
use pipes_tests::{Counted, Random, Tally, effort, lend, watched};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

/// A value. The destructor of the first one signals that it has begun, and waits.
struct Value(
    #[expect(dead_code, reason = "it is there to be dropped")] Counted,
    Option<(Sender<()>, Receiver<()>)>,
);

impl Drop for Value {
    fn drop(&mut self) {
        if let Some((begins, may_end)) = self.1.take() {
            begins.send(()).expect("that is waited for");
            // An error means that the test has failed.
            let _ = may_end.recv();
        }
    }
}

/// The port leaves, and its first value takes its time. The sender sends values below `most` until a send is
/// refused.
fn leaves<C: Closing>(mut chan: C, port: Port<Value>, most: u64, send: impl Fn(&mut C, Value) -> bool) {
    let tally = Tally::new();
    let ((begins, begun), (end, may_end)) = (channel(), channel());
    assert!(send(&mut chan, Value(tally.make(0), Some((begins, may_end)))));
    assert!(send(&mut chan, Value(tally.make(1), None)));
    thread::scope(|scope| {
        scope.spawn(|| drop(port));
        begun.recv().expect("the port has come to the first value");
        for number in 2..most {
            if !send(&mut chan, Value(tally.make(number), None)) {
                break;
            }
        }
        let in_task = chan.poll_closed(&mut Context::from_waker(Waker::noop())).is_ready();
        let in_thread = chan.wait_closed_timeout(Duration::ZERO);
        let (gone, made) = (tally.gone(), tally.made());
        end.send(()).expect("it is waited for");
        assert!(!(in_task || in_thread) || gone == made, "it has left, but {gone} of {made} values are gone");
    });
    chan.wait_closed();
    tally.assert_all_gone();
}

#[test]
fn a_stream() {
    watched(|| {
        // Not until a send is refused: after that the chan may report the close while the other side still
        // drops.
        let (chan, port) = stream();
        leaves(chan, port, 3, |chan, value| chan.send(value).is_ok());
    });
}

#[test]
fn a_stream_with_a_limit() {
    watched(|| {
        let (chan, port) = sync_stream(4);
        leaves(chan, port, 1000, |chan, value| chan.try_send(value).is_ok());
    });
}

#[test]
fn a_stream_with_many_senders() {
    watched(|| {
        let (chan, port) = shared_stream();
        leaves(chan, port, 1000, |chan, value| chan.send(value).is_ok());
    });
}

/// Sends, and waits for the close, while the other side takes some values and leaves: alone, in a set, or as
/// a group.
fn races<C: Closing + Send + 'static>(
    random: &mut Random,
    (mut chan, mut port): (C, Port<Value>),
    send: impl Fn(&mut C, Value) -> bool + Send + 'static,
) {
    let tally = Tally::new();
    let (maker, many, taken, way) = (tally.clone(), random.below(70), random.below(40), random.below(4));
    let mut dawdling = random.clone();
    let sender = lend(move || {
        for number in 0..many {
            if !send(&mut chan, Value(maker.make(number), None)) {
                break;
            }
            dawdling.dawdle(20);
        }
        chan.wait_closed();
        (maker.gone(), maker.made())
    });
    random.dawdle(200);
    match way {
        0 => {
            port.try_iter().take(taken as usize).for_each(drop);
            drop(port);
        }
        1 => {
            let mut set = PortSet::new();
            set.insert(port);
            (0..taken).all(|_| set.try_recv().is_ok());
        }
        2 => {
            let mut group = port.into_shared();
            let mut other = group.clone();
            let others = lend(move || (0..taken).all(|_| other.try_recv().is_ok()));
            (0..taken).all(|_| group.try_recv().is_ok());
            drop(group);
            let _ = others.join().expect("it does not panic");
        }
        _ => drop(port),
    }
    let (gone, made) = sender.join().expect("it does not panic");
    assert_eq!(gone, made, "each value is dropped once");
}

#[test]
fn at_any_moment() {
    watched(|| {
        let mut random = Random::new(1);
        for _ in 0..effort(10_000) {
            races(&mut random, shared_stream(), |chan, value| chan.send(value).is_ok());
            let capacity = random.below(3) as usize;
            races(&mut random, sync_stream(capacity), |chan, value| chan.try_send(value).is_ok());
            races(&mut random, sync_stream(3), |chan, value| {
                chan.send_timeout(value, Duration::from_micros(20)).is_ok()
            });
        }
    });
}
