//! Skeletons for data in memory make, merge and divide sets of receivers in their threads, some of which
//! panic, while other threads send to the members. Tokens are on their way to sets that are gone, and members
//! wait in one set after the other, in one thread after the other. Each value must be received once or
//! dropped once.

use pipes::{Chan, Port, PortSet, SharedChan, shared_stream, stream, sync_stream};
use pipes_skeleton::{Divided, divide_and_conquer, map, map_in_place, map_reduce, reduce};
use pipes_tests::{Counted, Random, Tally, caught, effort, lend, watched};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

type Set = PortSet<Port<Counted>>;

const PORTS: u64 = if cfg!(miri) { 6 } else { 24 };
const EACH: u64 = 3;

enum Way {
    One(Chan<Counted>),
    Many(SharedChan<Counted>),
}

/// Ports that threads take from here.
type Ports = Vec<Mutex<Option<Port<Counted>>>>;

fn ends(lot: &mut Random) -> (Vec<Way>, Ports) {
    let pair = |_| {
        let ((chan, port), is_shared) = match lot.below(3) {
            0 => (stream(), false),
            1 => (sync_stream(EACH as usize), false),
            _ => (stream(), true),
        };
        if is_shared {
            let (chan, port) = shared_stream();
            return (Way::Many(chan), Mutex::new(Some(port)));
        }
        (Way::One(chan), Mutex::new(Some(port)))
    };
    (0..PORTS).map(pair).unzip()
}

/// Sends to all of them, at random moments. Returns how many sends were refused.
fn send(mut ways: Vec<Way>, tally: &Tally, mut lot: Random) -> usize {
    let mut refused = 0;
    for number in 0..EACH {
        for way in &mut ways {
            lot.dawdle(400);
            let value = tally.make(number);
            let sent = match way {
                Way::One(chan) => chan.try_send(value).is_ok(),
                Way::Many(chan) => chan.send(value).is_ok(),
            };
            refused += usize::from(!sent);
        }
    }
    refused
}

/// Counts its calls, one of which panics, and the values that come.
struct Step {
    calls: AtomicU64,
    at: u64,
    came: AtomicUsize,
}

impl Step {
    fn call(&self) {
        assert!(self.calls.fetch_add(1, SeqCst) != self.at, "the fuse");
    }

    /// Receives some values, and leaves the others in place.
    fn serve(&self, set: &mut Set, times: usize) {
        for _ in 0..times {
            let turn = set.recv_timeout(Duration::from_micros(5));
            if let Ok((_, Ok(_value))) = turn {
                self.came.fetch_add(1, SeqCst);
            }
        }
    }

    fn merge(&self, mut one: Set, mut other: Set) -> Set {
        self.serve(&mut other, 2);
        let keys: Vec<_> = other.keys().copied().collect();
        for key in keys {
            if let Some(port) = other.remove(&key) {
                one.insert(port);
            }
        }
        self.call();
        drop(other);
        self.serve(&mut one, 1);
        one
    }
}

fn run(how: u64, ports: &mut [Mutex<Option<Port<Counted>>>], workers: usize, step: &Step) -> Option<Set> {
    let take = |port: &Mutex<Option<Port<Counted>>>| port.lock().expect("it does not panic there").take();
    match how {
        0 => reduce(
            ports,
            workers,
            Set::new,
            |mut set, port| {
                step.call();
                set.extend(take(port));
                step.serve(&mut set, 1);
                set
            },
            |one, other| step.merge(one, other),
        )
        .ok(),
        1 => {
            let whole: Set = ports.iter().filter_map(take).collect();
            let divide = |mut set: Set| {
                step.call();
                step.serve(&mut set, 2);
                if set.len() < 3 {
                    return Divided::Solved(set);
                }
                let keys: Vec<_> = set.keys().copied().take(set.len() / 2).collect();
                let half: Set = keys.iter().filter_map(|key| set.remove(key)).collect();
                Divided::Into(vec![half, set])
            };
            let conquer =
                |sets: Vec<Set>| sets.into_iter().fold(Set::new(), |one, other| step.merge(one, other));
            divide_and_conquer(whole, workers, divide, conquer).ok()
        }
        2 => {
            let pairs = |port: &Mutex<Option<Port<Counted>>>| {
                step.call();
                take(port).map(|port| {
                    let mut set: Set = [port].into_iter().collect();
                    step.serve(&mut set, 1);
                    (step.calls.load(SeqCst) % 3, set)
                })
            };
            let all = map_reduce(ports, workers, pairs, |one, other| step.merge(one, other)).ok()?;
            Some(all.into_values().fold(Set::new(), |one, other| step.merge(one, other)))
        }
        _ => {
            let mut sets = map(ports, workers, |port| {
                step.call();
                take(port).into_iter().collect::<Set>()
            })
            .ok()?;
            map_in_place(&mut sets, workers, |set| {
                step.serve(set, 2);
                // All members move to another set, which takes the place of the old one.
                let new = step.merge(Set::new(), std::mem::take(set));
                drop(std::mem::replace(set, new));
            })
            .ok()?;
            Some(sets.into_iter().fold(Set::new(), |one, other| step.merge(one, other)))
        }
    }
}

fn round(seed: u64) {
    let (tally, mut lot) = (Tally::new(), Random::new(seed));
    let (ways, mut ports) = ends(&mut lot);
    let at = if lot.below(2) == 0 { u64::MAX } else { lot.below(2 * PORTS) };
    let step = Step { calls: AtomicU64::new(0), at, came: AtomicUsize::new(0) };
    let (how, workers) = (lot.below(4), 1 + lot.below(4) as usize);
    let sender = lend({
        let (tally, lot) = (tally.clone(), Random::new(seed + 1));
        move || send(ways, &tally, lot)
    });
    let mut whole = None;
    let panicked = caught(|| whole = run(how, &mut ports, workers, &step));
    let has_failed = panicked.is_some() || whole.is_none();
    assert_eq!(has_failed, step.calls.load(SeqCst) > at, "way {how}, {workers} workers, panic at {at}");
    let rest = whole.map(|mut set| set.messages().count());
    drop(ports);
    let refused = sender.join().expect("it only sends");
    if let Some(rest) = rest {
        assert_eq!(step.came.load(SeqCst) + rest + refused, tally.made(), "way {how}");
    }
    tally.assert_all_gone();
}

#[test]
fn sets_of_many_threads() {
    watched(|| (0..if cfg!(miri) { 8 } else { effort(1500) as u64 }).for_each(round));
}
