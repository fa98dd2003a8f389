//! Bounded streams with many senders: all sides use random verbs, and nothing is lost, doubled, leaked or in
//! flight without room.

use crate::race::alone;
use futures::executor::block_on;
use pipes::{Port, RecvTimeoutError, SharedChan, SharedPort, TryRecvError, TrySendError, shared_sync_stream};
use pipes_tests::{Counted, Random, Tally, effort, poll, poll_future};
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

const SENDERS: u64 = 3;
/// How often each sender sends, and the place of its last message.
const MESSAGES: usize = 1_000;
const LAST: u64 = u32::MAX as u64;
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
        let taken = self.taken.load(Ordering::SeqCst);
        assert!(
            occupied <= taken + self.capacity,
            "{occupied} occupied, {taken} received, room for {}",
            self.capacity
        );
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
    fn receive<R>(&self, most: u64, receive: impl FnOnce() -> R, count: impl FnOnce(&R) -> usize) -> R {
        self.taken.fetch_add(most, Ordering::SeqCst);
        let received = receive();
        self.taken.fetch_sub(most - count(&received) as u64, Ordering::SeqCst);
        self.check();
        received
    }
}

/// A number that tells which sender sent it, and its place among that sender's messages.
fn number(sender: u64, index: u64) -> u64 {
    sender << 32 | index
}

/// Sends one payload with a random verb. Returns whether it was sent.
fn send(chan: &SharedChan<Counted>, payload: Counted, room: &Room, random: &mut Random) -> bool {
    let moment = Duration::from_nanos(random.below(20_000));
    let sent = match random.below(10) {
        0 | 1 => chan.send(payload).is_ok(),
        2 => chan.try_send(payload).is_ok(),
        3 => chan.send_timeout(payload, moment).is_ok(),
        4 => block_on(chan.send_async(payload)).is_ok(),
        5 => {
            let mut sending = chan.send_async(payload);
            match poll_future(&mut sending, Waker::noop()) {
                Poll::Ready(sent) => sent.is_ok(),
                Poll::Pending => {
                    random.dawdle(50);
                    let waits = random.below(2) == 0;
                    if waits { block_on(sending).is_ok() } else { sending.into_inner().is_none() }
                }
            }
        }
        verb => {
            let permit = match verb {
                6 => chan.reserve().ok(),
                7 => chan.reserve_timeout(moment).ok(),
                8 => chan.try_reserve().ok(),
                _ => {
                    let mut reserving = chan.reserve_async();
                    let first = poll_future(&mut reserving, Waker::noop());
                    random.dawdle(50);
                    if first.is_pending() && random.below(2) == 0 {
                        block_on(reserving).ok()
                    } else {
                        drop(reserving);
                        if let Poll::Ready(permit) = first { permit.ok() } else { None }
                    }
                }
            };
            let Some(permit) = permit else { return false };
            room.occupy();
            random.dawdle(50);
            if random.below(3) > 0 {
                return permit.send(payload).is_ok();
            }
            room.free();
            drop(permit);
            return false;
        }
    };
    if sent {
        room.occupy();
    }
    sent
}

type Received = Result<Vec<Counted>, TryRecvError>;

fn counted(received: &Received) -> usize {
    received.as_ref().map_or(0, Vec::len)
}

/// Receives with a random verb; `Closed` at the end.
fn receive(port: &mut Port<Counted>, room: &Room, random: &mut Random) -> Received {
    let one = |received: Result<Counted, _>| received.map(|payload| vec![payload]);
    let (verb, limit) = (random.below(8), 1 + random.below(20));
    let most = if verb < 2 { limit } else { 1 };
    let receive = || match verb {
        0 | 1 => {
            let (mut into, limit) = (Vec::new(), limit as usize);
            let received = if verb == 0 {
                port.recv_many(&mut into, limit).map_err(|_| TryRecvError::Closed)
            } else {
                port.try_recv_many(&mut into, limit)
            };
            received.map(|_| into)
        }
        2 | 3 => one(port.recv().map_err(|_| TryRecvError::Closed)),
        4 => one(port.try_recv()),
        5 => one(port.recv_timeout(Duration::from_nanos(random.below(20_000))).map_err(to_try)),
        6 => one(block_on(port.recv_async()).map_err(|_| TryRecvError::Closed)),
        _ => {
            let ready = poll(port, Waker::noop()).is_ready();
            random.dawdle(50);
            let received = port.try_recv();
            assert!(!ready || received.as_ref().err() != Some(&TryRecvError::Empty(())), "ready stays ready");
            one(received)
        }
    };
    room.receive(most, receive, counted)
}

