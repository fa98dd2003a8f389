//! Threads and tasks that wait for each other.

use super::knots::knots;
use super::snapshot::{HeldBy, Sleeper, Snapshot, Wait, snapshot};
use crate::wait::ThreadOrTask;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::time::Duration;

/// Threads and tasks that wait for each other, so that none of them will go on.
///
/// Printed, it is a story: who waits for what, and who could send it and why that one does not.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Deadlock {
    /// How sure this is.
    pub verdict: Verdict,
    /// The [scopes](super::scope()) on whose declarations the verdict rests.
    pub scopes: Vec<String>,
    /// Those that wait, the one first that has slept longest. In a [`Wait`], `other_side` has places in this
    /// list.
    pub sleepers: Vec<Sleeper>,
    /// For each of them, its place in [`Snapshot::sleepers`].
    pub places: Vec<usize>,
    /// For each of them, the places in `sleepers` of those that it waits for.
    pub waits_for: Vec<Vec<usize>>,
}

/// How sure a [`Deadlock`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verdict {
    /// Each of them is a thread that waits at one end of a session at whose other end one of them waits, too,
    /// or whose other end belongs to one of them by what a [`scope`](super::scope()) declares.
    Certain,
    /// The one that has used an end last is taken to be its owner. It may have given the end to a thread that
    /// has not used it yet, or put it into a message. A task may wait for something else as well.
    Suspected,
    /// They do not wait for each other: the other sides are elsewhere, and have been for long; see
    /// [`standing`].
    Standing,
}

/// Returns the deadlocks among the threads and tasks that sleep in this library: those of a [`snapshot()`].
///
/// A thread takes part only if it has no deadline, waits for nothing but ends of channels, and those at the
/// other sides are known. Without the feature `inspect`, only those are known that sleep at the other side
/// of a session, so most deadlocks are not seen. With it, the thread that has used an end last is taken to be
/// its owner. So most are seen, but as [suspected](Verdict::Suspected) only: the end may have been moved to a
/// thread that has not used it yet.
///
/// One that waits for a deadlock, but for which none of its members waits, is stuck as well and is not part
/// of it.
///
/// ```
/// let deadlocks = pipes::inspect::deadlocks();
/// assert!(deadlocks.is_empty());
/// ```
pub fn deadlocks() -> Vec<Deadlock> {
    snapshot().deadlocks
}

/// Returns the threads and tasks that have slept for longer than this and take part in no deadlock, if there
/// are any. Those that have a deadline do not count.
///
/// A server that has nothing to do is among them. Whether one of them should have gone on, only their users
/// know; the report says who has used the other sides last.
///
/// ```
/// use std::time::Duration;
///
/// assert!(pipes::inspect::standing(Duration::from_secs(60)).is_none());
/// ```
pub fn standing(longer_than: Duration) -> Option<Deadlock> {
    snapshot().standing(longer_than)
}

impl Snapshot {
    /// Returns the deadlocks among those that are marked. Takes O(sleepers + waits) steps.
    pub(super) fn among(&self, asleep: &[bool]) -> Vec<Deadlock> {
        let places = self.sleepers.iter().enumerate().map(|(place, sleeper)| (sleeper.id, place)).collect();
        let sleepers = self.sleepers.iter().zip(asleep);
        let movers: Vec<_> =
            sleepers.map(|(sleeper, asleep)| movers(sleeper, &places).filter(|_| *asleep)).collect();
        let places = |movers: &Vec<Mover<'_>>| movers.iter().map(|mover| mover.place).collect();
        let knots = knots(&movers.iter().map(|it| it.as_ref().map(places)).collect::<Vec<_>>());
        knots.iter().map(|members| self.deadlock(members, &movers)).collect()
    }

