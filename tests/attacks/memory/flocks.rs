//! Many receivers of one port, as receives, as streams and as threads. They wait, are cloned and dropped,
//! while wakers that are woken receive, clone or drop other receivers; the streams are of all kinds, and
//! their values use the same port when they are dropped. Each value must be received once or dropped once.

use futures::Stream;
use pipes::{Chan, PortSet, SharedChan, SharedPort, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, effort, watched};
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

/// A value. Some values receive another one when they are dropped.
struct Value {
    _counted: Counted,
    flock: Option<Flock>,
}

/// The receivers that no thread holds at the moment, and the count of received values.
#[derive(Clone)]
struct Flock(Arc<Mutex<Vec<SharedPort<Value>>>>, Arc<AtomicUsize>);

impl Flock {
    fn take(&self, random: u64) -> Option<SharedPort<Value>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = random as usize % all.len().max(1);
        (!all.is_empty()).then(|| all.swap_remove(index))
    }

    fn put(&self, port: SharedPort<Value>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(port);
    }

    fn took(&self, value: Option<Value>) {
        self.1.fetch_add(usize::from(value.is_some()), SeqCst);
    }

    /// Takes a random step with one receiver.
    fn step(&self, random: &mut Random, depth: u32) {
        let Some(mut port) = self.take(random.below(100)) else { return };
        match random.below(9) {
            0 => self.took(port.try_recv().ok()),
            1 => {
                let waker = self.waker(random.below(1 << 30), depth);
                let mut receiving = port.recv_async();
                let polled = pin!(&mut receiving).poll(&mut Context::from_waker(&waker));
                if let Poll::Ready(got) = polled {
                    self.took(got.ok());
                }
                if random.below(2) == 0 {
                    // With the receive still in the line.
                    thread::yield_now();
                }
                drop(receiving);
            }
            2 | 3 => {
                // The port keeps its place in the line as a stream, and goes back to the others like that.
                let waker = self.waker(random.below(1 << 30), depth);
                if let Poll::Ready(got) = Pin::new(&mut port).poll_next(&mut Context::from_waker(&waker)) {
                    self.took(got);
                }
            }
            4 => self.took(port.recv_timeout(Duration::from_micros(20)).ok()),
            5 => self.put(port.clone()),
            6 if random.below(3) == 0 => return,
            _ => {}
        }
        self.put(port);
    }

    /// Makes a waker that takes a step with a receiver when it is woken, or when it is dropped.
    fn waker(&self, seed: u64, depth: u32) -> Waker {
        let (flock, mut random) = (self.clone(), Random::new(seed));
        let action = move || {
            if depth > 0 {
                flock.step(&mut random, depth - 1);
            }
        };
        if seed.is_multiple_of(4) { Bell::at_last(action) } else { Bell::that(action).1 }
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        if let Some(flock) = self.flock.take()
            && let Some(mut port) = flock.take(0)
        {
            let got = port.try_recv().ok();
            flock.put(port);
            flock.took(got);
        }
    }
}

enum Sender {
    One(Chan<Value>),
    Many(SharedChan<Value>),
}

/// Sends in random ways. Returns how many values were sent.
fn send(mut sender: Sender, tally: Tally, flock: Flock, seed: u64) -> usize {
    let (mut random, mut sent) = (Random::new(seed), 0);
    for number in 0..random.below(if cfg!(miri) { 8 } else { 40 }) {
        let own = (random.below(5) == 0).then(|| flock.clone());
        let value = Value { _counted: tally.make(number), flock: own };
        let back = match &mut sender {
            Sender::Many(chan) => chan.send(value).map_err(pipes::SendError::into_payload),
            Sender::One(chan) => match random.below(3) {
                0 => chan.try_send(value).map_err(pipes::TrySendError::into_payload),
                1 => {
                    let mut sending = chan.send_async(value);
                    match Pin::new(&mut sending).poll(&mut Context::from_waker(&flock.waker(number, 2))) {
                        Poll::Ready(sent) => sent.map_err(pipes::SendError::into_payload),
                        Poll::Pending => sending.into_inner().map_or(Ok(()), Err),
                    }
                }
                _ => chan
                    .send_timeout(value, Duration::from_micros(random.below(200)))
                    .map_err(pipes::SendTimeoutError::into_payload),
            },
        };
        match back {
            Ok(()) => sent += 1,
            Err(mut value) => value.flock = None,
        }
    }
    sent
}

fn program(seed: u64) {
    let (mut random, tally) = (Random::new(seed), Tally::new());
    let (sender, mut port) = match random.below(5) {
        0 => {
            let (chan, port) = stream();
            (Sender::One(chan), port)
        }
        1 => {
            let (chan, port) = shared_stream();
            (Sender::Many(chan), port)
        }
        room => {
            let (chan, port) = sync_stream(room as usize - 2);
            (Sender::One(chan), port)
        }
    };
    let flock = Flock(Arc::default(), Arc::default());
    // The port may have been in a set, or have been polled, before.
    let mut set = PortSet::new();
    if random.below(2) == 0 {
        let key = set.insert(port);
        let _ = set.try_recv();
        port = set.remove(&key).expect("it was just inserted");
    }
    if random.below(2) == 0 {
        let _ = port.poll_ready(&mut Context::from_waker(&flock.waker(seed, 2)));
    }
    let port = port.into_shared();
    (0..5).for_each(|_| flock.put(port.clone()));
    drop(port);
    let ways = match sender {
        Sender::Many(chan) => vec![Sender::Many(chan.clone()), Sender::Many(chan)],
        one @ Sender::One(_) => vec![one],
    };
    let senders: Vec<_> = ways
        .into_iter()
        .map(|way| {
            let (tally, flock, seed) = (tally.clone(), flock.clone(), random.below(1 << 40));
            thread::spawn(move || send(way, tally, flock, seed))
        })
        .collect();
    let receivers: Vec<_> = (0..2)
        .map(|_| {
            let (flock, mut random) = (flock.clone(), Random::new(random.below(1 << 40)));
            thread::spawn(move || {
                (0..if cfg!(miri) { 15 } else { 80 }).for_each(|_| flock.step(&mut random, 3))
            })
        })
        .collect();
    let sent: usize = senders.into_iter().map(|thread| thread.join().expect("it does not panic")).sum();
    receivers.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    drop(set);
    // Receives the rest, unless all receivers have left.
    let mut left = flock.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let was_there = left.is_some();
    while let Some(port) = &mut left {
        let Ok(value) = port.try_recv() else { break };
        flock.took(Some(value));
    }
    if was_there {
        assert_eq!(flock.1.load(SeqCst), sent, "seed {seed}");
    }
    drop(left);
    // The wakers in the line own the flock. With the last receiver all of it is dropped.
    let all = std::mem::take(&mut *flock.0.lock().unwrap_or_else(PoisonError::into_inner));
    drop(all);
    tally.assert_all_gone();
}

#[test]
fn wakers_and_values_that_receive() {
    watched(|| {
        let first = std::env::var("PIPES_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
        (first..first + effort(if cfg!(miri) { 30 } else { 500 }) as u64).for_each(program);
    });
}
