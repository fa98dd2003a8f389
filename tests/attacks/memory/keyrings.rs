//! Wakers and values insert into a set, remove from it and receive from it, in the threads of the senders,
//! while it is waited for. Keys are counted, and compare only a part of themselves, so that a member is
//! replaced under a key that is another value. Each key, member and message must be dropped once.

use pipes::{Chan, Member, Port, PortOne, PortSet, oneshot, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, effort, watched};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, TryLockError};
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

/// Keys with the same number are equal, although each is a value of its own.
struct Key(u64, Tally, #[expect(dead_code, reason = "it is there to be dropped")] Counted);

impl Key {
    fn new(number: u64, tally: &Tally) -> Self {
        Key(number, tally.clone(), tally.make(number))
    }
}

impl Clone for Key {
    fn clone(&self) -> Self {
        Key::new(self.0, &self.1)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 % 2).hash(state);
    }
}

/// A kind of member, with its sender.
trait Kind: Member<Message = Value> + Sized + Send + 'static {
    type Sender: Send + 'static;
    fn make(random: &mut Random) -> (Self::Sender, Self);
    /// Sends. Returns the sender if it can send again.
    fn send(sender: Self::Sender, value: Value) -> Option<Self::Sender>;
    /// Receives outside of the set.
    fn take(self) -> Option<Value>;
}

/// A message. It may own a step that is taken when it is dropped.
struct Value(#[expect(dead_code, reason = "it is there to be dropped")] Counted, Option<Step>);

type Step = Box<dyn FnOnce() + Send>;

impl Drop for Value {
    fn drop(&mut self) {
        if let Some(step) = self.1.take() {
            step();
        }
    }
}

impl Kind for Port<Value> {
    type Sender = Chan<Value>;

    fn make(random: &mut Random) -> (Self::Sender, Self) {
        match random.below(4) {
            0 => stream(),
            room => sync_stream(room as usize),
        }
    }

    fn send(mut chan: Self::Sender, value: Value) -> Option<Self::Sender> {
        chan.try_send(value).is_ok().then_some(chan)
    }

    fn take(mut self) -> Option<Value> {
        self.try_recv().ok()
    }
}

impl Kind for PortOne<Value> {
    type Sender = pipes::ChanOne<Value>;

    fn make(_: &mut Random) -> (Self::Sender, Self) {
        oneshot()
    }

    fn send(chan: Self::Sender, value: Value) -> Option<Self::Sender> {
        drop(chan.send(value));
        None
    }

    fn take(self) -> Option<Value> {
        self.recv_timeout(Duration::from_micros(10)).ok()
    }
}

/// The set, behind a lock that is only tried, and senders that no thread holds.
struct Ring<E: Kind>(Arc<Parts<E>>);

type Parts<E> = (Mutex<PortSet<E, Key>>, Mutex<Vec<<E as Kind>::Sender>>, Tally);

impl<E: Kind> Clone for Ring<E> {
    fn clone(&self) -> Self {
        Ring(self.0.clone())
    }
}

impl<E: Kind> Ring<E> {
    /// Takes a random step. What comes out of the set is dropped under the lock, or after it is released.
    fn step(&self, random: &mut Random, depth: u32) {
        let (set, senders, tally) = &*self.0;
        match random.below(8) {
            0 | 1 => {
                let chosen = {
                    let mut senders = senders.lock().expect("nothing panics behind it");
                    let index = random.below(1 + senders.len() as u64) as usize;
                    (index < senders.len()).then(|| senders.swap_remove(index))
                };
                let Some(sender) = chosen else { return };
                let own = (depth > 0 && random.below(3) == 0).then(|| {
                    let (ring, mut random) = (self.clone(), Random::new(random.below(1 << 40)));
                    Box::new(move || ring.step(&mut random, 1)) as Step
                });
                if random.below(6) > 0
                    && let Some(sender) = E::send(sender, Value(tally.make(1), own))
                {
                    senders.lock().expect("nothing panics behind it").push(sender);
                }
            }
            does => {
                let mut set = match set.try_lock() {
                    Ok(set) => set,
                    Err(TryLockError::WouldBlock) => return,
                    Err(TryLockError::Poisoned(_)) => panic!("nothing panics behind it"),
                };
                let key = Key::new(random.below(5), tally);
                match does {
                    2 | 3 => {
                        let (sender, member) = E::make(random);
                        let old = if random.below(2) == 0 {
                            // The member is waited for outside of the set first.
                            let mut member = member;
                            let waker = self.waker(random.below(1 << 30), depth);
                            let _ = member.poll_ready(&mut Context::from_waker(&waker));
                            set.insert_at(key, member)
                        } else {
                            set.insert_at(key, member)
                        };
                        senders.lock().expect("nothing panics behind it").push(sender);
                        if random.below(2) == 0 {
                            drop(set);
                        }
                        drop(old.map(E::take));
                    }
                    4 => {
                        let member = set.remove(&key);
                        if random.below(2) == 0 {
                            drop(set);
                        }
                        drop(member.map(E::take));
                    }
                    5 => {
                        let waker = self.waker(random.below(1 << 30), depth);
                        let _ = set.poll_ready(&mut Context::from_waker(&waker));
                        // The waker may be the last clone, whose drop takes a step.
                        drop(set);
                    }
                    6 => {
                        let got = set.recv_timeout(Duration::from_micros(20));
                        drop(set);
                        drop(got);
                    }
                    _ => {
                        let got = set.try_recv();
                        if random.below(2) == 0 {
                            drop(set);
                        }
                        drop(got);
                    }
                }
            }
        }
    }

    fn waker(&self, seed: u64, depth: u32) -> Waker {
        let (ring, mut random) = (self.clone(), Random::new(seed));
        let action = move || {
            if depth > 0 {
                ring.step(&mut random, depth - 1);
            }
        };
        if seed.is_multiple_of(4) { Bell::at_last(action) } else { Bell::that(action).1 }
    }
}

fn program<E: Kind>(seed: u64) {
    let tally = Tally::new();
    let ring = Ring::<E>(Arc::new((Mutex::new(PortSet::new()), Mutex::default(), tally.clone())));
    let threads: Vec<_> = (0..3)
        .map(|number| {
            let (ring, mut random) = (ring.clone(), Random::new(3 * seed + number));
            thread::spawn(move || {
                (0..if cfg!(miri) { 25 } else { 150 }).for_each(|_| ring.step(&mut random, 3))
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    // Drops the rest, which may insert more.
    loop {
        let set = std::mem::take(&mut *ring.0.0.lock().expect("nothing panics behind it"));
        let senders = std::mem::take(&mut *ring.0.1.lock().expect("nothing panics behind it"));
        if set.is_empty() && senders.is_empty() {
            drop((set, senders));
            break;
        }
        drop((set, senders));
    }
    assert_eq!(Arc::strong_count(&ring.0), 1, "seed {seed}");
    drop(ring);
    tally.assert_all_gone();
}

fn seeds() -> std::ops::Range<u64> {
    let first = std::env::var("PIPES_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    first..first + effort(if cfg!(miri) { 20 } else { 300 }) as u64
}

#[test]
fn of_ports() {
    watched(|| seeds().for_each(program::<Port<Value>>));
}

#[test]
fn of_oneshots() {
    watched(|| seeds().for_each(program::<PortOne<Value>>));
}
