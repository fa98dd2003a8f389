//! Tasks and threads wait for a set behind a lock, while others insert ready members, replace and remove
//! members, take the whole set away, and close members. One thread unregisters the owner's waiter while a
//! sender takes it. Each waker must be dropped, and each value must be received once or dropped once.

use pipes::{Port, PortSet, Readiness, SharedChan, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, effort, poll, watched};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

type Set = PortSet<Port<Counted>, u64>;

struct World {
    set: Mutex<Set>,
    tally: Tally,
    received: AtomicUsize,
    bells: [Arc<Bell>; 2],
    wakers: [std::task::Waker; 2],
}

const STEPS: usize = if cfg!(miri) { 25 } else { 120 };
const KEYS: u64 = 4;

impl World {
    fn new() -> Self {
        let ((first, one), (second, other)) = (Bell::new(), Bell::new());
        World {
            set: Mutex::new(Set::new()),
            tally: Tally::new(),
            received: AtomicUsize::new(0),
            bells: [first, second],
            wakers: [one, other],
        }
    }

    fn set(&self) -> std::sync::MutexGuard<'_, Set> {
        self.set.lock().expect("no thread panics with it")
    }

    /// Waits for the set in a random way, or receives.
    fn wait(&self, lot: &mut Random) {
        let mut set = self.set();
        match lot.below(7) {
            0 | 1 => drop(poll(&mut *set, &self.wakers[lot.below(2) as usize])),
            2 => drop(set.wait(Some(std::time::Instant::now() + Duration::from_micros(20)))),
            3 => drop(set.is_ready()),
            4 => drop(set.recv_timeout(Duration::from_micros(20)).map(|turn| self.count(turn))),
            _ => drop(set.try_recv().map(|turn| self.count(turn))),
        }
    }

    fn count(&self, turn: (u64, Result<Counted, pipes::Closed>)) {
        if turn.1.is_ok() {
            self.received.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Changes the members, or sends.
    fn change(&self, lot: &mut Random, chan: &SharedChan<Counted>, sent: &mut Vec<pipes::Chan<Counted>>) {
        let key = lot.below(KEYS);
        let _ = chan.send(self.tally.make(1));
        match lot.below(8) {
            0 | 1 => {
                let (mut chan, port) = stream();
                if lot.below(2) == 0 {
                    assert!(chan.send(self.tally.make(2)).is_ok());
                }
                let old = self.set().insert_at(key, port);
                drop(old);
                sent.push(chan);
            }
            2 => {
                let (chan, port) = sync_stream(lot.below(2) as usize);
                let old = self.set().insert_at(key, port);
                drop(old);
                sent.push(chan);
            }
            3 => drop(self.set().remove(&key)),
            4 => {
                let port = self.set().remove(&key);
                if let Some(mut port) = port {
                    let _ = poll(&mut port, &self.wakers[0]);
                    drop(self.set().insert_at(key + 1, port));
                }
            }
            5 => {
                let set = std::mem::take(&mut *self.set());
                if lot.below(2) == 0 {
                    *self.set() = set;
                }
            }
            6 if !sent.is_empty() => drop(sent.swap_remove(lot.below(sent.len() as u64) as usize)),
            _ => {
                for chan in &mut *sent {
                    let _ = chan.try_send(self.tally.make(3));
                }
            }
        }
    }
}

fn round(seed: u64) {
    let world = Arc::new(World::new());
    let (chan, port) = shared_stream();
    drop(world.set().insert_at(0, port));
    let threads: Vec<_> = (0..3)
        .map(|number| {
            let (world, chan) = (world.clone(), chan.clone());
            thread::spawn(move || {
                let (mut lot, mut sent) = (Random::new(3 * seed + number), Vec::new());
                for _ in 0..STEPS {
                    if number == 0 || number == 1 && lot.below(2) == 0 {
                        world.wait(&mut lot);
                    } else {
                        world.change(&mut lot, &chan, &mut sent);
                    }
                }
            })
        })
        .collect();
    drop(chan);
    threads.into_iter().for_each(|thread| thread.join().expect("it only sends and receives"));
    while let Ok(turn) = world.set().try_recv() {
        world.count(turn);
    }
    drop(std::mem::take(&mut *world.set()));
    assert!(world.received.load(Ordering::Relaxed) <= world.tally.made());
    world.tally.assert_all_gone();
    for bell in &world.bells {
        assert_eq!(bell.wakers(), 1, "a waker was kept");
    }
}

#[test]
fn by_those_who_change_it() {
    watched(|| (0..effort(100) as u64).for_each(round));
}
