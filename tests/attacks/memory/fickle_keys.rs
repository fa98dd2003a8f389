//! Sets whose keys panic at the n-th call of their `clone`, `eq`, `hash` or `drop`, for each n. The set must
//! go on, each message must be received or dropped once, and the set must release all that it held for
//! members that have left.

use pipes::{Port, PortOne, PortSet, oneshot, stream};
use pipes_tests::{Counted, Random, Tally, caught, watched};
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

thread_local! {
    /// After how many calls of the user's code it panics, and which kinds of calls count.
    static FUSE: Cell<(u64, u8)> = const { Cell::new((0, 0)) };
    static KEYS: Cell<i64> = const { Cell::new(0) };
}

const CLONE: u8 = 1;
const EQ: u8 = 2;
const HASH: u8 = 4;
const DROP: u8 = 8;

/// Counts a call, and panics if it is the chosen one.
fn call(kind: u8) {
    let (left, kinds) = FUSE.get();
    if kinds & kind != 0 && !std::thread::panicking() {
        FUSE.set(if left == 0 { (0, 0) } else { (left - 1, kinds) });
        assert!(left != 0, "the fuse");
    }
}

fn light(at: u64, kinds: u8) {
    FUSE.set((at, kinds));
}

/// Stops the panics. Returns whether a call has panicked.
fn put_out() -> bool {
    FUSE.replace((0, 0)).1 == 0
}

/// A key that counts itself.
#[derive(Debug)]
struct Key(u64);

impl Key {
    fn new(number: u64) -> Self {
        KEYS.set(KEYS.get() + 1);
        Key(number)
    }
}

impl Clone for Key {
    fn clone(&self) -> Self {
        call(CLONE);
        Key::new(self.0)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        call(EQ);
        self.0 == other.0
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        call(HASH);
        self.0.hash(state);
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        KEYS.set(KEYS.get() - 1);
        call(DROP);
    }
}

/// Takes random steps, one call in which panics. Returns whether a call has panicked.
fn ports(seed: u64, at: u64, kinds: u8, steps: u64) -> bool {
    let (tally, mut random) = (Tally::new(), Random::new(seed));
    let mut set = PortSet::<Port<Counted>, Key>::new();
    let mut chans = HashMap::new();
    light(at, kinds);
    for step in 0..steps {
        let number = random.below(6);
        // A panic stops this step, and nothing else.
        let _stopped = caught(|| match random.below(7) {
            0..=2 => {
                let (chan, port) = stream();
                chans.insert(number, chan);
                drop(set.insert_at(Key::new(number), port));
            }
            3 => drop(set.remove(&Key::new(number))),
            4 => drop(chans.remove(&number)),
            5 => drop(set.try_recv()),
            _ => chans.values_mut().for_each(|chan| drop(chan.send(tally.make(step)))),
        });
        let _found = caught(|| set.contains_key(&Key::new(number)));
        let _ready = (set.is_ready(), set.len(), set.keys().count());
    }
    let has_panicked = put_out();
    drop(chans);
    while set.try_recv().is_ok() {}
    assert_eq!(set.len(), 0, "all have closed: seed {seed}, call {at} of {kinds}");
    // No turn is going on, so the set holds no key of a member that has left.
    if kinds & DROP == 0 {
        let left = KEYS.get();
        assert_eq!(left, 0, "keys of members that have left: seed {seed}, call {at} of {kinds}");
    }
    drop(set);
    tally.assert_all_gone();
    // A key that is being returned leaks if the destructor of another key panics after it.
    assert!(kinds & DROP != 0 || KEYS.get() == 0, "keys: seed {seed}, call {at} of {kinds}");
    KEYS.set(0);
    has_panicked
}

