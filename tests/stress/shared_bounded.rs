//! Bounded streams with many senders that also reserve room: all sides use random verbs, and no more is on
//! its way than there is room for.

use crate::race::alone;
use crate::shared::number;
use futures::executor::block_on;
use pipes::{Port, SharedChan, TryRecvError, TrySendError, shared_sync_stream};
use pipes_tests::{Counted, DropCounter, Rng, effort, poll_future, spin, test_in};
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

const SENDERS: u64 = 3;
/// How often each sender sends.
const MESSAGES: usize = effort(1_000);
const CAPACITIES: [usize; 4] = [1, 2, 3, 16];

/// Counts that bound what is in flight. At every moment, at least as much room was occupied as `occupied`
/// says, and at most as much was received as `taken` says. So `occupied` never exceeds `taken` by more than
/// the capacity, also if `taken` is read later.
struct Room {
    capacity: u64,
    /// Raised after a send or a reservation, and lowered before a permit is dropped.
    occupied: AtomicU64,
    /// Raised before a receive, by the most that it may take, and lowered after it.
    taken: AtomicU64,
}

impl Room {
    fn new(capacity: usize) -> Self {
        Room { capacity: capacity as u64, occupied: AtomicU64::new(0), taken: AtomicU64::new(0) }
    }

    #[track_caller]
    fn check(&self) {
        let occupied = self.occupied.load(Ordering::SeqCst);
        let most = self.taken.load(Ordering::SeqCst) + self.capacity;
        assert!(occupied <= most, "{occupied} of {most} occupied");
    }

    #[track_caller]
    fn occupy(&self) {
        self.occupied.fetch_add(1, Ordering::SeqCst);
        self.check();
    }

    fn free(&self) {
        self.occupied.fetch_sub(1, Ordering::SeqCst);
    }

    /// Receives at most this number of messages.
    #[track_caller]
    fn receive(&self, most: usize, receive: impl FnOnce() -> Received) -> Received {
        self.taken.fetch_add(most as u64, Ordering::SeqCst);
        let received = receive();
        let count = received.as_ref().map_or(0, Vec::len);
        self.taken.fetch_sub((most - count) as u64, Ordering::SeqCst);
        self.check();
        received
    }
}

/// Sends one payload, with a permit or without one. Returns whether it was sent.
fn send(chan: &SharedChan<Counted>, payload: Counted, room: &Room, random: &mut Rng) -> bool {
    let moment = Duration::from_nanos(random.u64(..20_000));
    let permit = match random.u64(..6) {
        0 => {
            let sent = chan.send(payload).is_ok();
            if sent {
                room.occupy();
            }
            return sent;
        }
        1 => {
            let mut sending = chan.send_async(payload);
            let first = poll_future(&mut sending, Waker::noop()).map(|sent| sent.is_ok());
            spin(random.u64(..50));
            // What was not sent comes back.
            let sent = if let Poll::Ready(sent) = first { sent } else { sending.into_inner().is_none() };
            if sent {
                room.occupy();
            }
            return sent;
        }
        2 => chan.reserve().ok(),
        3 => chan.reserve_timeout(moment).ok(),
        4 => chan.try_reserve().ok(),
        _ => {
            let mut reserving = chan.reserve_async();
            let first = poll_future(&mut reserving, Waker::noop());
            spin(random.u64(..50));
            match first {
                Poll::Ready(permit) => permit.ok(),
                Poll::Pending if random.bool() => block_on(reserving).ok(),
                Poll::Pending => None,
            }
        }
    };
    let Some(permit) = permit else { return false };
    room.occupy();
    spin(random.u64(..50));
    if random.u64(..3) > 0 {
        return permit.send(payload).is_ok();
    }
    room.free();
    drop(permit);
    false
}

type Received = Result<Vec<Counted>, TryRecvError>;

/// Receives with a random verb.
fn receive(port: &mut Port<Counted>, room: &Room, random: &mut Rng) -> Received {
    let limit = 1 + random.usize(..20);
    let mut into = Vec::new();
    match random.u64(..3) {
        0 => room.receive(limit, || Ok(port.recv_many(&mut into, limit).map(|_| into)?)),
        1 => room.receive(limit, || port.try_recv_many(&mut into, limit).map(|_| into)),
        _ => room.receive(1, || Ok(port.recv().map(|payload| vec![payload])?)),
    }
}

