//! Keys of a `PortSet` whose code panics or lies. The set goes on, each message is received or dropped once,
//! and the set keeps nothing of members that have left.

use pipes::{Closed, Member, Port, PortOne, PortSet, TryRecvError, oneshot, stream};
use pipes_tests::{Counted, DropCounter, Rng, caught, effort, test_in, watched};
use std::cell::Cell;
use std::hash::{Hash, Hasher};

thread_local! {
    /// After how many calls of a key's code it panics, and which kinds of calls count.
    static FUSE: Cell<(u64, u8)> = const { Cell::new((0, 0)) };
    /// The number of keys that exist.
    static KEYS: Cell<i64> = const { Cell::new(0) };
    /// The state of the random numbers by which keys lie. At 0 they do not.
    static LIES: Cell<u64> = const { Cell::new(0) };
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

/// Stops the panics. Returns whether a call has panicked.
fn stop() -> bool {
    FUSE.replace((0, 0)).1 == 0
}

/// Returns `true` at random, once in `one_in` calls on average, if keys lie.
fn lie(one_in: u64) -> bool {
    let state = LIES.get();
    LIES.set(state.wrapping_mul(6_364_136_223_846_793_005));
    state != 0 && (state >> 33).is_multiple_of(one_in)
}

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
        lie(4) != (self.0 == other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        call(HASH);
        (if lie(3) { 0 } else { self.0 % 4 }).hash(state);
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        KEYS.set(KEYS.get() - 1);
        call(DROP);
    }
}

type Send = Box<dyn FnMut(Counted)>;

/// A kind of member.
trait Kind: Member<Message = Counted> + Sized {
    /// The function that sends to it. When it is dropped, the member is closed.
    fn make() -> (Send, Self);
}

impl Kind for Port<Counted> {
    fn make() -> (Send, Self) {
        let (mut chan, port) = stream();
        (Box::new(move |message| drop(chan.send(message))), port)
    }
}

impl Kind for PortOne<Counted> {
    fn make() -> (Send, Self) {
        let (chan, port) = oneshot();
        let mut chan = Some(chan);
        (Box::new(move |message| drop(chan.take().map(|chan| chan.send(message)))), port)
    }
}

/// Takes random steps. A panic stops one step, and nothing else.
fn steps<E: Kind>(
    set: &mut PortSet<E, Key>,
    sends: &mut Vec<Send>,
    drops: &DropCounter,
    seed: u64,
    count: u64,
) {
    let mut random = Rng::with_seed(seed);
    for step in 0..count {
        let number = random.u64(..6);
        let _stopped = caught(|| match random.u64(..7) {
            0..=2 => {
                let (send, member) = E::make();
                sends.push(send);
                drop(set.insert_at(Key::new(number), member));
            }
            3 => drop(set.remove(&Key::new(number))),
            4 => drop(sends.pop()),
            5 => {
                if let Ok((key, Ok(_message))) = set.try_recv()
                    && step % 2 == 0
                {
                    // The key is used again.
                    let (send, member) = E::make();
                    sends.push(send);
                    drop(set.insert_at(key, member));
                }
            }
            _ => sends.iter_mut().for_each(|send| send(drops.make(step))),
        });
        let _found = caught(|| set.contains_key(&Key::new(number)));
        let _ready = (set.is_ready(), set.len(), set.keys().count());
    }
}

/// Takes random steps, one call in which panics. Returns whether a call has panicked.
fn one_call_panics<E: Kind>(seed: u64, at: u64, kinds: u8, count: u64) -> bool {
    let (drops, mut set, mut sends) = (DropCounter::new(), PortSet::<E, Key>::new(), Vec::new());
    FUSE.set((at, kinds));
    steps(&mut set, &mut sends, &drops, seed, count);
    let has_panicked = stop();
    drop(sends);
    while set.try_recv().is_ok() {}
    assert_eq!(set.len(), 0, "all have closed: seed {seed}, call {at} of {kinds}");
    // No turn is going on, so the set holds no key of a member that has left. A key that is being returned
    // leaks if the destructor of another key panics after it.
    assert!(kinds & DROP != 0 || KEYS.get() == 0, "keys are left: seed {seed}, call {at} of {kinds}");
    drop(set);
    drops.assert_all_dropped();
    KEYS.set(0);
    has_panicked
}

fn each_call_panics<E: Kind>() {
    watched(|| {
        let (seeds, count, stride) = if cfg!(miri) { (1, 25, 7) } else { (3, 120, 1) };
        for kinds in [CLONE | EQ | HASH, DROP] {
            for seed in 1..=seeds {
                let calls = (0..).step_by(stride).find(|&at| !one_call_panics::<E>(seed, at, kinds, count));
                assert!(calls > Some(0), "no call of {kinds} was counted");
            }
        }
    });
}

#[test]
fn each_call_of_ports_keys_panics() {
    each_call_panics::<Port<Counted>>();
}

#[test]
fn each_call_of_oneshots_keys_panics() {
    each_call_panics::<PortOne<Counted>>();
}

