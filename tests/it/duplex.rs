//! Two streams in opposite directions.

use futures::stream::FusedStream;
use pipes::{Receive, RecvError, RecvTimeoutError, TryRecvError, TrySendError, duplex_stream};
use pipes_tests::{DropCounter, WakeCounter, poll, poll_future, test_in, watched};
use std::task::Poll;
use std::thread;
use std::time::Instant;

/// What an end that leaves has sent is received. What was sent to it is dropped, and nothing more is sent.
#[test]
fn each_way_closes_with_the_end() {
    let drops = DropCounter::new();
    let (mut left, mut right) = duplex_stream();
    assert!(left.send(drops.make(1)).is_ok() && right.try_send(drops.make(2)).is_ok());
    drop(left);
    assert_eq!(drops.dropped(), 1, "what it has not received; what it sent is still there");
    assert!(right.send(drops.make(3)).is_err_and(|error| error.into_payload().number == 3));
    assert!(
        matches!(right.try_send(drops.make(4)), Err(TrySendError::Closed(payload)) if payload.number == 4)
    );
    assert_eq!(right.recv_deadline(Instant::now()).map(|payload| payload.number), Ok(1));
    assert_eq!(Receive::recv(&mut right).map(drop), Err(RecvError));
    assert_eq!(right.recv_deadline(Instant::now()).map(drop), Err(RecvTimeoutError::Closed));
    drops.assert_all_dropped();
}

/// The parts are an ordinary chan and port, used in place or split off.
#[test_in(watched)]
fn its_parts() {
    let (mut left, right) = duplex_stream::<u64, String>();
    let (chan, port) = left.parts_mut();
    chan.send(1).expect("the right end is here");
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    let (mut words, mut numbers) = right.into_parts();
    let answering = thread::spawn(move || {
        while let Ok(number) = numbers.recv() {
            words.send(number.to_string()).expect("the left end waits");
        }
    });
    left.send(2).expect("the right parts are there");
    assert_eq!((left.recv().as_deref(), left.recv().as_deref()), (Ok("1"), Ok("2")));
    let (chan, mut port) = left.into_parts();
    drop(chan);
    answering.join().expect("it ends with the chan");
    assert_eq!(port.recv(), Err(RecvError));
}

/// A send wakes the other end only.
#[test]
fn a_task_is_woken() {
    let (wakes, waker) = WakeCounter::new();
    let (mut left, mut right) = duplex_stream::<u64, u64>();
    assert!(poll(&mut left, &waker).is_pending());
    left.send(5).expect("the right end is here");
    assert_eq!(wakes.count(), 0, "that is the other way");
    right.send(6).expect("the left end is here");
    assert_eq!(wakes.count(), 1);
    assert_eq!(poll_future(&mut left.recv_async(), &waker), Poll::Ready(Ok(6)));
}

#[test]
fn it_can_be_printed() {
    let (left, _right) = duplex_stream::<std::rc::Rc<u64>, u64>();
    let printed = format!("{left:?}");
    assert!(printed.starts_with("DuplexStream { chan: Chan {") && printed.contains("port: Port {"));
}

#[test]
fn as_a_stream_it_is_terminated_after_its_end() {
    let (mut left, right) = duplex_stream::<u64, u64>();
    assert!(!left.is_terminated());
    drop(right);
    assert_eq!((left.recv(), left.is_terminated()), (Err(RecvError), true));
}