/// Asserts that all room is free, and that there is no more of it than in the beginning.
#[track_caller]
pub fn assert_all_free(chan: &SharedChan<Counted>, capacity: usize) {
    let permits: Vec<_> = (0..capacity).map(|_| chan.try_reserve().expect("all room is free")).collect();
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())), "there is no more room than that");
    drop(permits);
}

/// The numbers of one sender, in the order in which they came.
fn of(sender: u64, received: &[u64]) -> Vec<u64> {
    received.iter().copied().filter(|number| number >> 32 == sender).collect()
}

/// Lets `SENDERS` threads send this often or until the stream has closed, while `listen` runs. Returns the
/// numbers that each has sent.
fn fan_in<R>(
    chan: SharedChan<Counted>,
    (drops, room): (&DropCounter, &Room),
    (seed, count): (usize, u64),
    listen: impl FnOnce() -> R,
) -> (Vec<Vec<u64>>, R) {
    thread::scope(|scope| {
        let start = |sender| {
            let (chan, mut random) = (chan.clone(), Rng::with_seed(seed as u64 * SENDERS + sender));
            scope.spawn(move || {
                let numbers = (0..count).map(|index| number(sender, index)).take_while(|_| !chan.is_closed());
                let sent = numbers.filter(|number| send(&chan, drops.make(*number), room, &mut random));
                sent.collect::<Vec<_>>()
            })
        };
        let senders: Vec<_> = (0..SENDERS).map(start).collect();
        drop(chan);
        let received = listen();
        (senders.into_iter().map(|sender| sender.join().expect("no sender panics")).collect(), received)
    })
}

/// Receives with one of these functions until the stream has closed, or this often.
fn listen(mut receive: impl FnMut() -> Received, times: u64) -> Vec<u64> {
    let mut all = Vec::new();
    for _ in 0..times {
        match receive() {
            Ok(payloads) => all.extend(payloads.iter().map(|payload| payload.number)),
            Err(TryRecvError::Empty(())) => {}
            Err(TryRecvError::Closed) => break,
        }
    }
    all
}

/// Everything that was reported as sent arrives, in order for each sender, and nothing else.
#[test_in(alone)]
fn everything_that_is_sent_arrives() {
    for round in 0..effort(60).max(CAPACITIES.len()) {
        let (capacity, drops) = (CAPACITIES[round % CAPACITIES.len()], DropCounter::new());
        let room = Room::new(capacity);
        let (chan, mut port) = shared_sync_stream(capacity);
        let mut random = Rng::with_seed(round as u64);
        let (sent, received) = fan_in(chan, (&drops, &room), (round, MESSAGES as u64), || {
            listen(|| receive(&mut port, &room, &mut random), u64::MAX)
        });
        for (sender, sent) in (0..).zip(&sent) {
            assert_eq!(of(sender, &received), *sent, "capacity {capacity}, sender {sender}");
        }
        drops.assert_all_dropped();
    }
}

/// The port leaves in the middle: every sender ends, and what was sent and not received had room.
#[test_in(alone)]
fn a_port_that_leaves_in_the_middle() {
    for round in 0..effort(1_000).max(CAPACITIES.len()) {
        let (capacity, drops) = (CAPACITIES[round % CAPACITIES.len()], DropCounter::new());
        let room = Room::new(capacity);
        let (chan, mut port) = shared_sync_stream(capacity);
        let mut random = Rng::with_seed(round as u64);
        let (sent, received) = fan_in(chan, (&drops, &room), (round, u64::MAX), || {
            let received = listen(|| receive(&mut port, &room, &mut random), round as u64 % 100);
            drop(port);
            received
        });
        for (sender, sent) in (0..).zip(&sent) {
            assert!(sent.starts_with(&of(sender, &received)), "capacity {capacity}, sender {sender}");
        }
        let lost = sent.concat().len() - received.len();
        assert!(lost <= capacity, "capacity {capacity}: {lost} sent and not received");
        drops.assert_all_dropped();
    }
}
