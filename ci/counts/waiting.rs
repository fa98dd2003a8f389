//! Waiting for a message, and being woken, in one thread: a receive is polled with a waker that counts.

use crate::{TIMES, counted};
use pipes::{Chan, Closed, Port, PortSet, RecvError, SetEmpty};
use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// Counts how often it is woken.
#[derive(Default)]
struct Wakes(AtomicU64);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// How many selections there are. Each looks first at a random receiver, and this many make the mean the same
/// each time, to less than a thousandth.
const SELECTIONS: u64 = 40 * TIMES;

/// How many ports the set has. All but one are idle.
const MEMBERS: usize = 16;

pub fn register() -> u64 {
    wait(counted_poll, send, poll)
}

pub fn wake() -> u64 {
    wait(poll, |chan, value| counted(|| send(chan, value)), poll)
}

pub fn receive_after_wake() -> u64 {
    wait(poll, send, counted_poll)
}

fn send(chan: &mut Chan<u64>, value: u64) {
    chan.send(value).expect("the port is here");
}

type Received = Poll<Result<u64, RecvError>>;

fn poll(port: &mut Port<u64>, cx: &mut Context<'_>) -> Received {
    Pin::new(&mut port.recv_async()).poll(cx)
}

fn counted_poll(port: &mut Port<u64>, cx: &mut Context<'_>) -> Received {
    let mut receive = port.recv_async();
    counted(|| Pin::new(&mut receive).poll(cx))
}

/// Each message is awaited before it is sent.
fn wait(
    first: impl Fn(&mut Port<u64>, &mut Context<'_>) -> Received,
    send: impl Fn(&mut Chan<u64>, u64),
    second: impl Fn(&mut Port<u64>, &mut Context<'_>) -> Received,
) -> u64 {
    let wakes = Arc::new(Wakes::default());
    let waker = Waker::from(wakes.clone());
    let mut cx = Context::from_waker(&waker);
    let (mut chan, mut port) = pipes::stream();
    let mut given_way = 0;
    for value in 0..TIMES {
        let value = black_box(value);
        assert_eq!(first(&mut port, &mut cx), Poll::Pending);
        send(&mut chan, value);
        let mut received = second(&mut port, &mut cx);
        if received.is_pending() {
            // Once for each 128 messages, a receive in a task gives way, and wakes its task.
            given_way += 1;
            received = second(&mut port, &mut cx);
        }
        assert_eq!(received, Poll::Ready(Ok(value)));
    }
    assert_eq!(wakes.0.load(Ordering::Relaxed), TIMES + given_way);
    TIMES
}

pub fn select() -> u64 {
    let (mut chan, mut port) = pipes::stream();
    let (_idle_chan, mut idle) = pipes::stream::<u64>();
    for value in 0..SELECTIONS {
        chan.send(value).expect("the port is here");
        let received = counted(|| {
            pipes::select! {
                message = port => message,
                message = idle => message,
            }
        });
        assert_eq!(received, Ok(value));
    }
    SELECTIONS
}

pub fn set_send() -> u64 {
    turns(|chan, value| counted(|| send(chan, value)), |set| set.recv())
}

pub fn set_receive() -> u64 {
    turns(send, |set| counted(|| set.recv()))
}

type Turn = Result<(usize, Result<u64, Closed>), SetEmpty>;

fn turns(send: impl Fn(&mut Chan<u64>, u64), receive: impl Fn(&mut PortSet<Port<u64>>) -> Turn) -> u64 {
    let mut set = PortSet::new();
    let mut chans: Vec<_> = (0..MEMBERS).map(|_| set.chan()).collect();
    for value in 0..TIMES {
        let value = black_box(value);
        let member = value as usize % MEMBERS;
        send(&mut chans[member], value);
        assert_eq!(receive(&mut set), Ok((member, Ok(value))));
    }
    TIMES
}
