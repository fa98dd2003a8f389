//! Receivers of a shared port that wait as streams. Each has one place in the line, and keeps it until a poll
//! returns a value, it waits in another way, or it is dropped.

use futures::StreamExt;
use pipes::{Chan, SharedPort, stream};
use pipes_tests::{Bell, poll_future};
use std::sync::Arc;
use std::task::{Poll, Waker};

/// A receiver, and the waker with which it is polled.
struct Streams {
    port: SharedPort<u32>,
    bell: Arc<Bell>,
    waker: Waker,
}

impl Streams {
    fn of(port: SharedPort<u32>) -> Self {
        let (bell, waker) = Bell::new();
        Streams { port, bell, waker }
    }

    fn poll(&mut self) -> Poll<Option<u32>> {
        poll_future(&mut self.port.next(), &self.waker)
    }
}

/// Three receivers that wait in this order, and their sender.
fn three() -> (Chan<u32>, Vec<Streams>) {
    let (chan, port) = stream();
    let port = port.into_shared();
    let mut line: Vec<_> = (0..3).map(|_| Streams::of(port.clone())).collect();
    assert!(line.iter_mut().all(|it| it.poll().is_pending()));
    (chan, line)
}

fn rings(line: &[Streams]) -> Vec<usize> {
    line.iter().map(|it| it.bell.rings()).collect()
}

/// None of them is certain to look again, so a message wakes all of them, and the next one wakes those that
/// have looked and wait again.
#[test]
fn a_message_wakes_all_that_wait_as_streams() {
    let (mut chan, mut line) = three();
    chan.send(1).expect("they wait");
    assert_eq!(rings(&line), [1, 1, 1]);
    assert_eq!(line[1].poll(), Poll::Ready(Some(1)), "any of them may be the first to look");
    assert!(line[0].poll().is_pending());
    chan.send(2).expect("one waits");
    assert_eq!(rings(&line), [2, 1, 1]);
    assert_eq!(line[0].poll(), Poll::Ready(Some(2)));
}

/// One that waits as a receive looks when it is woken, or passes it on. So a message wakes none behind it.
#[test]
fn a_message_wakes_no_one_behind_a_receive() {
    let (mut chan, port) = stream();
    let mut port = port.into_shared();
    let mut line: Vec<_> = (0..2).map(|_| Streams::of(port.clone())).collect();
    let (bell, waker) = Bell::new();
    assert!(line[0].poll().is_pending());
    let mut receive = port.recv_async();
    assert!(poll_future(&mut receive, &waker).is_pending());
    assert!(line[1].poll().is_pending());
    chan.send(1).expect("they wait");
    assert_eq!((rings(&line), bell.rings()), (vec![1, 0], 1));
    drop(receive);
    assert_eq!(rings(&line), [1, 1], "it passes its wake-up on");
    assert_eq!(line[1].poll(), Poll::Ready(Some(1)));
}

/// A second poll keeps the place, with the new waker.
#[test]
fn it_keeps_its_place_when_it_is_polled_again() {
    let (mut chan, mut line) = three();
    let (bell, waker) = Bell::new();
    let old = std::mem::replace(&mut line[0].waker, waker);
    assert!(line[0].poll().is_pending());
    drop(old);
    assert_eq!(line[0].bell.wakers(), 0, "the old waker has left the line");
    chan.send(1).expect("they wait");
    assert_eq!((bell.rings(), rings(&line)), (1, vec![0, 1, 1]));
    assert_eq!(line[0].poll(), Poll::Ready(Some(1)));
}

/// One that was not woken leaves the line when it is dropped.
#[test]
fn one_that_is_dropped_in_the_line_is_passed_over() {
    let (mut chan, mut line) = three();
    let first = line.remove(0);
    let bell = first.bell.clone();
    drop(first);
    assert_eq!(bell.wakers(), 0, "its waker has left the line");
    chan.send(1).expect("they wait");
    assert_eq!((bell.rings(), rings(&line)), (0, vec![1, 1]));
    assert_eq!(line[0].poll(), Poll::Ready(Some(1)));
}

/// A receive takes the stream's place, and is dropped: nothing is in that place, and the next message wakes
/// the other receivers.
#[test]
fn a_receive_that_is_dropped_leaves_no_one_in_its_place() {
    let (mut chan, mut line) = three();
    let (bell, waker) = Bell::new();
    let mut receive = line[0].port.recv_async();
    assert!(poll_future(&mut receive, &waker).is_pending());
    drop(receive);
    assert_eq!((line[0].bell.wakers(), bell.wakers()), (1, 1), "no waker is in the line");
    chan.send(1).expect("two wait");
    assert_eq!((bell.rings(), rings(&line)), (0, vec![0, 1, 1]));
    assert_eq!(line[1].poll(), Poll::Ready(Some(1)));
}

/// A receive that was not polled has not taken the stream's place.
#[test]
fn a_receive_that_is_not_polled_changes_nothing() {
    let (mut chan, mut line) = three();
    drop(line[0].port.recv_async());
    chan.send(1).expect("they wait");
    assert_eq!(rings(&line), [1, 1, 1]);
}

/// All of them find the end.
#[test]
fn the_end_wakes_them_all() {
    let (chan, mut line) = three();
    drop(chan);
    assert_eq!(rings(&line), [1, 1, 1]);
    assert!(line.iter_mut().all(|it| it.poll() == Poll::Ready(None)));
}
