//! The members of a set: who they are, where their tokens are, and whose turn it is.
//!
//! A member has an entry, and the entry a token of the set's list of what is ready. The token is in one of three places, see
//! [`Place`]; wherever it is, an entry is not given to another member before its token is back.

use crate::endpoint::{Closed, Member, Readiness};
use crate::slot::{Ready, Token};
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::task::{Context, Poll};
use std::time::Instant;

/// Where the token of an entry is.
enum Place {
    /// Here: the member has had its turn, or there is no member.
    Home(Token),
    /// Here, and the entry stands in the queue.
    Queued(Token),
    /// With whoever sends to the member next, or on its way from there to the list.
    Away,
}

/// One member, or room for one.
struct Entry<E, K> {
    key: Option<K>,
    member: Option<E>,
    place: Place,
}

/// All members.
pub(super) struct Members<E, K> {
    entries: Vec<Entry<E, K>>,
    /// Entries without a member whose token is at home.
    vacant: Vec<usize>,
    /// Whose entry is whose; that of an endpoint which has just left is still here.
    by_key: HashMap<K, usize>,
    /// How many there are.
    count: usize,
    /// Those that are ready, in the order in which they became so. Some may have been removed since.
    queue: VecDeque<usize>,
    /// The entry of an endpoint that has left with its message, until the next turn begins: if its successor is inserted under the
    /// same key meanwhile, that costs no search.
    left: Option<usize>,
    /// Where senders put the tokens that they find. Behind the entries, so that it goes after them.
    ready: Ready,
}

impl<E, K> Members<E, K> {
    pub(super) fn new() -> Self {
        Members {
            entries: Vec::new(),
            vacant: Vec::new(),
            by_key: HashMap::new(),
            count: 0,
            queue: VecDeque::new(),
            left: None,
            ready: Ready::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The members, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &E)> {
        self.entries.iter().filter_map(|entry| entry.key.as_ref().zip(entry.member.as_ref()))
    }
}

impl<E: Member, K: Clone + Eq + Hash> Members<E, K> {
    /// The member of this key.
    pub(super) fn get(&self, key: &K) -> Option<&E> {
        self.entries[*self.by_key.get(key)?].member.as_ref()
    }

    /// Adds a member, and gives back the one that had the key.
    pub(super) fn insert(&mut self, key: K, member: E) -> Option<E> {
        // Those that are ready already come first.
        self.take_ready();
        if let Some(index) = self.left {
            let entry = &mut self.entries[index];
            if entry.key.as_ref() == Some(&key) {
                entry.member = Some(member);
                self.left = None;
                self.count += 1;
                self.watch(index);
                return None;
            }
        }
        let old = self.remove(&key);
        let named = key.clone();
        let index = self.vacant.pop().unwrap_or_else(|| {
            let index = self.entries.len();
            self.entries.push(Entry { key: None, member: None, place: Place::Home(self.ready.token(index)) });
            index
        });
        self.by_key.insert(named, index);
        let entry = &mut self.entries[index];
        (entry.key, entry.member) = (Some(key), Some(member));
        self.count += 1;
        self.watch(index);
        old
    }

    /// Takes a member out.
    pub(super) fn remove(&mut self, key: &K) -> Option<E> {
        let index = self.by_key.remove(key)?;
        if self.left == Some(index) {
            self.left = None;
        }
        let entry = &mut self.entries[index];
        entry.key = None;
        let member = entry.member.take();
        self.count -= usize::from(member.is_some());
        let Some(mut member) = member else {
            self.vacant.push(index);
            return None;
        };
        match &entry.place {
            Place::Home(_) => self.vacant.push(index),
            // Its turn will come, and be passed over.
            Place::Queued(_) => {}
            // Or else it will come back through the list.
            Place::Away => {
                if let Some(token) = member.unwatch() {
                    entry.place = Place::Home(token);
                    self.vacant.push(index);
                }
            }
        }
        Some(member)
    }

