//! Random operations on sets of ports.

use crate::cargo::Message;
use crate::chans::unload;
use crate::ends::End;
use crate::hear::{Heard, How, hear};
use crate::kinds::Kind;
use crate::ledger::{Patience, Seen, Side};
use crate::ports::Single;
use crate::selects;
use crate::worker::Worker;
use pipes::{Closed, PortSet};
use std::collections::HashMap;

/// A set, and what is known of its members; in this order, so that their sides leave first.
pub struct Set {
    members: HashMap<usize, (Side, Seen)>,
    pub carries: bool,
    pub set: PortSet<pipes::Port<Message>>,
}

impl Set {
    pub fn new(carries: bool) -> Self {
        Set { members: HashMap::new(), carries, set: PortSet::new() }
    }

    /// Returns `true` if the set may be waited for without a limit. It must have no member on whose other
    /// side a sender may wait for the close.
    pub fn is_patient(&self) -> bool {
        self.members.values().all(|(side, _)| side.ledger.patience == Patience::Receive)
    }

    pub fn insert(&mut self, member: Single, worker: &mut Worker) {
        worker.did(Kind::SetInserted);
        let Single { side, seen, port } = member;
        self.carries |= side.ledger.carries;
        let key = self.set.insert(port);
        self.members.insert(key, (side, seen));
    }

    /// Inserts the port in the place of another member, if there is one.
    fn replace(&mut self, member: Single, worker: &mut Worker) -> Option<Single> {
        let Some(key) = self.any(worker) else {
            self.insert(member, worker);
            return None;
        };
        worker.did(Kind::SetReplaced);
        let Single { side, seen, port } = member;
        self.carries |= side.ledger.carries;
        let old = self.set.insert_at(key, port).expect("the key is there");
        let (old_side, old_seen) = self.members.insert(key, (side, seen)).expect("it is known");
        Some(Single { side: old_side, seen: old_seen, port: old })
    }

    fn remove(&mut self, worker: &mut Worker) -> Option<Single> {
        let key = self.any(worker)?;
        worker.did(Kind::SetRemoved);
        let port = self.set.remove(&key).expect("the key is there");
        let (side, seen) = self.members.remove(&key).expect("it is known");
        Some(Single { side, seen, port })
    }

    fn any(&self, worker: &mut Worker) -> Option<usize> {
        let keys: Vec<_> = self.set.keys().copied().collect();
        (!keys.is_empty()).then(|| keys[worker.below(keys.len() as u64) as usize])
    }

    /// Records the outcome of a receive.
    pub fn turn(&mut self, (key, turn): (usize, Result<Message, Closed>), worker: &mut Worker) {
        match turn {
            Ok(message) => {
                worker.did(Kind::SetReceived);
                let (side, seen) = self.members.get_mut(&key).expect("it is known");
                seen.note(side, &message);
                unload(message, worker);
            }
            Err(Closed) => {
                worker.did(Kind::SetClosed);
                let (side, _) = self.members.remove(&key).expect("it is known");
                side.check_complete();
            }
        }
    }

    /// The set has reported that it has no members.
    pub fn over(&self, worker: &mut Worker) {
        worker.did(Kind::SetOver);
        assert!(worker.totals().panicky || self.members.is_empty(), "there are members");
    }

    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        match worker.verb(32) {
            0..=2 => match worker.take() {
                Some((cell, End::Port(port))) => {
                    if worker.once_in(2) {
                        self.insert(port, worker);
                    } else if let Some(old) = self.replace(port, worker) {
                        worker.put_at(cell, End::Port(old));
                    }
                }
                Some((cell, other)) => worker.put_at(cell, other),
                None => {}
            },
            3 => {
                if let Some(member) = self.remove(worker) {
                    worker.put(End::Port(member));
                }
            }
            // Removed and inserted again, perhaps while it is ready.
            4 => {
                if let Some(member) = self.remove(worker) {
                    let old = self.replace(member, worker);
                    old.into_iter().for_each(|old| self.insert(old, worker));
                }
            }
            5 => return selects::with(End::Set(self), worker),
            _ => {
                let block = self.is_patient() && worker.may_block() && worker.blocks();
                if block {
                    worker.did(Kind::SetBlocked);
                }
                let how = How { block, borrowed: true, steady: false };
                match hear(&mut self.set, None, how, worker) {
                    Heard::Message(turn) => self.turn(turn, worker),
                    Heard::Closed => self.over(worker),
                    Heard::Nothing(_) => worker.did(Kind::SetEmpty),
                    Heard::Lost => {}
                }
            }
        }
        // An empty set may stay empty for ever, so it is dropped now and then.
        if self.set.is_empty() && worker.once_in(4) { None } else { Some(End::Set(self)) }
    }
}
