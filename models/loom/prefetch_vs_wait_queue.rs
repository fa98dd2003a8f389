//! Receivers of a shared port wait while others claim messages from its buffer without looking at the line.

use crate::support::{Payload, WakeCounter, assert_only, payload};
use loom::thread;
use pipes::{SharedPort, SharedRecvFuture, stream};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// A receive that waits in the line.
struct Waiting<'a> {
    receive: Pin<Box<SharedRecvFuture<'a, Payload>>>,
    wakes: Arc<WakeCounter>,
    waker: Waker,
    /// How often it was woken before its last poll.
    seen: usize,
}

impl<'a> Waiting<'a> {
    fn at(port: &'a SharedPort<Payload>) -> Self {
        let (wakes, waker) = WakeCounter::new();
        let mut receive = Box::pin(port.recv_async());
        assert!(receive.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        Waiting { receive, wakes, waker, seen: 0 }
    }

    /// Polls if it was woken. Returns `true` if it has received.
    fn has_received(&mut self) -> bool {
        let count = self.wakes.count();
        count > std::mem::replace(&mut self.seen, count)
            && matches!(self.receive.as_mut().poll(&mut Context::from_waker(&self.waker)), Poll::Ready(Ok(_)))
    }
}

/// Two receivers wait, two messages come, and a third receiver may be faster than one of those that are
/// woken. No message stays behind while a receiver that was not woken waits.
#[test]
fn a_faster_one_takes_what_was_announced() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let first = port.into_shared();
        let (second, faster) = (first.clone(), first.clone());
        let [mut one, mut two] = [&first, &second].map(Waiting::at);
        chan.send(sent.clone()).expect("the ports are there");
        chan.send(sent).expect("the ports are there");
        let takes = thread::spawn(move || faster.try_recv().is_ok());
        let mut received = usize::from(one.has_received());
        received += usize::from(two.has_received());
        received += usize::from(takes.join().unwrap());
        // What was not received is announced to a receiver that waits.
        while received < 2 {
            let is_received = one.has_received() || two.has_received();
            assert!(is_received, "a message is there, and those that wait were not woken");
            received += 1;
        }
        drop((one, two));
        assert_only(&count);
    });
}

/// Two of three receivers were woken and get their messages from the buffer. They pass on that they did, so
/// the next message wakes the third one.
#[test]
fn those_that_were_woken_pass_it_on() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let first = port.into_shared();
        let (second, third, refiller) = (first.clone(), first.clone(), first.clone());
        let [mut one, mut two] = [&first, &second].map(Waiting::at);
        let mut three = Waiting::at(&third);
        for _ in 0..3 {
            chan.send(sent.clone()).expect("the ports are there");
        }
        // This leaves two messages in the buffer, before or after the first one looks.
        let fills = thread::spawn(move || refiller.try_recv().is_ok());
        let mut received = usize::from(one.has_received());
        received += usize::from(fills.join().unwrap());
        received += usize::from(two.has_received());
        while received < 3 {
            let is_received = one.has_received() || two.has_received() || three.has_received();
            assert!(is_received, "a message is there, and those that wait were not woken");
            received += 1;
        }
        chan.send(sent).expect("the ports are there");
        let is_received = one.has_received() || two.has_received() || three.has_received();
        assert!(is_received, "one more message came, and those that wait were not woken");
        drop((one, two, three));
        assert_only(&count);
    });
}

/// A receiver enters the line while another one takes the last message.
#[test]
fn one_enters_and_another_takes_the_last() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        let mine = port.into_shared();
        let other = mine.clone();
        chan.send(sent.clone()).expect("the ports are there");
        chan.send(sent.clone()).expect("the ports are there");
        let enters = thread::spawn(move || drop(other.recv().expect("three were sent")));
        for _ in 0..2 {
            drop(mine.try_recv());
        }
        chan.send(sent).expect("the ports are there");
        enters.join().unwrap();
        drop((chan, mine));
        assert_only(&count);
    });
}
