//! A receiver behind a lock that a task has polled and that a thread waits at after that, for a while and in vain, or until it has got one message. What comes
//! behind that is for the task, which said that it waits, and to which nothing was said since.

use pipes::{Port, PortSet, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, watched};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

/// What the two ask for.
trait Receiver: Send + 'static {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()>;
    fn wait_a_moment(&mut self) -> bool;
    fn receive(&mut self);
}

impl Receiver for Port<u32> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.poll_ready(cx)
    }

    fn wait_a_moment(&mut self) -> bool {
        self.recv_timeout(Duration::from_micros(10)).is_ok()
    }

    fn receive(&mut self) {
        self.recv().expect("it comes");
    }
}

impl Receiver for PortSet<Port<u32>> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.poll_ready(cx)
    }

    fn wait_a_moment(&mut self) -> bool {
        self.recv_timeout(Duration::from_micros(10)).is_ok()
    }

    fn receive(&mut self) {
        self.recv().expect("it comes").1.expect("a message");
    }
}

fn in_vain(kind: &str, mut receiver: impl Receiver, send: impl FnOnce()) {
    let (bell, waker) = Bell::new();
    assert!(receiver.poll(&mut Context::from_waker(&waker)).is_pending());
    assert!(!receiver.wait_a_moment());
    send();
    assert!(bell.rings() > 0, "{kind}: the task sleeps for ever");
}

fn not_in_vain(kind: &str, receiver: impl Receiver, mut send: impl FnMut()) {
    let (bell, waker) = Bell::new();
    let receiver = Arc::new(Mutex::new(receiver));
    let poll = receiver.lock().expect("no thread panics with it").poll(&mut Context::from_waker(&waker));
    assert!(poll.is_pending());
    let other = {
        let receiver = receiver.clone();
        thread::spawn(move || receiver.lock().expect("no thread panics with it").receive())
    };
    while receiver.try_lock().is_ok() {
        thread::yield_now();
    }
    // Until the thread has the seat, most probably. If not, the task is woken by the first message.
    for _ in 0..10_000 {
        thread::yield_now();
    }
    send();
    other.join().expect("it does not panic");
    send();
    assert!(bell.rings() > 0, "{kind}: the task sleeps for ever");
}

#[test]
fn a_port_in_vain() {
    let (mut chan, port) = stream();
    in_vain("a stream", port, || chan.send(1).expect("it is here"));
    let (chan, port) = shared_stream();
    in_vain("a stream of many", port, || chan.send(1).expect("it is here"));
    let (mut chan, port) = sync_stream(1);
    in_vain("a stream with a limit", port, || chan.send(1).expect("it is here"));
}

#[test]
fn a_set_in_vain() {
    let mut set = PortSet::new();
    let mut chan = set.chan();
    in_vain("a set", set, || chan.send(1).expect("it is here"));
}

#[test]
fn a_port() {
    watched(|| {
        let (mut chan, port) = stream();
        not_in_vain("a stream", port, || chan.send(1).expect("it is here"));
        let (chan, port) = shared_stream();
        not_in_vain("a stream of many", port, || chan.send(1).expect("it is here"));
        let (mut chan, port) = sync_stream(2);
        not_in_vain("a stream with a limit", port, || chan.send(1).expect("it is here"));
    });
}

#[test]
fn a_set() {
    watched(|| {
        let mut set = PortSet::new();
        let mut chan = set.chan();
        not_in_vain("a set", set, || chan.send(1).expect("it is here"));
    });
}