/// At random, keys are equal to others and not equal to themselves, and their hash changes.
#[test_in(watched)]
fn keys_lie() {
    for seed in 1..=effort(300) as u64 {
        let (drops, mut set, mut sends) = (DropCounter::new(), PortSet::<Port<_>, Key>::new(), Vec::new());
        LIES.set(2 * seed + 1);
        steps(&mut set, &mut sends, &drops, seed, 100);
        LIES.set(0);
        drop((set, sends));
        drops.assert_all_dropped();
        assert_eq!(KEYS.get(), 0);
    }
}

/// Members leave one after the other, and each time the key panics when the set first looks it up. The set
/// passes on the panic, removes the member in a later turn, and keeps nothing of it.
fn leave_under_a_key_that_panics<E: Kind>(closes: bool) {
    watched(move || {
        let (drops, mut set) = (DropCounter::new(), PortSet::<E, Key>::new());
        for number in 0..10 {
            let (mut send, member) = E::make();
            assert!(set.insert_at(Key::new(number), member).is_none());
            if closes {
                drop(send);
            } else {
                send(drops.make(number));
                assert!(matches!(set.try_recv(), Ok((_, Ok(message))) if message.number == number));
            }
            FUSE.set((0, HASH));
            assert!(caught(|| set.try_recv()).is_some(), "the set asks for the hash");
            stop();
            let _turn = set.try_recv();
            assert_eq!(set.len(), 0);
        }
        assert_eq!(KEYS.get(), 0, "there is no member, and so no key");
    });
}

#[test]
fn members_that_close_under_a_key_that_panics() {
    leave_under_a_key_that_panics::<Port<Counted>>(true);
}

#[test]
fn members_that_are_used_up_under_a_key_that_panics() {
    leave_under_a_key_that_panics::<PortOne<Counted>>(false);
}

/// The message is still there, and so is the member.
#[test]
fn clone_in_a_receive() {
    let (mut chan, port) = stream();
    let mut set = PortSet::new();
    assert!(set.insert_at(Key::new(1), port).is_none());
    for number in 0..3 {
        chan.send(number).expect("it is a member");
        FUSE.set((0, CLONE));
        assert!(caught(|| set.try_recv().map(drop)).is_some());
        assert_eq!(set.recv(), Ok((Key::new(1), Ok(number))));
    }
    drop(chan);
    FUSE.set((0, CLONE));
    assert!(caught(|| set.try_recv().map(drop)).is_some());
    assert_eq!(set.recv(), Ok((Key::new(1), Err(Closed))));
}

/// The new member is dropped, and the set is unchanged.
#[test]
fn clone_in_an_insertion() {
    let ((mut one, first), (mut two, second)) = (stream(), stream());
    let mut set = PortSet::new();
    assert!(set.insert_at(Key::new(1), first).is_none());
    FUSE.set((0, CLONE));
    assert!(caught(|| set.insert_at(Key::new(2), second)).is_some());
    assert!(two.send(2).is_err());
    assert_eq!((set.len(), set.contains_key(&Key::new(2))), (1, false));
    one.send(1).expect("it is a member");
    assert_eq!(set.recv(), Ok((Key::new(1), Ok(1))));
    let (mut three, third) = stream();
    assert!(set.insert_at(Key::new(2), third).is_none());
    three.send(3).expect("it is a member");
    assert_eq!(set.recv(), Ok((Key::new(2), Ok(3))));
}

/// A replacement clones no key, so nothing can panic between the removal of the old member and the insertion
/// of the new one.
#[test]
fn no_clone_in_a_replacement() {
    let ((mut one, first), (_two, second)) = (stream(), stream());
    let mut set = PortSet::new();
    assert!(set.insert_at(Key::new(1), first).is_none());
    one.send(1).expect("a member");
    FUSE.set((0, CLONE));
    assert!(caught(|| set.insert_at(Key::new(1), second).map(drop)).is_none());
    assert!(!stop(), "no key was cloned");
    assert_eq!(set.len(), 1);
    assert!(one.send(2).is_err(), "it was given back, and dropped");
}

/// In a removal, whichever of the set's two copies of the key it is: the member is removed, and the set still
/// works.
#[test]
fn drop_in_a_removal() {
    for drops in [0, 1] {
        let (probe, again) = (Key::new(1), Key::new(1));
        let ((mut one, first), (mut two, second)) = (stream(), stream());
        let mut set = PortSet::new();
        assert!(set.insert_at(Key::new(1), first).is_none());
        FUSE.set((drops, DROP));
        assert!(caught(|| drop(set.remove(&probe))).is_some());
        assert!(set.is_empty() && !set.contains_key(&probe) && set.keys().count() == 0);
        assert!(one.send(1).is_err(), "the member was dropped");
        assert_eq!(set.try_recv().map(drop), Err(TryRecvError::Closed));
        assert!(set.insert_at(again, second).is_none());
        two.send(2).expect("it is a member");
        assert_eq!(set.recv(), Ok((Key::new(1), Ok(2))));
        assert!(set.remove(&probe).is_some());
    }
}
