//! Sets: many receivers as one.
//!
//! # How
//!
//! A member registers its token where a thread or a task would register its waiter. The member's next message
//! finds the token, and pushes it onto the set's ready list (`slot/ready`). The set takes the list, keeps a
//! queue, and receives one message in each turn. It does not look at members that are not ready: a set with a
//! hundred thousand idle members receives from the others as fast as a small one.
//!
//! # Layers
//!
//! Uses `wait`, `slot`, `endpoint` and `stream`; used by nothing below the crate's surface.

mod members;
mod receive;

use self::members::Members;
use crate::endpoint::Member;
use crate::stream::{Chan, Port, stream};
use std::fmt;
use std::hash::Hash;

pub use self::receive::{Messages, SetRecvFuture};

/// Receives from many receivers of one type: protocol endpoints, which may be in different states, [`Port`]s,
/// or [`PortOne`](crate::PortOne)s.
///
/// Each member has a key. A receive returns the key with the message, and its cost does not depend on the
/// number of members.
///
/// ```
/// let mut set = pipes::PortSet::new();
/// let (mut north, port) = pipes::stream();
/// let at_north = set.insert(port);
/// let (mut south, port) = pipes::stream();
/// let at_south = set.insert(port);
///
/// north.send("snow")?;
/// south.send("sun")?;
/// drop(north);
///
/// assert_eq!(set.recv()?, (at_north, Ok("snow")));
/// assert_eq!(set.recv()?, (at_south, Ok("sun")));
/// assert_eq!(set.recv()?, (at_north, Err(pipes::Closed)));
/// drop(south);
/// assert_eq!(set.recv()?, (at_south, Err(pipes::Closed)));
/// assert_eq!(set.recv(), Err(pipes::SetEmpty));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Turns
///
/// Members are served in the order in which they became ready, one message at a time. Between two messages of
/// one member, every other member that was ready is served once, no matter how fast messages arrive at the
/// first. The messages of one member come in order; there is no order between members other than that of
/// becoming ready. Members have no priorities: where some are urgent, put those into a set of their own, and
/// receive from the two sets with [`select!`](crate::select!) and `biased;`.
///
/// # Which members stay
///
/// A port stays in the set. An endpoint of a protocol leaves the set when it receives: the message contains
/// its successor. To go on with the conversation in the set, insert the successor under the same key with
/// [`insert_at`](PortSet::insert_at). If the states of the conversation differ, use the protocol's
/// `ReceivingServer` or `ReceivingClient` as the type of the members. A member whose sender has left is
/// reported once, with its key and [`Closed`](crate::Closed), after all its messages; then it is removed.
///
/// # Costs
///
/// A receive takes two or three atomic operations more than a receive from the member itself, and fewer if
/// many members are ready. Idle members add nothing to it. Inserting a member allocates a token, unless a
/// removed member has left one behind. A member takes about a hundred bytes in addition to its pipe; the set
/// reuses the memory of removed members, as a `Vec` does.
#[must_use = "dropping a set closes its members"]
pub struct PortSet<E, K = usize> {
    members: Members<E, K>,
    /// The key that the next unnamed member gets.
    next: usize,
}

impl<E, K> PortSet<E, K> {
    /// Creates an empty set.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let mut chan = set.chan();
    /// chan.send(1)?;
    /// assert_eq!(set.recv()?.1, Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Self {
        PortSet { members: Members::new(), next: 0 }
    }

    /// Returns the number of members.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let (_chan, port) = pipes::stream::<u32>();
    /// set.insert(port);
    /// assert_eq!(set.len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns `true` if the set has no members.
    ///
    /// ```
    /// let mut set = pipes::PortSet::<pipes::Port<u32>>::new();
    /// assert!(set.is_empty());
    /// let _chan = set.chan();
    /// assert!(!set.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the members' keys, in no particular order. O(peak number of members).
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let (_chan, port) = pipes::stream::<u32>();
    /// set.insert_at("north", port);
    /// assert!(set.keys().eq([&"north"]));
    /// ```
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.members.iter().map(|(key, _)| key)
    }
}