fn to_try(error: RecvTimeoutError) -> TryRecvError {
    if error.is_closed() { TryRecvError::Closed } else { TryRecvError::Empty(()) }
}

/// Receives with a random verb at one of several receivers; `Closed` at the end.
fn receive_shared(port: &mut SharedPort<Counted>, room: &Room, random: &mut Random) -> Received {
    let receive = || {
        let received = match random.below(5) {
            0 => port.recv().map_err(|_| TryRecvError::Closed),
            1 => port.try_recv(),
            2 => port.recv_timeout(Duration::from_nanos(random.below(20_000))).map_err(to_try),
            3 => block_on(port.recv_async()).map_err(|_| TryRecvError::Closed),
            _ => match poll_future(&mut port.recv_async(), Waker::noop()) {
                Poll::Ready(received) => received.map_err(|_| TryRecvError::Closed),
                Poll::Pending => Err(TryRecvError::Empty(())),
            },
        };
        received.map(|payload| vec![payload])
    };
    room.receive(1, receive, counted)
}

/// The numbers of one sender, in the order in which they came.
fn of(sender: u64, received: &[u64]) -> Vec<u64> {
    received.iter().copied().filter(|number| number >> 32 == sender).collect()
}

/// Asserts that all room is free, and that there is no more of it than in the beginning.
#[track_caller]
pub fn assert_all_free(chan: &SharedChan<Counted>, capacity: usize) {
    let permits: Vec<_> = (0..capacity).map(|_| chan.try_reserve().expect("all room is free")).collect();
    assert_eq!(chan.try_reserve().map(drop), Err(TrySendError::Full(())), "there is no more room than that");
    drop(permits);
}

/// Lets `SENDERS` threads send, each with an end of its own, while `receive` runs. Returns the numbers that
/// each has sent.
fn fan_in<R>(
    chan: &SharedChan<Counted>,
    send: impl Fn(u64, &SharedChan<Counted>, &mut Random) -> Vec<u64> + Sync,
    seed: usize,
    receive: impl FnOnce() -> R,
) -> (Vec<Vec<u64>>, R) {
    thread::scope(|scope| {
        let start = |sender| {
            let (chan, send) = (chan.clone(), &send);
            scope.spawn(move || send(sender, &chan, &mut Random::new(seed as u64 * SENDERS + sender)))
        };
        let senders: Vec<_> = (0..SENDERS).map(start).collect();
        let received = receive();
        (senders.into_iter().map(|sender| sender.join().expect("no sender panics")).collect(), received)
    })
}

/// Sends `MESSAGES` times with random verbs, then a last message for sure. Returns what was sent.
fn send_all(
    sender: u64,
    chan: &SharedChan<Counted>,
    tally: &Tally,
    room: &Room,
    random: &mut Random,
) -> Vec<u64> {
    let numbers = (0..effort(MESSAGES) as u64).map(|index| number(sender, index));
    let mut sent: Vec<_> = numbers.filter(|&number| send(chan, tally.make(number), room, random)).collect();
    assert!(chan.send(tally.make(number(sender, LAST))).is_ok());
    room.occupy();
    sent.push(number(sender, LAST));
    sent
}

/// Everything that was reported as sent arrives, in order for each sender, and nothing else; afterwards there
/// is as much room as before.
#[test]
fn everything_that_is_sent_arrives() {
    alone(|| {
        for round in 0..effort(60).max(CAPACITIES.len()) {
            let (capacity, tally) = (CAPACITIES[round % CAPACITIES.len()], Tally::new());
            let room = Room::new(capacity);
            let (chan, mut port) = shared_sync_stream(capacity);
            let send = |sender, chan: &_, random: &mut _| send_all(sender, chan, &tally, &room, random);
            let (sent, received) = fan_in(&chan, send, round, || {
                let (mut random, mut all, mut ends) = (Random::new(round as u64), Vec::new(), 0);
                while ends < SENDERS {
                    let numbers = receive(&mut port, &room, &mut random).into_iter().flatten();
                    for number in numbers.map(|payload| payload.number) {
                        ends += u64::from(number & LAST == LAST);
                        all.push(number);
                    }
                }
                all
            });
            for (sender, sent) in (0..).zip(&sent) {
                assert_eq!(of(sender, &received), *sent, "capacity {capacity}, sender {sender}");
            }
            assert_all_free(&chan, capacity);
            drop(chan);
            assert!(port.recv().is_err(), "nothing else was sent");
            tally.assert_all_gone();
        }
    });
}

