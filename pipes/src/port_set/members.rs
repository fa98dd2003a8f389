//! The members of a set, their tokens, and their turns.
//!
//! A member has an entry, and the entry has a token of the set's ready list. While there is a member, its
//! token is with the next sender, on its way from there, or in the queue of ready members. An entry is not
//! given to another member before its token is back.

use crate::endpoint::{Closed, Member, would_complete};
use crate::slot::{ReadyList, Token};
use crate::wait::{Caller, EndList, Ends, Waitable, wait_for};
use std::collections::HashMap;
use std::hash::Hash;
use std::task::{Context, Poll};
use std::time::Instant;

/// An entry: one member, or room for one.
struct Entry<E, K> {
    key: Option<K>,
    member: Option<E>,
    /// The token, if there is no member.
    token: Option<Token>,
}

/// The members of a set whose owner waits.
struct Awaiting<'a, E, K>(&'a [Entry<E, K>]);

impl<E: Member, K> Ends for Awaiting<'_, E, K> {
    fn list(&self, ends: &mut EndList) {
        self.0.iter().filter_map(|entry| entry.member.as_ref()).for_each(|member| member.ends(ends));
    }
}

/// All members.
pub(super) struct Members<E, K> {
    entries: Vec<Entry<E, K>>,
    /// Entries without a member whose token is back.
    vacant: Vec<usize>,
    /// The entry of each key. It still contains an endpoint that was just removed with its message.
    by_key: HashMap<K, usize>,
    /// The number of members.
    count: usize,
    /// The entry of an endpoint that was removed with its message, until the next turn begins: inserting its
    /// successor under the same key then needs no search.
    left: Option<usize>,
    /// The list to which senders push the tokens that they find, and the queue of ready members, some of
    /// which may have been removed since. It is declared behind the entries, so that it is dropped after
    /// them.
    ready: ReadyList,
}

impl<E, K> Members<E, K> {
    pub(super) fn new() -> Self {
        Members {
            entries: Vec::new(),
            vacant: Vec::new(),
            by_key: HashMap::new(),
            count: 0,
            left: None,
            ready: ReadyList::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Returns the members, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&K, &E)> {
        self.entries.iter().filter_map(|entry| entry.key.as_ref().zip(entry.member.as_ref()))
    }
}

impl<E: Member, K: Clone + Eq + Hash> Members<E, K> {
    /// Returns the member with this key.
    pub(super) fn get(&self, key: &K) -> Option<&E> {
        self.entries[*self.by_key.get(key)?].member.as_ref()
    }

    /// Adds a member, and returns the one that had the key.
    ///
    /// Comparing, hashing, cloning and dropping keys runs the user's code, and so does dropping a waker with
    /// which the member was polled. Such code, which may panic, runs before anything is changed; only the
    /// destructor of a key runs after everything.
    pub(super) fn insert(&mut self, key: K, member: E) -> Option<E> {
        let old = self.put(key, member);
        self.wake_owner();
        old
    }

    fn put(&mut self, key: K, mut member: E) -> Option<E> {
        // Members that are already ready come first.
        self.ready.collect();
        drop(member.unregister_token());
        if let Some(index) = self.left
            && self.entries[index].key.as_ref() == Some(&key)
        {
            self.left = None;
            self.place_member(index, member);
            return None;
        }
        if self.vacant.is_empty() && self.entries.len() > 2 * (self.count + 1) {
            self.reclaim_tokens();
        }
        let index = self.vacant.last().copied().unwrap_or(self.entries.len());
        let before = match self.by_key.get_mut(&key) {
            Some(at) => Some(std::mem::replace(at, index)),
            None => {
                let named = key.clone();
                self.by_key.insert(named, index)
            }
        };
        if self.vacant.pop().is_none() {
            self.entries.push(Entry { key: None, member: None, token: Some(self.ready.token(index)) });
        }
        let (old, old_key) = before.map_or((None, None), |before| self.vacate(before));
        self.entries[index].key = Some(key);
        self.place_member(index, member);
        drop(old_key);
        old
    }

    /// Takes the tokens of removed members out of the queue. Most entries have no member, so this costs O(1)
    /// for each removed member.
    #[cold]
    fn reclaim_tokens(&mut self) {
        // Each token is taken once, so those of members keep their order.
        for _ in 0..self.ready.indices().count() {
            if let Some((index, token)) = self.leave_queue() {
                match self.entries[index].member {
                    Some(_) => self.ready.push(token),
                    None => self.keep_token(index, token),
                }
            }
        }
    }

    /// Puts a member into an entry that has none.
    fn place_member(&mut self, index: usize, member: E) {
        let entry = &mut self.entries[index];
        entry.member = Some(member);
        self.count += 1;
        if let Some(token) = entry.token.take() {
            self.register_token(index, token);
        }
    }

    /// Takes a member out. If the destructor of its key panics, the member is out as well.
    pub(super) fn remove(&mut self, key: &K) -> Option<E> {
        let named = self.by_key.remove_entry(key)?;
        let (member, key) = self.vacate(named.1);
        // The key is dropped before the member is returned, because a panic at the end of a function leaks
        // its result.
        drop((named, key));
        self.wake_owner();
        member
    }

