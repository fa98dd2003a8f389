//! One task waits for a receiver or for room, and other tasks do everything else: random programs whose steps
//! do not wait. After each step, if the task could go on, it must have been woken since its last poll.

use futures::{Sink, Stream};
use pipes::{
    Chan, Port, PortSet, SharedChan, SharedPort, TryRecvError, duplex_stream, shared_stream, stream,
    sync_stream,
};
use pipes_tests::{Bell, Random, effort, watched};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// A sender of either kind.
enum Way {
    Sole(Chan<u32>),
    Many(SharedChan<u32>),
}

fn port(random: &mut Random) -> (Way, Port<u32>) {
    match random.below(5) {
        0 => {
            let (chan, port) = stream();
            (Way::Sole(chan), port)
        }
        1 => {
            let (chan, port) = shared_stream();
            (Way::Many(chan), port)
        }
        kind => {
            let (chan, port) = sync_stream(kind as usize - 2);
            (Way::Sole(chan), port)
        }
    }
}

impl Way {
    fn send(&mut self, random: &mut Random) {
        match self {
            Way::Many(chan) => drop(chan.send(7)),
            Way::Sole(chan) if random.below(2) == 0 => drop(chan.try_send(7)),
            Way::Sole(chan) => {
                // Through the sink, which at capacity 0 makes an offer.
                let mut cx = Context::from_waker(Waker::noop());
                if Pin::new(&mut *chan).poll_ready(&mut cx).is_ready() {
                    let _ = Pin::new(chan).start_send(7);
                }
            }
        }
    }
}

/// The task that waits.
struct Waiting {
    bell: Arc<Bell>,
    waker: Waker,
    /// How often its bell had rung at its last poll; `None` if that poll was ready.
    since: Option<usize>,
}

impl Waiting {
    fn new() -> Self {
        let (bell, waker) = Bell::new();
        Waiting { bell, waker, since: None }
    }

    fn polled(&mut self, poll: Poll<()>) {
        self.since = poll.is_pending().then(|| self.bell.rings());
    }

    /// Its last poll was pending, and it was not woken since.
    fn sleeps(&self) -> bool {
        self.since == Some(self.bell.rings())
    }
}

fn of_a_set(seed: u64) {
    let random = &mut Random::new(seed);
    let mut set = PortSet::<Port<u32>, u32>::new();
    let (mut ways, mut apart) = (Vec::new(), Vec::new());
    let mut task = Waiting::new();
    let mut steps = Vec::new();
    for _ in 0..60 {
        let step = random.below(12);
        steps.push(step);
        match step {
            0 | 1 => {
                let (way, port) = port(random);
                ways.push(way);
                apart.push(port);
            }
            2 | 3 if !apart.is_empty() => {
                let port = apart.swap_remove(random.below(apart.len() as u64) as usize);
                apart.extend(set.insert_at(random.below(5) as u32, port));
            }
            4 => apart.extend(set.remove(&(random.below(5) as u32))),
            5 | 6 if !ways.is_empty() => {
                let index = random.below(ways.len() as u64) as usize;
                ways[index].send(random);
            }
            7 if !ways.is_empty() => drop(ways.swap_remove(random.below(ways.len() as u64) as usize)),
            8 => {
                let slept = task.sleeps();
                let received = set.try_recv();
                assert!(
                    !slept || received == Err(TryRecvError::Empty(())),
                    "{seed}: {steps:?}: it slept, and there was {received:?}"
                );
            }
            9 if !apart.is_empty() => {
                let index = random.below(apart.len() as u64) as usize;
                let _ = apart[index].poll_ready(&mut Context::from_waker(Waker::noop()));
            }
            10 | 11 => {
                let poll = set.poll_ready(&mut Context::from_waker(&task.waker));
                task.polled(poll);
            }
            _ => {}
        }
        let is_ready = set.is_ready() || set.is_empty();
        assert!(!(task.sleeps() && is_ready), "{seed}: {steps:?}: it sleeps, and the set is ready");
    }
}