    fn deadlock(&self, members: &[usize], movers: &[Option<Vec<Mover<'_>>>]) -> Deadlock {
        let edges = || members.iter().flat_map(|member| movers[*member].iter().flatten());
        let is_certain = edges().all(|mover| mover.scopes.is_some());
        let verdict = if is_certain { Verdict::Certain } else { Verdict::Suspected };
        let scopes = edges().filter_map(|mover| mover.scopes).flatten().cloned();
        let scopes = if is_certain { BTreeSet::from_iter(scopes) } else { BTreeSet::new() };
        let mut found = self.of(verdict, members);
        found.scopes = scopes.into_iter().collect();
        let place = |thread: usize| members.iter().position(|member| *member == thread);
        for (member, others) in members.iter().zip(&mut found.waits_for) {
            others.extend(movers[*member].iter().flatten().filter_map(|mover| place(mover.place)));
            others.sort_unstable();
            others.dedup();
        }
        found
    }

    /// Returns these sleepers, which do not wait for each other yet.
    fn of(&self, verdict: Verdict, members: &[usize]) -> Deadlock {
        let place = |thread: &usize| members.iter().position(|member| member == thread);
        let mut sleepers: Vec<_> = members.iter().map(|member| self.sleepers[*member].clone()).collect();
        for wait in sleepers.iter_mut().flat_map(|thread| &mut thread.waits_for) {
            wait.other_side = wait.other_side.iter().filter_map(place).collect();
        }
        let waits_for = vec![Vec::new(); members.len()];
        Deadlock { verdict, scopes: Vec::new(), places: members.to_vec(), waits_for, sleepers }
    }

    pub(super) fn standing(&self, longer_than: Duration) -> Option<Deadlock> {
        let stuck: HashSet<_> = self.deadlocks.iter().flat_map(|it| &it.places).collect();
        let stands = |place: &usize| {
            let it = &self.sleepers[*place];
            it.asleep > longer_than && it.time_left.is_none() && !it.is_woken && !stuck.contains(place)
        };
        let members: Vec<_> = (0..self.sleepers.len()).filter(stands).collect();
        (!members.is_empty()).then(|| self.of(Verdict::Standing, &members))
    }
}

/// One that can end a wait.
struct Mover<'a> {
    /// Its place in the snapshot.
    place: usize,
    /// The scopes on which this rests, if it is certain.
    scopes: Option<&'a [String]>,
}

/// Returns those that can end the wait. Returns `None` if one of them is unknown, or if something else ends
/// it.
fn movers<'a>(sleeper: &'a Sleeper, places: &HashMap<ThreadOrTask, usize>) -> Option<Vec<Mover<'a>>> {
    let is_awaited_elsewhere = sleeper.waits_for_other.is_some() || sleeper.waits_for.is_empty();
    if sleeper.is_woken || sleeper.time_left.is_some() || is_awaited_elsewhere {
        return None;
    }
    let mut movers = Vec::new();
    for wait in &sleeper.waits_for {
        // What a future belongs to may wait for something else as well.
        let certain = |scopes: &'a [String]| wait.future.is_none().then_some(scopes);
        // A session has one end at each side. A stream may have more, of which some are elsewhere.
        if wait.state.is_some() && !wait.other_side.is_empty() {
            movers.extend(wait.other_side.iter().map(|place| Mover { place: *place, scopes: certain(&[]) }));
            continue;
        }
        if wait.last_users.is_empty() || wait.is_in_motion {
            return None;
        }
        let scopes = wait.scopes.as_deref().and_then(certain);
        let rivals = wait.rivals.iter().filter(|it| **it != sleeper.id);
        for user in wait.last_users.iter().chain(rivals) {
            movers.push(Mover { place: *places.get(user)?, scopes });
        }
    }
    Some(movers)
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_tasks = self.sleepers.iter().any(|it| matches!(it.id, ThreadOrTask::Task(_)));
        let those = if has_tasks { "threads and tasks" } else { "threads" };
        match (self.verdict, self.sleepers.len()) {
            (Verdict::Certain, 1) => writeln!(f, "deadlock: a thread waits for itself")?,
            (Verdict::Certain, count) => writeln!(f, "deadlock: {count} {those} wait for each other")?,
            (Verdict::Suspected, 1) => {
                let one = if has_tasks { "a task" } else { "a thread" };
                writeln!(f, "deadlock suspected: {one} waits for itself")?;
            }
            (Verdict::Suspected, count) => {
                writeln!(f, "deadlock suspected: {count} {those} seem to wait for each other")?;
            }
            (Verdict::Standing, count) => writeln!(f, "standing: {count} {those} have waited for long")?,
        }
        if !self.scopes.is_empty() {
            let scopes = self.scopes.join(", ");
            writeln!(f, "  if the ends stay where the scopes declare it: {}", scopes.escape_debug())?;
        }
        for sleeper in &self.sleepers {
            writeln!(f, "  {} sleeps at {} and waits for", sleeper.title(), sleeper.location)?;
            for wait in &sleeper.waits_for {
                writeln!(f, "    {wait};")?;
                writeln!(f, "      {}", self.who(wait))?;
            }
            if sleeper.waits_for.is_empty() {
                writeln!(f, "    {}", sleeper.unlisted())?;
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
        let title = |id: &ThreadOrTask| match self.sleepers.iter().find(|sleeper| sleeper.id == *id) {
            Some(sleeper) => sleeper.title(),
            None => format!("{id}, which is elsewhere"),
        };
        let users: Vec<_> = wait.last_users.iter().map(title).collect();
        match (&wait.held_by, users.is_empty()) {
            (Some(HeldBy::Link(name)), _) => format!("the other end is in another process: {name}"),
            (Some(HeldBy::Listener(_)), false) => {
                format!("the other end waits at the listener of {}", users.join(", "))
            }
            (_, false) => format!("the other end was last used by {}", users.join(", ")),
            (_, true) => "the other end is elsewhere".to_owned(),
        }
    }
}
