//! Threads that wait for each other.
//!
//! A thread that waits at several ends goes on when any of them is moved, so what is sought is not a cycle
//! but a *knot*: threads of which each waits only for others of them. It is found by leaving out, again and
//! again, the threads that another one may wake. What remains are all knots together, and they are taken
//! apart by who waits for whom. This is the communication model of Chandy, Misra and Haas, *Distributed
//! deadlock detection*, 1983.

use super::snapshot::{Sleeper, Snapshot, Wait, snapshot};
use crate::sync::ThreadId;
use std::collections::HashMap;
use std::fmt;
use std::mem::replace;

/// Threads that wait for each other, so that none of them will go on.
///
/// Printed, it is a story: who waits for what, and who could send it and why that one does not.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Deadlock {
    /// How sure this is.
    pub verdict: Verdict,
    /// The threads, those first that have slept longest. In a [`Wait`], `other_side` has places in this list.
    pub sleepers: Vec<Sleeper>,
    /// For each of them, its place in [`Snapshot::sleepers`].
    pub places: Vec<usize>,
    /// For each thread, the places in `sleepers` of those that it waits for.
    pub waits_for: Vec<Vec<usize>>,
}

/// How sure a [`Deadlock`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verdict {
    /// Each thread waits at one end of a session at whose other end one of them waits, too.
    Certain,
    /// The thread that has used an end last is taken to be its owner. It may have given the end to a thread
    /// that has not used it yet, or put it into a message.
    Suspected,
}

/// Returns the deadlocks among the threads that sleep in this library: those of a [`snapshot()`].
///
/// A thread takes part only if it has no deadline, waits for nothing but ends of channels, and those at the
/// other sides are known. Without the feature `inspect`, only those are known that sleep at the other side
/// of a session, so most deadlocks are not seen. With it, the thread that has used an end last is taken to be
/// its owner. So most are seen, but as [suspected](Verdict::Suspected) only: the end may have been moved to a
/// thread that has not used it yet.
///
/// ```
/// let deadlocks = pipes::inspect::deadlocks();
/// assert!(deadlocks.is_empty());
/// ```
pub fn deadlocks() -> Vec<Deadlock> {
    snapshot().deadlocks
}

impl Snapshot {
    /// Returns the deadlocks among those threads that are marked. Takes O(threads + waits) steps.
    pub(super) fn among(&self, asleep: &[bool]) -> Vec<Deadlock> {
        let places = self.sleepers.iter().enumerate().map(|(place, thread)| (thread.id, place)).collect();
        let movers: Vec<_> = self.sleepers.iter().map(|thread| movers(thread, &places)).collect();
        let mut stuck: Vec<bool> =
            movers.iter().zip(asleep).map(|(movers, asleep)| movers.is_some() && *asleep).collect();
        // For each thread, those that wait for it.
        let mut waiting = vec![Vec::new(); stuck.len()];
        for (thread, movers) in movers.iter().enumerate() {
            movers.iter().flatten().for_each(|(mover, _)| waiting[*mover].push(thread));
        }
        // Leaves out each thread that one may move that is not stuck.
        let mut free: Vec<usize> = (0..stuck.len()).filter(|thread| !stuck[*thread]).collect();
        while let Some(mover) = free.pop() {
            let moved = waiting[mover].iter().copied().filter(|thread| replace(&mut stuck[*thread], false));
            free.extend(moved);
        }
        let mut found = Vec::new();
        while let Some(first) = stuck.iter().position(|it| *it) {
            let mut members = vec![first];
            stuck[first] = false;
            let mut next = 0;
            while let Some(member) = members.get(next).copied() {
                // Those that are connected with it by a wait, in either direction.
                let moves = movers[member].iter().flatten().map(|(mover, _)| *mover);
                let others = moves.chain(waiting[member].iter().copied());
                members.extend(others.filter(|other| replace(&mut stuck[*other], false)));
                next += 1;
            }
            members.sort_unstable();
            found.push(self.deadlock(&members, &movers));
        }
        found
    }

    fn deadlock(&self, members: &[usize], movers: &[Option<Vec<(usize, bool)>>]) -> Deadlock {
        let edges = || members.iter().flat_map(|member| movers[*member].iter().flatten());
        let verdict =
            if edges().all(|(_, certain)| *certain) { Verdict::Certain } else { Verdict::Suspected };
        let place = |thread: usize| members.iter().position(|member| *member == thread);
        let waits_for = members.iter().map(|member| {
            let mut others: Vec<_> =
                movers[*member].iter().flatten().filter_map(|(mover, _)| place(*mover)).collect();
            others.sort_unstable();
            others.dedup();
            others
        });
        let mut sleepers: Vec<_> = members.iter().map(|member| self.sleepers[*member].clone()).collect();
        for wait in sleepers.iter_mut().flat_map(|thread| &mut thread.waits_for) {
            wait.other_side = wait.other_side.iter().filter_map(|thread| place(*thread)).collect();
        }
        Deadlock { verdict, places: members.to_vec(), waits_for: waits_for.collect(), sleepers }
    }
}

/// Returns the threads that can end the wait, each with `true` if that is certain. Returns `None` if one of
/// them is unknown, or if something else ends it.
fn movers(thread: &Sleeper, places: &HashMap<ThreadId, usize>) -> Option<Vec<(usize, bool)>> {
    let is_awaited_elsewhere = thread.waits_for_other || thread.waits_for.is_empty();
    if thread.is_woken || thread.time_left.is_some() || is_awaited_elsewhere {
        return None;
    }
    let mut movers = Vec::new();
    for wait in &thread.waits_for {
        // A session has one end at each side. A stream may have more, of which some are elsewhere.
        if wait.state.is_some() && !wait.other_side.is_empty() {
            movers.extend(wait.other_side.iter().map(|index| (*index, true)));
            continue;
        }
        if wait.last_users.is_empty() {
            return None;
        }
        for user in &wait.last_users {
            movers.push((*places.get(user)?, false));
        }
    }
    Some(movers)
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.sleepers.len();
        match (self.verdict, count) {
            (Verdict::Certain, _) => writeln!(f, "deadlock: {count} threads wait for each other")?,
            (Verdict::Suspected, 1) => writeln!(f, "deadlock suspected: a thread waits for itself")?,
            (Verdict::Suspected, _) => {
                writeln!(f, "deadlock suspected: {count} threads seem to wait for each other")?;
            }
        }
        for thread in &self.sleepers {
            writeln!(f, "  {} sleeps at {} and waits for", thread.title(), thread.location)?;
            for wait in &thread.waits_for {
                writeln!(f, "    {wait};")?;
                writeln!(f, "      {}", self.who(wait))?;
            }
        }
        Ok(())
    }
}

impl Deadlock {
    /// Says who could end the wait.
    fn who(&self, wait: &Wait) -> String {
        if let (Some(_), Some(other)) = (wait.state, wait.other_side.first()) {
            return format!("at the other end sleeps {}", self.sleepers[*other].title());
        }
        let users = self.sleepers.iter().filter(|thread| wait.last_users.contains(&thread.id));
        let users: Vec<_> = users.map(Sleeper::title).collect();
        format!("the other end was last used by {}", users.join(", "))
    }
}
