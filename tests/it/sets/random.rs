//! Random sends, closes, receives, insertions and removals, checked against a model: members are served in
//! the order in which they became ready, one message a turn.

use pipes::{Chan, Closed, Port, PortSet, TryRecvError, stream};
use pipes_tests::{Counted, DropCounter, Rng, test_in, watched};
use std::collections::{BTreeMap, VecDeque};

/// The model of a member or a former member.
struct Known {
    chan: Option<Chan<Counted>>,
    unread: VecDeque<u64>,
    /// When it became ready.
    since: Option<u64>,
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
    drops: DropCounter,
}

impl World {
    fn new(members: usize) -> Self {
        let mut world = World {
            set: PortSet::new(),
            members: BTreeMap::new(),
            outside: Vec::new(),
            now: 0,
            drops: DropCounter::new(),
        };
        (0..members).for_each(|_| world.come());
        world
    }

    /// A random member.
    fn anybody(&self, random: &mut Rng) -> Option<usize> {
        let count = self.members.len();
        (count > 0).then(|| self.members.keys().nth(random.usize(..count)).copied()).flatten()
    }

    /// Inserts a new member.
    fn come(&mut self) {
        let (chan, port) = stream();
        let key = self.set.insert(port);
        let known = Known { chan: Some(chan), unread: VecDeque::new(), since: None };
        assert!(self.members.insert(key, known).is_none(), "the key is fresh");
    }

    fn send(&mut self, key: usize) {
        self.now += 1;
        let Some(known) = self.members.get_mut(&key) else { return };
        let Some(chan) = &mut known.chan else { return };
        assert!(chan.send(self.drops.make(self.now)).is_ok(), "its port is in the set");
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
    }

    /// Inserts a removed port again under this key, perhaps with messages that came in between; the key's
    /// present member is removed.
    fn come_back(&mut self, key: usize) {
        let Some((port, mut known)) = self.outside.pop() else { return };
        self.now += 1;
        if let Some(chan) = &mut known.chan {
            assert!(chan.send(self.drops.make(self.now)).is_ok(), "its port is here");
            known.unread.push_back(self.now);
        }
        known.since = known.is_ready().then_some(self.now);
        let back = self.set.insert_at(key, port);
        assert_eq!(back.is_some(), self.members.contains_key(&key));
        let old = self.members.insert(key, known);
        self.outside.extend(back.zip(old));
    }

    /// Receives, and compares the result with the model.
    fn receive(&mut self) {
        self.now += 1;
        let is_ready = self.members.values().any(Known::is_ready);
        assert_eq!(self.set.is_ready(), is_ready);
        let (key, message) = match self.set.try_recv() {
            Ok(turn) => turn,
            Err(TryRecvError::Empty(())) => {
                assert!(!self.members.is_empty() && !is_ready);
                return;
            }
            Err(TryRecvError::Closed) => return assert!(self.members.is_empty()),
        };
        let first = self.members.values().filter_map(|known| known.since).min();
        assert_eq!(self.members[&key].since, first, "{key} is served before one that became ready earlier");
        let known = self.members.get_mut(&key).expect("it is a member");
        match message {
            Ok(payload) => {
                assert_eq!(Some(payload.number), known.unread.pop_front());
                // If it has more messages, it becomes ready again now.
                known.since = known.is_ready().then_some(self.now);
            }
            Err(Closed) => {
                assert!(known.chan.is_none() && known.unread.is_empty());
                self.members.remove(&key);
            }
        }
        assert_eq!(self.set.len(), self.members.len());
    }

    /// Drops everything; all payloads must be gone.
    fn end(self) {
        drop((self.set, self.outside, self.members));
        self.drops.assert_all_dropped();
    }
}

/// Members come and go only in every second course.
#[test_in(watched)]
fn random_courses() {
    for seed in 0..300 {
        let mut random = Rng::with_seed(seed);
        let mut world = World::new(1 + seed as usize % 12);
        for _ in 0..400 {
            let somebody = world.anybody(&mut random);
            match (random.u64(..100), somebody) {
                (0..=44, Some(key)) => world.send(key),
                (45, Some(key)) => world.close(key),
                (46, _) => world.come(),
                (47..=53, Some(key)) if seed % 2 == 0 => world.leave(key),
                (54..=56, Some(key)) if seed % 2 == 0 => world.come_back(key),
                (57..=61, _) if seed % 2 == 0 => world.come_back(random.usize(..20)),
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
}