impl<E: Member> PortSet<E> {
    /// Adds a member under a new key, and returns the key. A member that is already ready or closed is served
    /// when its turn comes.
    ///
    /// Keys count up, so the key of a member that has left is not given away again. An endpoint of a session
    /// that is served can therefore come back under its key, by [`insert_at`](PortSet::insert_at).
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let (mut chan, port) = pipes::stream();
    /// let key = set.insert(port);
    /// chan.send("hello")?;
    /// assert_eq!(set.recv(), Ok((key, Ok("hello"))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, member: E) -> usize {
        while self.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        let key = self.next;
        self.next = self.next.wrapping_add(1);
        self.members.insert(key, member);
        key
    }
}

impl<E: Member, K: Clone + Eq + Hash> PortSet<E, K> {
    /// Adds a member under `key`. Returns the member that had this key, with all messages sent to it.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let (mut chan, port) = pipes::stream();
    /// assert!(set.insert_at("north", port).is_none());
    /// chan.send("snow")?;
    /// assert_eq!(set.recv(), Ok(("north", Ok("snow"))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_at(&mut self, key: K, member: E) -> Option<E> {
        self.members.insert(key, member)
    }

    /// Removes a member and returns it, with all messages sent to it.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let (mut chan, port) = pipes::stream();
    /// let key = set.insert(port);
    /// chan.send(1)?;
    /// let mut port = set.remove(&key).expect("it is a member");
    /// assert_eq!(port.recv(), Ok(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, key: &K) -> Option<E> {
        self.members.remove(key)
    }

    /// Returns `true` if there is a member with this key.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let (chan, port) = pipes::stream::<u32>();
    /// let key = set.insert(port);
    /// assert!(set.contains_key(&key));
    /// drop(chan);
    /// assert_eq!(set.recv(), Ok((key, Err(pipes::Closed))));
    /// assert!(!set.contains_key(&key), "a member that has closed leaves");
    /// ```
    pub fn contains_key(&self, key: &K) -> bool {
        self.members.get(key).is_some()
    }
}

impl<T> PortSet<Port<T>> {
    /// Creates a stream whose port becomes a member of this set, and returns its chan.
    ///
    /// ```
    /// let mut set = pipes::PortSet::new();
    /// let mut chans = [set.chan(), set.chan()];
    /// chans[1].send("hello")?;
    /// assert_eq!(set.recv()?.1, Ok("hello"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chan(&mut self) -> Chan<T> {
        let (chan, port) = stream();
        self.insert(port);
        chan
    }
}

// Members and keys are moved in and out; they are never pinned.
impl<E, K> Unpin for PortSet<E, K> {}

impl<E, K> Default for PortSet<E, K> {
    fn default() -> Self {
        PortSet::new()
    }
}

impl<E: Member> Extend<E> for PortSet<E> {
    fn extend<I: IntoIterator<Item = E>>(&mut self, members: I) {
        members.into_iter().for_each(|member| {
            self.insert(member);
        });
    }
}

impl<E: Member> FromIterator<E> for PortSet<E> {
    fn from_iter<I: IntoIterator<Item = E>>(members: I) -> Self {
        let mut set = PortSet::new();
        set.extend(members);
        set
    }
}

impl<E: Member, K: Clone + Eq + Hash> Extend<(K, E)> for PortSet<E, K> {
    fn extend<I: IntoIterator<Item = (K, E)>>(&mut self, members: I) {
        members.into_iter().for_each(|(key, member)| drop(self.insert_at(key, member)));
    }
}

impl<E: Member, K: Clone + Eq + Hash> FromIterator<(K, E)> for PortSet<E, K> {
    fn from_iter<I: IntoIterator<Item = (K, E)>>(members: I) -> Self {
        let mut set = PortSet::new();
        set.extend(members);
        set
    }
}

impl<E, K> fmt::Debug for PortSet<E, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PortSet").field("members", &self.len()).finish_non_exhaustive()
    }
}