    /// The next turn, if anybody is ready: whose it is, and what it gives.
    #[inline]
    pub(super) fn turn(&mut self) -> Option<(K, Result<E::Message, Closed>)> {
        loop {
            self.line_up();
            let index = *self.queue.front()?;
            // Cloned first: that is code of the user's, and nothing is changed yet.
            let key = self.entries[index].key.clone();
            self.queue.pop_front();
            self.come_home(index);
            let Some(key) = key else {
                self.vacant.push(index);
                continue;
            };
            let entry = &mut self.entries[index];
            match E::turn(&mut entry.member) {
                Some(Ok(message)) => {
                    if entry.member.is_some() {
                        // One message a turn: behind all who are ready.
                        self.take_ready();
                        self.watch(index);
                    } else {
                        self.count -= 1;
                        self.left = Some(index);
                    }
                    return Some((key, Ok(message)));
                }
                Some(Err(closed)) => {
                    self.count -= 1;
                    return self.forget(index).map(|key| (key, Err(closed)));
                }
                None => self.watch(index),
            }
        }
    }

    /// Is it somebody's turn, whatever the senders do meanwhile?
    pub(super) fn is_turn(&mut self) -> bool {
        self.line_up();
        while let Some(&index) = self.queue.front() {
            let entry = &mut self.entries[index];
            if entry.member.as_mut().is_some_and(Readiness::is_certain) {
                return true;
            }
            // It was removed, or what it was offered has been taken back.
            self.queue.pop_front();
            self.come_home(index);
            if self.entries[index].member.is_some() {
                self.watch(index);
            } else {
                self.vacant.push(index);
            }
        }
        false
    }

    /// Would it be somebody's turn?
    pub(super) fn is_ready(&self) -> bool {
        let is_ready = |member: &E| member.is_ready() || member.is_closed();
        self.queue.iter().filter_map(|&index| self.entries[index].member.as_ref()).any(is_ready)
            || !self.ready.is_empty() && self.iter().any(|(_, member)| is_ready(member))
    }

    /// Before a turn: nobody comes back to an entry that was left, and who has become ready stands in the queue.
    #[inline]
    fn line_up(&mut self) {
        if let Some(index) = self.left.take() {
            self.forget(index);
        }
        self.take_ready();
    }

    /// Puts into the queue who has become ready.
    #[inline]
    fn take_ready(&mut self) {
        let (entries, queue) = (&mut self.entries, &mut self.queue);
        self.ready.take(|token| {
            let index = token.index();
            entries[index].place = Place::Queued(token);
            queue.push_back(index);
        });
    }

    /// Blocks the thread until it may be somebody's turn, or the deadline has passed. False: the latter.
    pub(super) fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.ready.wait(deadline)
    }

    /// Ready if it may be somebody's turn; else the task is woken when it is.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.ready.poll(cx)
    }

    /// An entry has left the queue.
    fn come_home(&mut self, index: usize) {
        let place = &mut self.entries[index].place;
        *place = match std::mem::replace(place, Place::Away) {
            Place::Queued(token) => Place::Home(token),
            other => other,
        };
    }

    /// Leaves the token of an entry with whoever sends to its member next, or puts the entry into the queue if it is ready.
    #[inline]
    fn watch(&mut self, index: usize) {
        let entry = &mut self.entries[index];
        let Some(member) = &mut entry.member else { return };
        match std::mem::replace(&mut entry.place, Place::Away) {
            Place::Home(token) => {
                if let Err(token) = member.watch(token) {
                    entry.place = Place::Queued(token);
                    self.queue.push_back(index);
                }
            }
            other => entry.place = other,
        }
    }

    /// The member of this entry has left, and its token is at home: the key goes, and the entry is free.
    fn forget(&mut self, index: usize) -> Option<K> {
        let key = self.entries[index].key.take()?;
        self.by_key.remove(&key);
        self.vacant.push(index);
        Some(key)
    }
}