/// With several receivers, each sees the messages of a sender in order.
#[test]
fn everything_arrives_at_several_receivers() {
    alone(|| {
        for round in 0..effort(40).max(CAPACITIES.len()) {
            let (capacity, tally) = (CAPACITIES[round % CAPACITIES.len()], Tally::new());
            let room = Room::new(capacity);
            let (chan, port) = shared_sync_stream(capacity);
            let port = port.into_shared();
            let listen = |mut port: SharedPort<Counted>, seed: u64| {
                let (mut random, mut all) = (Random::new(seed), Vec::new());
                loop {
                    match receive_shared(&mut port, &room, &mut random) {
                        Ok(payloads) => all.extend(payloads.iter().map(|payload| payload.number)),
                        Err(TryRecvError::Empty(())) => {}
                        Err(TryRecvError::Closed) => return all,
                    }
                }
            };
            let send = |sender, chan: &_, random: &mut _| send_all(sender, chan, &tally, &room, random);
            let (sent, mut received) = thread::scope(|scope| {
                let receivers: Vec<_> = (0..2)
                    .map(|receiver| {
                        let (port, listen) = (port.clone(), &listen);
                        scope.spawn(move || listen(port, 100 + round as u64 * 2 + receiver))
                    })
                    .collect();
                drop(port);
                let (sent, ()) = fan_in(&chan, send, round, || {});
                drop(chan);
                let join = |receiver: thread::ScopedJoinHandle<'_, Vec<u64>>| receiver.join();
                let received: Result<Vec<_>, _> = receivers.into_iter().map(join).collect();
                (sent, received.expect("no receiver panics"))
            });
            for received in &received {
                assert!((0..SENDERS).all(|sender| of(sender, received).is_sorted()), "order of a sender");
            }
            let mut received = received.split_off(0).concat();
            received.sort_unstable();
            assert_eq!(received, sent.concat(), "capacity {capacity}");
            tally.assert_all_gone();
        }
    });
}

/// The port leaves in the middle: every sender ends, and what was sent and not received had room.
#[test]
fn a_port_that_leaves_in_the_middle() {
    alone(|| {
        for round in 0..effort(1_000).max(CAPACITIES.len()) {
            let (capacity, tally) = (CAPACITIES[round % CAPACITIES.len()], Tally::new());
            let room = Room::new(capacity);
            let (chan, mut port) = shared_sync_stream(capacity);
            let send = |sender, chan: &SharedChan<Counted>, random: &mut Random| {
                let mut sent = Vec::new();
                for number in (0..).map(|index| number(sender, index)) {
                    if send(chan, tally.make(number), &room, random) {
                        sent.push(number);
                    } else if chan.is_closed() {
                        break;
                    }
                }
                assert!(chan.send(tally.make(0)).is_err() && chan.reserve().is_err(), "closed stays closed");
                sent
            };
            let (sent, received) = fan_in(&chan, send, round, || {
                let mut random = Random::new(round as u64);
                let mut all = Vec::new();
                for _ in 0..random.below(100) {
                    let payloads = receive(&mut port, &room, &mut random);
                    all.extend(payloads.into_iter().flatten().map(|payload| payload.number));
                }
                drop(port);
                all
            });
            for (sender, sent) in (0..).zip(&sent) {
                assert!(sent.starts_with(&of(sender, &received)), "capacity {capacity}, sender {sender}");
            }
            let lost = sent.concat().len() - received.len();
            assert!(lost <= capacity, "capacity {capacity}: {lost} sent and not received");
            tally.assert_all_gone();
        }
    });
}