    /// After a change by the owner, wakes a task that has polled before, if a receive would no longer block.
    fn wake_owner(&mut self) {
        if self.count == 0 || self.ready.first().is_some() {
            self.ready.wake_owner();
        }
    }

    /// Takes the contents out of an entry, and removes its key.
    fn vacate(&mut self, index: usize) -> (Option<E>, Option<K>) {
        if self.left == Some(index) {
            self.left = None;
        }
        let entry = &mut self.entries[index];
        let (key, mut member) = (entry.key.take(), entry.member.take());
        match &mut member {
            None => self.vacant.push(index),
            Some(member) => {
                self.count -= 1;
                // If the token is on its way, or in the queue, it comes back at its turn.
                if let Some(token) = member.unregister_token() {
                    self.keep_token(index, token);
                }
            }
        }
        (member, key)
    }

    /// Takes the next turn, if a member is ready. Returns its key, and what a receive returns.
    #[inline]
    pub(super) fn turn(&mut self) -> Option<(K, Result<E::Message, Closed>)> {
        loop {
            self.enqueue_all();
            // The token stays at the front until the turn is over. Cloning a key runs the user's code, and
            // taking a message may wake a sender; if one of these panics, the turn has not happened.
            let entry = &mut self.entries[self.ready.first()?];
            let key = entry.key.clone();
            let turn = if key.is_some() { E::turn(&mut entry.member) } else { None };
            let stays = entry.member.is_some();
            let (index, token) = self.leave_queue()?;
            let Some((key, turn)) = key.zip(turn) else {
                self.register_token(index, token);
                continue;
            };
            match turn {
                Ok(message) => {
                    if stays {
                        // One message for each turn, so the token goes behind all ready members.
                        self.ready.collect();
                        self.register_token(index, token);
                    } else {
                        self.count -= 1;
                        self.entries[index].token = Some(token);
                        self.left = Some(index);
                    }
                    return Some((key, Ok(message)));
                }
                Err(closed) => {
                    self.count -= 1;
                    self.entries[index].token = Some(token);
                    self.left = Some(index);
                    return self.forget(index).map(|key| (key, Err(closed)));
                }
            }
        }
    }

    /// Returns `true` if it is a member's turn, now and until the turn is taken.
    pub(super) fn is_turn(&mut self) -> bool {
        self.enqueue_all();
        while let Some(index) = self.ready.first() {
            if self.entries[index].member.as_mut().is_some_and(would_complete) {
                return true;
            }
            // The member was removed, or its sender has withdrawn what it offered.
            if let Some((index, token)) = self.leave_queue() {
                self.register_token(index, token);
            }
        }
        false
    }

    /// Returns `true` if it would be a member's turn. Counts only members whose token has come; another one
    /// may have a message while its token is on its way.
    pub(super) fn is_ready(&self) -> bool {
        let is_ready = |member: &E| member.is_ready() || member.is_closed();
        let indices = self.ready.indices().chain(self.ready.listed());
        indices.filter_map(|index| self.entries[index].member.as_ref()).any(is_ready)
    }

    /// Prepares a turn: forgets the entry that was left last, and collects the members that have become ready
    /// into the queue.
    #[inline(always)]
    fn enqueue_all(&mut self) {
        if let Some(index) = self.left {
            self.forget(index);
        }
        // If a member is in the queue, the others come behind it, and are collected after this turn.
        if self.ready.first().is_none() {
            self.ready.collect();
        }
    }

    /// Blocks the thread until it may be a member's turn. Returns `false` if the deadline passed first.
    pub(super) fn wait(&mut self, deadline: Option<Instant>, caller: Caller) -> bool {
        while !self.ready.is_ready() {
            let ends = Awaiting(&self.entries);
            if !wait_for(&mut self.ready, deadline, &ends, caller) {
                return self.ready.is_ready();
            }
        }
        true
    }

    /// Adds what the members wait for.
    pub(super) fn ends(&self, list: &mut EndList) {
        Awaiting(&self.entries).list(list);
    }

    /// Polls until it may be a member's turn. The task is woken when it is.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.ready.poll(cx)
    }

    /// Takes the first token out of the queue.
    #[inline(always)]
    fn leave_queue(&mut self) -> Option<(usize, Token)> {
        self.ready.first().zip(self.ready.pop())
    }

    /// Registers a token with its member, or puts it into the queue if the member is ready.
    #[inline(always)]
    fn register_token(&mut self, index: usize, token: Token) {
        match &mut self.entries[index].member {
            Some(member) => {
                if let Err(token) = member.register_token(token) {
                    self.ready.push(token);
                }
            }
            None => self.keep_token(index, token),
        }
    }

    /// Puts back the token of an entry whose member was removed: the entry is free.
    #[cold]
    fn keep_token(&mut self, index: usize, token: Token) {
        self.entries[index].token = Some(token);
        self.vacant.push(index);
    }

    /// Frees an entry whose member was removed and whose token is back, and drops its key.
    fn forget(&mut self, index: usize) -> Option<K> {
        let named = self.by_key.remove_entry(self.entries[index].key.as_ref()?);
        // This comes after the search: if the search panics, the entry is still the one that was left last.
        self.left = None;
        self.vacant.push(index);
        let key = self.entries[index].key.take();
        drop(named);
        key
    }
}