/// Uses members that a turn uses up, and keys that are used again.
fn oneshots(seed: u64, at: u64, kinds: u8, steps: u64) -> bool {
    let (tally, mut random) = (Tally::new(), Random::new(seed));
    let mut set = PortSet::<PortOne<Counted>, Key>::new();
    let mut chans = Vec::new();
    light(at, kinds);
    for step in 0..steps {
        let number = random.below(6);
        let _stopped = caught(|| match random.below(6) {
            0..=2 => {
                let (chan, port) = oneshot();
                chans.push(chan);
                drop(set.insert_at(Key::new(number), port));
            }
            3 => drop(set.remove(&Key::new(number))),
            4 => {
                if let Some(chan) = chans.pop() {
                    drop(chan.send(tally.make(step)));
                }
            }
            _ => {
                if let Ok((key, Ok(_message))) = set.try_recv()
                    && step % 2 == 0
                {
                    let (chan, port) = oneshot();
                    chans.push(chan);
                    drop(set.insert_at(key, port));
                }
            }
        });
    }
    let has_panicked = put_out();
    drop(chans);
    while set.try_recv().is_ok() {}
    assert_eq!(set.len(), 0, "all have closed: seed {seed}, call {at} of {kinds}");
    if kinds & DROP == 0 {
        assert_eq!(KEYS.get(), 0, "keys of members that have left: seed {seed}, call {at} of {kinds}");
    }
    drop(set);
    tally.assert_all_gone();
    // A key that is being returned leaks if the destructor of another key panics after it.
    assert!(kinds & DROP != 0 || KEYS.get() == 0, "keys: seed {seed}, call {at} of {kinds}");
    KEYS.set(0);
    has_panicked
}

fn each(program: fn(u64, u64, u8, u64) -> bool, kinds: &'static [u8]) {
    watched(move || {
        let (seeds, steps, stride) = if cfg!(miri) { (1, 25, 7) } else { (6, 120, 1) };
        for seed in 1..=seeds {
            for &kind in kinds {
                let mut at = 0;
                while program(seed, at, kind, steps) {
                    at += stride;
                }
                assert!(at > 0, "no call of {kind} was counted");
            }
        }
    });
}

#[test]
fn ports_whose_keys_panic() {
    each(ports, &[CLONE, EQ, HASH, EQ | HASH | CLONE]);
}

#[test]
fn oneshots_whose_keys_panic() {
    each(oneshots, &[CLONE, EQ, HASH, EQ | HASH | CLONE]);
}

#[test]
fn keys_whose_destructors_panic() {
    each(ports, &[DROP]);
    each(oneshots, &[DROP]);
}

/// Members close one after the other, and each time the key panics when the set first looks it up. The set
/// must pass on the panic, remove the member in a later turn, and keep nothing of it.
#[test]
fn members_that_close_under_a_key_that_panics() {
    watched(|| {
        let mut set = PortSet::<Port<()>, Key>::new();
        for number in 0..10 {
            let (chan, port) = stream();
            assert!(set.insert_at(Key::new(number), port).is_none());
            drop(chan);
            light(0, HASH);
            assert!(caught(|| set.try_recv()).is_some(), "the set asks for the hash");
            put_out();
            let _turn = set.try_recv();
            assert_eq!(set.len(), 0);
        }
        assert_eq!(KEYS.get(), 0, "there is no member, and so no key");
    });
}

/// Members are removed with their message: their key stays until the next turn.
#[test]
fn members_that_leave_under_a_key_that_panics() {
    watched(|| {
        let mut set = PortSet::<PortOne<u64>, Key>::new();
        for number in 0..10 {
            let (chan, port) = oneshot();
            assert!(set.insert_at(Key::new(number), port).is_none());
            chan.send(number).expect("the set has the port");
            assert!(matches!(set.try_recv(), Ok((_, Ok(message))) if message == number));
            light(0, HASH);
            assert!(caught(|| set.try_recv()).is_some(), "the set asks for the hash");
            put_out();
            let _turn = set.try_recv();
            assert_eq!(set.len(), 0);
        }
        assert_eq!(KEYS.get(), 0, "there is no member, and so no key");
    });
}
