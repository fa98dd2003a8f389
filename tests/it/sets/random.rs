//! Random sends, closes, receives, insertions and removals, checked against a model.

use pipes::{Chan, Closed, Port, PortSet, TryRecvError, stream};
use pipes_tests::{Counted, Random, Tally, watched};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The model of a member or a former member.
struct Known {
    chan: Option<Chan<Counted>>,
    unread: VecDeque<u64>,
    /// When it became ready.
    since: Option<u64>,
    /// The members that were ready at its last turn, and have not had a turn since.
    owed: BTreeSet<usize>,
}

impl Known {
    fn is_ready(&self) -> bool {
        !self.unread.is_empty() || self.chan.is_none()
    }
}

/// A set, its members, and the ports that were removed.
struct World {
    set: PortSet<Port<Counted>>,
    members: BTreeMap<usize, Known>,
    outside: Vec<(Port<Counted>, Known)>,
    now: u64,
    tally: Tally,
}

impl World {
    fn new(members: usize) -> Self {
        let mut world = World {
            set: PortSet::new(),
            members: BTreeMap::new(),
            outside: Vec::new(),
            now: 0,
            tally: Tally::new(),
        };
        (0..members).for_each(|_| world.come());
        world
    }

    /// A random member.
    fn anybody(&self, random: &mut Random) -> Option<usize> {
        let count = self.members.len() as u64;
        (count > 0).then(|| self.members.keys().nth(random.below(count) as usize).copied()).flatten()
    }

    /// Inserts a new member.
    fn come(&mut self) {
        let (chan, port) = stream();
        let key = self.set.insert(port);
        let known = Known { chan: Some(chan), unread: VecDeque::new(), since: None, owed: BTreeSet::new() };
        assert!(self.members.insert(key, known).is_none(), "the key is fresh");
    }

    /// No member owes a turn to this one any more.
    fn forgive(&mut self, key: usize) {
        for known in self.members.values_mut() {
            known.owed.remove(&key);
        }
    }

    fn send(&mut self, key: usize) {
        self.now += 1;
        let Some(known) = self.members.get_mut(&key) else { return };
        let Some(chan) = &mut known.chan else { return };
        assert!(chan.send(self.tally.make(self.now)).is_ok(), "its port is in the set");
        known.unread.push_back(self.now);
        known.since.get_or_insert(self.now);
    }

    fn close(&mut self, key: usize) {
        self.now += 1;
        let Some(known) = self.members.get_mut(&key) else { return };
        known.chan = None;
        known.since.get_or_insert(self.now);
    }

    fn leave(&mut self, key: usize) {
        let port = self.set.remove(&key).expect("it is a member");
        let known = self.members.remove(&key).expect("it is a member");
        self.outside.push((port, known));
        self.forgive(key);
    }

    /// Inserts a removed port again under this key, perhaps with messages that came in between; the key's
    /// present member is removed.
    fn come_back(&mut self, key: usize) {
        let Some((port, mut known)) = self.outside.pop() else { return };
        self.now += 1;
        if let Some(chan) = &mut known.chan {
            assert!(chan.send(self.tally.make(self.now)).is_ok(), "its port is here");
            known.unread.push_back(self.now);
        }
        known.owed.clear();
        known.since = known.is_ready().then_some(self.now);
        let back = self.set.insert_at(key, port);
        assert_eq!(back.is_some(), self.members.contains_key(&key));
        self.forgive(key);
        let old = self.members.insert(key, known);
        self.outside.extend(back.zip(old));
    }

    /// Receives, and compares the result with the model.
    fn receive(&mut self) {
        self.now += 1;
        let ready = |members: &BTreeMap<usize, Known>| -> BTreeSet<usize> {
            members.iter().filter(|(_, known)| known.is_ready()).map(|(key, _)| *key).collect()
        };
        assert_eq!(self.set.is_ready(), !ready(&self.members).is_empty());
        let (key, message) = match self.set.try_recv() {
            Ok(turn) => turn,
            Err(TryRecvError::Empty(())) => {
                assert!(!self.members.is_empty() && ready(&self.members).is_empty());
                return;
            }
            Err(TryRecvError::Closed) => return assert!(self.members.is_empty()),
        };
        let first = self.members.values().filter_map(|known| known.since).min();
        assert_eq!(self.members[&key].since, first, "{key} is served before one that became ready earlier");
        let known = self.members.get_mut(&key).expect("it is a member");
        assert!(known.owed.is_empty(), "{key} has a second turn before {:?}", known.owed);
        match message {
            Ok(payload) => {
                assert_eq!(Some(payload.number), known.unread.pop_front());
                self.forgive(key);
                let mut owed = ready(&self.members);
                owed.remove(&key);
                let known = self.members.get_mut(&key).expect("it is a member");
                // If it has more messages, it becomes ready again now.
                (known.owed, known.since) = (owed, known.is_ready().then_some(self.now));
            }
            Err(Closed) => {
                assert!(known.chan.is_none() && known.unread.is_empty());
                self.members.remove(&key);
                self.forgive(key);
            }
        }
        assert_eq!(self.set.len(), self.members.len());
    }

    /// Drops everything; all payloads must be gone.
    fn end(self) {
        drop((self.set, self.outside, self.members));
        self.tally.assert_all_gone();
    }
}

#[test]
fn sends_and_receives() {
    watched(|| {
        for seed in 0..150 {
            let mut random = Random::new(seed);
            let mut world = World::new(1 + seed as usize % 12);
            for _ in 0..400 {
                match random.below(100) {
                    0..=52 => {
                        if let Some(key) = world.anybody(&mut random) {
                            world.send(key);
                        }
                    }
                    53 => {
                        if let Some(key) = world.anybody(&mut random) {
                            world.close(key);
                        }
                    }
                    54 => world.come(),
                    _ => world.receive(),
                }
            }
            while !world.members.is_empty() {
                if let Some(key) = world.anybody(&mut random) {
                    world.close(key);
                }
                world.receive();
            }
            world.end();
        }
    });
}

#[test]
fn with_members_that_come_and_go() {
    watched(|| {
        for seed in 0..150 {
            let mut random = Random::new(1_000 + seed);
            let mut world = World::new(1 + seed as usize % 12);
            for _ in 0..400 {
                let somebody = world.anybody(&mut random);
                match (random.below(100), somebody) {
                    (0..=40, Some(key)) => world.send(key),
                    (41..=42, Some(key)) => world.close(key),
                    (43..=49, Some(key)) => world.leave(key),
                    (50..=52, Some(key)) => world.come_back(key),
                    (53..=57, _) => world.come_back(random.below(20) as usize),
                    (58..=59, _) => world.come(),
                    _ => world.receive(),
                }
            }
            world.end();
        }
    });
}
