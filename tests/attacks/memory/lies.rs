//! Iterators that lie about their length, and keys whose `Eq` and `Hash` lie. The results may be wrong, but
//! each value must be dropped once.

use pipes::{Port, PortSet, stream};
use pipes_skeleton::{flat_map, from_iter, map_reduce, merge};
use pipes_tests::{Counted, Random, Tally, caught, effort, watched};
use std::cell::Cell;
use std::hash::{Hash, Hasher};

/// Lies about its length, and goes on after it has returned `None`.
struct Liar<I>(I, (usize, Option<usize>), bool);

impl<I: Iterator> Iterator for Liar<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.2 = !self.2;
        if self.2 { self.0.next() } else { None }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.1
    }
}

/// Lies only about its length.
struct Told<I>(I, (usize, Option<usize>));

impl<I: Iterator> Iterator for Told<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.1
    }
}

const HINTS: [(usize, Option<usize>); 4] =
    [(usize::MAX, None), (usize::MAX, Some(0)), (0, Some(0)), (3, Some(1))];

#[test]
fn lengths() {
    watched(|| {
        for hint in HINTS {
            let tally = Tally::new();
            let (first, more) = (tally.clone(), tally.clone());
            let source = Told((0..20).map(move |number| first.make(number)), hint);
            let split = move |item: Counted| {
                let more = more.clone();
                let (number, item) = (item.number, Some(item));
                Told(item.into_iter().chain((0..2).map(move |_| more.make(number))), hint)
            };
            let parts = [
                from_iter(source),
                from_iter(Liar(
                    (0..20).map({
                        let tally = tally.clone();
                        move |number| tally.make(number)
                    }),
                    hint,
                    false,
                )),
            ];
            let all = merge(Told(parts.into_iter(), hint)).parallel_with(2, |_| flat_map(split.clone()));
            let all = all.in_order().flat_map(split).collect().expect("no stage fails");
            // The second source returns `None` after its first item.
            assert_eq!(all.len(), 21 * 9);
            let mapped = map_reduce(
                &all,
                2,
                |item| {
                    let tally = tally.clone();
                    let number = item.number;
                    Liar((0..5).map(move |_| (number, tally.make(1))), hint, false)
                },
                |left, right| {
                    drop(left);
                    right
                },
            );
            assert_eq!(mapped.expect("nothing panics").len(), 20);
            drop(all);
            tally.assert_all_gone();
        }
    });
}

thread_local! {
    /// The state of the random numbers by which keys lie.
    static LIES: Cell<u64> = const { Cell::new(1) };
}

/// Returns `true` at random, once in `one_in` calls on average.
fn lie(one_in: u64) -> bool {
    LIES.set(LIES.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    (LIES.get() >> 33).is_multiple_of(one_in)
}

/// At random it is equal to other keys, and not equal to itself, and its hash changes.
struct Key(Counted, Tally);

impl Clone for Key {
    fn clone(&self) -> Self {
        Key(self.1.make(self.0.number), self.1.clone())
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        lie(4) != (self.0.number == other.0.number)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (if lie(3) { 0 } else { self.0.number % 4 }).hash(state);
    }
}

#[test]
#[allow(clippy::mutable_key_type, reason = "they lie anyway")]
fn keys_of_values() {
    watched(|| {
        for workers in [1, 2, 4] {
            for _ in 0..effort(20) {
                let tally = Tally::new();
                let items: Vec<u64> = (0..if cfg!(miri) { 20 } else { 100 }).collect();
                let pairs = |number: &u64| {
                    let key = |number| Key(tally.make(number), tally.clone());
                    [(key(*number % 9), tally.make(1)), (key(*number % 7), tally.make(1))]
                };
                let reduce = |left: Counted, right: Counted| tally.make(left.number + right.number);
                drop(map_reduce(&items, workers, pairs, reduce).expect("nothing panics"));
                tally.assert_all_gone();
            }
        }
    });
}

/// Members are inserted, sent to, received from and removed under keys that lie.
#[test]
fn keys_of_members() {
    watched(|| {
        let mut random = Random::new(11);
        for _ in 0..effort(300) {
            let tally = Tally::new();
            let mut set = PortSet::<Port<Counted>, Key>::new();
            let mut chans = Vec::new();
            for _ in 0..effort(100).max(30) {
                let number = random.below(9);
                let key = Key(tally.make(number), tally.clone());
                // A set may be confused by that, and panic.
                let _confused = caught(|| match random.below(6) {
                    0 | 1 => {
                        let (chan, port) = stream();
                        chans.push(chan);
                        drop(set.insert_at(key, port));
                    }
                    2 => drop(set.remove(&key)),
                    3 => drop(chans.pop()),
                    4 => drop(set.try_recv()),
                    _ => chans.iter_mut().for_each(|chan| drop(chan.send(tally.make(number)))),
                });
            }
            drop((set, chans));
            tally.assert_all_gone();
        }
    });
}
