//! Which threads have used the ends of a channel last. Only the feature `inspect` records it; without it, the
//! functions here do nothing, and nothing is left of their calls.
//!
//! The owner of an end that lies in a variable cannot be seen. Its last user is the best guess: most ends are
//! used by the thread that owns them.
//!
//! Side 0 of a channel is the client of a session, or the senders; side 1 is the other one.

use crate::sync::ThreadId;

/// Notes that this thread has made a channel, with one end at each side.
#[inline(always)]
pub(crate) fn made(channel: usize) {
    #[cfg(feature = "inspect")]
    table::with_part(channel, |part| drop(part.insert(channel, table::Channel::new())));
    let _ = channel;
}

/// Notes that this thread uses an end.
#[inline(always)]
pub(crate) fn used(channel: usize, side: usize) {
    #[cfg(feature = "inspect")]
    table::change(channel, side, table::Ends::used);
    let _ = (channel, side);
}

/// Notes that there is one end more at a side.
#[inline(always)]
pub(crate) fn joined(channel: usize, side: usize) {
    #[cfg(feature = "inspect")]
    table::change(channel, side, table::Ends::joined);
    let _ = (channel, side);
}

/// Notes that this thread drops one of the ends of a side.
#[inline(always)]
pub(crate) fn left(channel: usize, side: usize) {
    #[cfg(feature = "inspect")]
    table::change(channel, side, table::Ends::left);
    let _ = (channel, side);
}

/// Notes that the channel is about to be freed.
#[inline(always)]
pub(crate) fn freed(channel: usize) {
    #[cfg(feature = "inspect")]
    table::with_part(channel, |part| drop(part.remove(&channel)));
    let _ = channel;
}

/// Returns the threads that have used the ends of this side last, one for each end. The list is empty if they
/// are not known.
pub(crate) fn last_users(channel: usize, side: usize) -> Vec<ThreadId> {
    #[cfg(feature = "inspect")]
    let users = table::with_part(channel, |part| part.get(&channel).map(|it| it.sides[side].owners()));
    #[cfg(not(feature = "inspect"))]
    let users = None::<Option<_>>.filter(|_| channel == side);
    users.flatten().unwrap_or_default()
}

#[cfg(feature = "inspect")]
mod table {
    use crate::sync::{StaticLock, ThreadId, lock_soon, this_thread};
    use std::collections::BTreeMap;

    /// Threads that use different channels seldom use the same part.
    const PARTS: usize = 64;

    static TABLE: [StaticLock<BTreeMap<usize, Channel>>; PARTS] =
        [const { StaticLock::new(BTreeMap::new()) }; PARTS];

    pub(super) struct Channel {
        pub(super) sides: [Ends; 2],
    }

    /// The ends of one side.
    pub(super) struct Ends {
        count: usize,
        /// There was more than one.
        are_many: bool,
        /// The thread that has made the channel.
        maker: ThreadId,
        /// The last user; of many ends, each thread that has used one and has not dropped one since.
        users: Vec<ThreadId>,
        /// Threads that have dropped one. They may have others.
        former: Vec<ThreadId>,
    }

    impl Channel {
        pub(super) fn new() -> Self {
            let maker = this_thread().id();
            let ends = || Ends { count: 1, are_many: false, maker, users: Vec::new(), former: Vec::new() };
            Channel { sides: [ends(), ends()] }
        }
    }

    impl Ends {
        pub(super) fn used(&mut self) {
            let user = this_thread().id();
            if !self.are_many {
                self.users.clear();
            }
            if !self.users.contains(&user) {
                self.users.push(user);
                self.former.retain(|it| *it != user);
            }
        }

        pub(super) fn joined(&mut self) {
            self.count += 1;
            self.are_many = true;
        }

        pub(super) fn left(&mut self) {
            let user = this_thread().id();
            self.count = self.count.saturating_sub(1);
            if let Some(place) = self.users.iter().position(|it| *it == user) {
                self.former.push(self.users.swap_remove(place));
            }
        }

        /// Returns the threads that may own an end. There are none if there are more ends than such threads:
        /// then one that has used no end owns one.
        pub(super) fn owners(&self) -> Vec<ThreadId> {
            let mut owners = self.users.clone();
            if owners.len() < self.count {
                for other in self.former.iter().chain([&self.maker]) {
                    if !owners.contains(other) {
                        owners.push(*other);
                    }
                }
            }
            if owners.len() < self.count { Vec::new() } else { owners }
        }
    }

    /// Calls the function with the part of the table that has this channel. Without its lock, nothing is
    /// noted.
    pub(super) fn with_part<R>(
        channel: usize,
        call: impl FnOnce(&mut BTreeMap<usize, Channel>) -> R,
    ) -> Option<R> {
        // Channels lie at addresses that differ by their size.
        lock_soon(&TABLE[channel / 64 % PARTS]).map(|mut part| call(&mut part))
    }

    pub(super) fn change(channel: usize, side: usize, change: fn(&mut Ends)) {
        with_part(channel, |part| part.get_mut(&channel).map(|it| change(&mut it.sides[side])));
    }
}