#[test]
fn a_set() {
    watched(|| (0..effort(20_000) as u64).for_each(of_a_set));
}

fn of_a_shared_port(seed: u64) {
    let random = &mut Random::new(seed);
    let (way, port) = port(random);
    let mut way = Some(way);
    let mut first: SharedPort<u32> = port.into_shared();
    let mut others = vec![first.clone()];
    let mut task = Waiting::new();
    let mut steps = Vec::new();
    for _ in 0..40 {
        let step = random.below(8);
        steps.push(step);
        let slept = task.sleeps();
        match step {
            0 | 1 => {
                if let Some(way) = &mut way {
                    way.send(random);
                }
            }
            2 if random.below(4) == 0 => drop(way.take()),
            3 if !others.is_empty() => {
                let index = random.below(others.len() as u64) as usize;
                let received = others[index].try_recv();
                assert!(
                    !slept || received.is_err(),
                    "{seed}: {steps:?}: it slept, and there was {received:?}"
                );
            }
            4 => _ = first.try_recv(),
            5 => others.push(first.clone()),
            6 if others.len() > 1 => drop(others.pop()),
            7 => {
                let mut cx = Context::from_waker(&task.waker);
                // A receive that gives way wakes the task during its poll.
                let before = task.bell.rings();
                let poll = Pin::new(&mut first).poll_next(&mut cx).map(drop);
                task.since = poll.is_pending().then_some(before);
            }
            _ => {}
        }
        if way.is_none() && task.sleeps() {
            assert!(
                others.iter_mut().all(|other| other.clone().try_recv() != Err(TryRecvError::Closed)),
                "{seed}: {steps:?}: the end"
            );
        }
    }
}

#[test]
fn a_shared_port() {
    watched(|| (0..effort(20_000) as u64).for_each(of_a_shared_port));
}

/// One task waits at a chan for room, while other tasks use both ends without waiting.
fn of_a_chan(seed: u64) {
    let random = &mut Random::new(seed);
    let capacity = 1 + random.below(3) as usize;
    let (mut chan, port) = sync_stream::<u32>(capacity);
    let mut port = Some(port);
    let mut task = Waiting::new();
    let (mut steps, mut within) = (Vec::new(), 0);
    for _ in 0..40 {
        let step = random.below(6);
        steps.push(step);
        match step {
            0 | 1 => within += usize::from(chan.try_send(1).is_ok()),
            2 => {
                if let Some(port) = &mut port {
                    within -= usize::from(port.try_recv().is_ok());
                }
            }
            3 => {
                if let Some(port) = &mut port {
                    let _ = port.poll_ready(&mut Context::from_waker(Waker::noop()));
                }
            }
            4 if random.below(8) == 0 => drop(port.take()),
            5 => {
                let poll = Pin::new(&mut chan).poll_ready(&mut Context::from_waker(&task.waker));
                task.polled(poll.map(drop));
            }
            _ => {}
        }
        let is_ready = within < capacity || port.is_none();
        assert!(!(task.sleeps() && is_ready), "{seed}: {steps:?}: it sleeps, and there is room");
    }
}

#[test]
fn a_chan() {
    watched(|| (0..effort(20_000) as u64).for_each(of_a_chan));
}

/// A duplex stream's port is exchanged while a task waits for it. The waker must stay with the port that was
/// polled. The task that exchanges the port has to poll again; no step may block.
#[test]
fn a_duplex_stream() {
    let (mut left, mut right) = duplex_stream::<u32, u32>();
    let mut task = Waiting::new();
    let poll = left.poll_ready(&mut Context::from_waker(&task.waker));
    task.polled(poll);
    let (mut chan, mut other) = stream();
    std::mem::swap(left.parts_mut().1, &mut other);
    right.send(1).expect("it is here");
    assert!(!task.sleeps(), "the port that was polled has a value");
    chan.send(2).expect("it is here");
    assert_eq!((other.try_recv(), left.try_recv()), (Ok(1), Ok(2)));
}
