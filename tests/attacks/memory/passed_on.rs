//! Ports whose waiter is of another kind each time: a token of one set, then of another one, a task, a
//! thread, the line of a shared port. A slow sender of a shared stream may find the waiter of a later wait,
//! or one that was unregistered, and sets are dropped while tokens are on their way to them. Each value must
//! be received once or dropped once, and each waker must be dropped.

use pipes::{Port, PortSet, SharedChan, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, effort, poll, watched};
use std::sync::Arc;
use std::task::Waker;
use std::thread;
use std::time::Duration;

const STEPS: usize = if cfg!(miri) { 30 } else { 300 };
const PORTS: usize = 3;

type Set = PortSet<Port<Counted>>;

/// All that the receiving thread owns.
struct Owner {
    ports: Vec<Port<Counted>>,
    sets: [Set; 2],
    bell: Arc<Bell>,
    waker: Waker,
    count: usize,
}

impl Owner {
    fn took(&mut self, value: Result<Counted, impl Sized>) {
        self.count += usize::from(value.is_ok());
    }

    /// Takes a port from a set, or from those outside.
    fn pick(&mut self, lot: &mut Random) -> Option<Port<Counted>> {
        let set = &mut self.sets[lot.below(2) as usize];
        let mut keys = set.keys().copied();
        let key = keys.nth(lot.below(PORTS as u64) as usize);
        drop(keys);
        key.and_then(|key| set.remove(&key)).or_else(|| self.ports.pop())
    }

    fn step(&mut self, lot: &mut Random) {
        let which = lot.below(2) as usize;
        match lot.below(12) {
            0..=2 => {
                if let Some(port) = self.pick(lot) {
                    self.sets[which].insert(port);
                }
            }
            3 => {
                if let Some(mut port) = self.pick(lot) {
                    let _ = poll(&mut port, &self.waker);
                    self.ports.push(port);
                }
            }
            4 => {
                if let Some(mut port) = self.pick(lot) {
                    let value = port.recv_timeout(Duration::from_micros(10));
                    self.took(value);
                    self.ports.push(port);
                }
            }
            5 => {
                let _ = poll(&mut self.sets[which], &self.waker);
            }
            6 | 7 => {
                if let Ok((_, value)) = self.sets[which].try_recv() {
                    self.took(value);
                }
            }
            8 => {
                if let Ok((_, value)) = self.sets[which].recv_timeout(Duration::from_micros(10)) {
                    self.took(value);
                }
            }
            9 => {
                // The set is dropped and its members move to the other set, whatever tokens are on their way.
                let keys: Vec<_> = self.sets[which].keys().copied().collect();
                let mut old = std::mem::take(&mut self.sets[which]);
                let members = keys.iter().filter_map(|key| old.remove(key)).collect::<Vec<_>>();
                drop(old);
                self.sets[1 - which].extend(members);
            }
            10 => {
                let (one, other) = self.sets.split_at_mut(1);
                std::mem::swap(&mut one[0], &mut other[0]);
            }
            _ => {
                if let Some(mut port) = self.pick(lot) {
                    let value = port.try_recv();
                    self.took(value);
                    self.ports.push(port);
                }
            }
        }
    }

    /// Receives the rest, from shared ports and from a set. Returns how many values came, or `None` if all
    /// was dropped instead.
    fn end(mut self, lot: &mut Random) -> Option<usize> {
        if lot.below(4) == 0 {
            return None;
        }
        for which in 0..2 {
            let keys: Vec<_> = self.sets[which].keys().copied().collect();
            for key in keys {
                if let Some(port) = self.sets[which].remove(&key) {
                    self.ports.push(port);
                }
            }
        }
        let mut set = Set::new();
        for mut port in std::mem::take(&mut self.ports) {
            if lot.below(2) == 0 {
                let mut port = port.into_shared();
                self.count += port.iter().count();
            } else {
                let _ = poll(&mut port, &self.waker);
                set.insert(port);
            }
        }
        self.count += set.messages().count();
        Some(self.count)
    }
}

fn send(chans: &[SharedChan<Counted>], tally: &Tally, mut lot: Random) {
    for number in 0..STEPS {
        let _ = chans[lot.below(chans.len() as u64) as usize].send(tally.make(number as u64));
        if lot.below(4) == 0 {
            thread::yield_now();
        }
    }
}

fn round(seed: u64) {
    let (tally, mut lot) = (Tally::new(), Random::new(seed));
    let (chans, mut ports): (Vec<_>, Vec<_>) = (0..PORTS).map(|_| shared_stream()).unzip();
    let (mut single, port) = stream();
    ports.push(port);
    let (mut bounded, port) = sync_stream(lot.below(2) as usize);
    ports.push(port);
    let (bell, waker) = Bell::new();
    let senders: Vec<_> = (0..2)
        .map(|number| {
            let (chans, tally, lot) = (chans.clone(), tally.clone(), Random::new(3 * seed + number));
            thread::spawn(move || send(&chans, &tally, lot))
        })
        .collect();
    drop(chans);
    let other = thread::spawn({
        let (tally, mut lot) = (tally.clone(), Random::new(seed + 1));
        move || {
            let mut lost = 0;
            for number in 0..STEPS as u64 {
                let _ = single.send(tally.make(number));
                let sent = if lot.below(2) == 0 {
                    bounded.try_send(tally.make(number)).is_ok()
                } else {
                    bounded.send_timeout(tally.make(number), Duration::from_micros(5)).is_ok()
                };
                lost += usize::from(!sent);
            }
            lost
        }
    });
    let mut owner = Owner { ports, sets: [Set::new(), Set::new()], bell, waker, count: 0 };
    for _ in 0..STEPS {
        owner.step(&mut lot);
    }
    let bell = owner.bell.clone();
    let count = owner.end(&mut lot);
    senders.into_iter().for_each(|sender| sender.join().expect("it only sends"));
    let lost = other.join().expect("it only sends");
    if let Some(count) = count {
        assert_eq!(count + lost, tally.made(), "each has come");
    }
    tally.assert_all_gone();
    assert_eq!(bell.wakers(), 0, "a waker is kept");
}

#[test]
fn waiters_of_all_kinds() {
    watched(|| (0..if cfg!(miri) { 8 } else { effort(200) as u64 }).for_each(round));
}
