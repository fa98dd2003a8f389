//! Two streams in opposite directions.

use futures::executor::block_on;
use pipes::{
    Closed, DuplexStream, PortSet, Readiness, Receive, RecvError, RecvTimeoutError, TryRecvError,
    TrySendError, duplex_stream, select,
};
use pipes_tests::{Bell, Tally, poll, poll_future, watched};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn it_has_the_verbs_of_a_port() {
    watched(|| {
        let (mut left, mut right) = duplex_stream::<(), u64>();
        assert_eq!(left.try_recv(), Err(TryRecvError::Empty(())));
        assert_eq!(left.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
        assert_eq!(left.recv_deadline(Instant::now()), Err(RecvTimeoutError::Timeout(())));
        assert!(!left.is_ready() && !left.is_closed() && !left.wait(Some(Instant::now())));
        assert!(poll_future(&mut left.recv_async(), Waker::noop()).is_pending());
        (0..7).for_each(|number| right.send(number).expect("the left end is here"));
        assert!(left.is_ready() && left.wait(None) && poll(&mut left, Waker::noop()).is_ready());
        assert_eq!(left.recv(), Ok(0));
        assert_eq!(left.try_recv(), Ok(1));
        assert_eq!(left.recv_timeout(Duration::MAX), Ok(2));
        assert_eq!(left.recv_deadline(Instant::now()), Ok(3));
        assert_eq!(block_on(left.recv_async()), Ok(4));
        block_on(left.ready());
        assert_eq!(Receive::recv(&mut left), Ok(5));
        drop(right);
        assert!(left.is_ready() && !left.is_closed(), "one is unread");
        assert_eq!(left.recv(), Ok(6));
        for _ in 0..2 {
            assert!(left.is_closed());
            assert_eq!(left.recv(), Err(RecvError));
            assert_eq!(left.try_recv(), Err(TryRecvError::Closed));
        }
    });
}

#[test]
fn each_way_closes_with_the_end() {
    let tally = Tally::new();
    let (mut left, mut right) = duplex_stream();
    assert!(left.send(tally.make(1)).is_ok() && right.try_send(tally.make(2)).is_ok());
    drop(left);
    assert_eq!(tally.gone(), 1, "what it has not received; what it sent is still there");
    assert!(right.send(tally.make(3)).is_err_and(|error| error.into_payload().number == 3));
    assert!(
        matches!(right.try_send(tally.make(4)), Err(TrySendError::Closed(payload)) if payload.number == 4)
    );
    assert_eq!(right.recv().map(|payload| payload.number), Ok(1));
    assert_eq!(right.recv().map(drop), Err(RecvError));
    tally.assert_all_gone();
}

/// The parts are an ordinary chan and port, used in place or split off.
#[test]
fn its_parts() {
    watched(|| {
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
    });
}

/// Both sides send at once, and neither waits to send.
#[test]
fn both_ways_at_once() {
    watched(|| {
        fn talk(mut end: DuplexStream<u64, u64>) -> u64 {
            (0..1_000).for_each(|number| end.send(number).expect("the other end is there"));
            (0..1_000).map(|_| end.recv().expect("it is sent")).sum()
        }
        let (left, right) = duplex_stream();
        let other = thread::spawn(move || talk(right));
        assert_eq!(talk(left), 999 * 500);
        assert_eq!(other.join().expect("it does not panic"), 999 * 500);
    });
}

#[test]
fn in_a_set_and_in_a_select() {
    watched(|| {
        let ((mut one, first), (mut two, mut second)) =
            (duplex_stream::<u64, u64>(), duplex_stream::<u64, u64>());
        let mut set = PortSet::new();
        let key = set.insert(first);
        one.send(1).expect("it is here");
        let got = select! {
            turn = set => turn.ok(),
            number = second => panic!("nobody sent {number:?}"),
        };
        assert_eq!(got, Some((key, Ok(1))));
        let mut first = set.remove(&key).expect("it stays a member");
        first.send(10).expect("the other end is here");
        assert!(set.insert_at(key, first).is_none());
        assert_eq!(one.recv(), Ok(10));
        two.send(2).expect("it is here");
        let got = select! {
            turn = set => panic!("nobody sent {turn:?}"),
            number = second => number,
        };
        assert_eq!(got, Ok(2));
        drop(one);
        assert_eq!(set.recv(), Ok((key, Err(Closed))));
    });
}

#[test]
fn a_task_is_woken() {
    let (bell, waker) = Bell::new();
    let (mut left, mut right) = duplex_stream::<u64, u64>();
    assert!(poll(&mut left, &waker).is_pending());
    left.send(5).expect("the right end is here");
    assert_eq!(bell.rings(), 0, "that is the other way");
    right.send(6).expect("the left end is here");
    assert_eq!(bell.rings(), 1);
    assert_eq!(poll_future(&mut left.recv_async(), &waker), Poll::Ready(Ok(6)));
}

#[test]
fn it_can_be_printed() {
    let (left, _right) = duplex_stream::<std::rc::Rc<u64>, u64>();
    let printed = format!("{left:?}");
    assert!(
        printed.starts_with("DuplexStream { chan: Chan {") && printed.contains("port: Port {"),
        "{printed}"
    );
}
