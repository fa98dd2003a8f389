//! What is seen of the threads that sleep, as data.

use super::deadlock::Deadlock;
use super::names::without_paths;
use crate::state_info::{MessageInfo, StateInfo};
use crate::sync::ThreadId;
use crate::wait::{Awaited, AwaitedEnd, Seen, Side, look_at_sleepers, uses};
use std::collections::{HashMap, HashSet};
use std::panic::Location;
use std::time::{Duration, Instant};

/// The threads that were asleep in this library when [`snapshot`] looked.
///
/// Printed, it is a table that is at most 100 columns wide.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// The threads, those first that have slept longest.
    pub sleepers: Vec<Sleeper>,
    /// Those of them that wait for each other; see [`deadlocks`](super::deadlocks()).
    pub deadlocks: Vec<Deadlock>,
}

/// A thread that sleeps.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sleeper {
    /// The thread.
    pub id: ThreadId,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The line that called the method in which it sleeps. Of an iterator, the line that made the iterator.
    pub location: &'static Location<'static>,
    /// For how long it sleeps. A thread that was woken for nothing and sleeps again goes on counting.
    pub asleep: Duration,
    /// How long it will sleep at most; `None` if it has no deadline.
    pub time_left: Option<Duration>,
    /// What it waits for. Any of these wakes it.
    pub waits_for: Vec<Wait>,
    /// `true` if something else wakes it as well, of which nothing is known, such as a future.
    pub waits_for_other: bool,
    /// `true` if it was woken, and has not gone on yet.
    pub is_woken: bool,
    /// When it fell asleep.
    pub(super) since: Instant,
}

/// Something for which a thread waits, at one end of a channel or a session.
///
/// Printed, it is a sentence: ``a message at bank::Client<Answer>: the server sends `ok` or `refused` ``.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Wait {
    /// What would end the wait.
    pub awaited: Awaited,
    /// The type of the end, without paths: `Port<Order>`, or `bank::Client<Answer>`.
    pub end: String,
    /// The state of the session. It says whose turn it is, and which messages can come.
    pub state: Option<&'static StateInfo>,
    /// The channel or session.
    pub channel: ChannelId,
    /// The threads that sleep at another end of the same channel, by their places in
    /// [`Snapshot::sleepers`].
    ///
    /// An end at which no thread sleeps is elsewhere: a thread computes with it, or keeps it for later, or it
    /// is in a message. If the other side has left, the thread is about to wake up.
    pub other_side: Vec<usize>,
    /// The thread that has used the other side last; of many senders, all threads that have sent. Known only
    /// with the feature `inspect`.
    pub last_users: Vec<ThreadId>,
    side: Side,
}

/// A channel or a session. Two ends have the same as long as they belong together. When a channel is gone,
/// another one may have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChannelId(usize);

impl ChannelId {
    pub(super) fn number(self) -> usize {
        self.0
    }
}

impl Wait {
    /// Returns the messages that would wake the thread, if it waits for one in a session. They are those of
    /// the state in which the other side sends.
    pub fn messages(&self) -> &'static [MessageInfo] {
        match (self.awaited, self.state) {
            (Awaited::Message, Some(state)) => state.messages,
            _ => &[],
        }
    }
}

/// Returns what each thread that sleeps in this library waits for.
///
/// It looks at one thread after the other, so the answers are not all of the same moment: a thread may have
/// woken up when the last one is looked at. What is said of one thread is of one moment, and true for as long
/// as that thread sleeps. A thread that is looked at while it wakes up is held up for that look.
///
/// It looks twice, and reports what it saw the second time. The first look is for the deadlocks: only threads
/// take part that have slept from the first to the second, and were not woken. So all threads of a deadlock
/// were asleep at one moment, and nothing was on its way to them.
///
/// Takes O(threads + ends for which they wait) steps, and one for each pair of threads that sleep at the two
/// sides of a channel. The threads that do not sleep do not notice.
///
/// ```
/// println!("{}", pipes::inspect::snapshot());
/// ```
pub fn snapshot() -> Snapshot {
    let before: HashSet<_> = look_at_sleepers().iter().map(|it| (it.thread.id(), it.since)).collect();
    let mut seen = look_at_sleepers();
    seen.sort_by_key(|it| it.since);
    let now = Instant::now();
    let mut sleepers: Vec<_> = seen.into_iter().map(|it| Sleeper::new(it, now)).collect();
    let mut by_end: HashMap<(ChannelId, Side), Vec<usize>> = HashMap::new();
    for (index, thread) in sleepers.iter().enumerate() {
        for wait in &thread.waits_for {
            by_end.entry((wait.channel, wait.side)).or_default().push(index);
        }
    }
    for wait in sleepers.iter_mut().flat_map(|thread| &mut thread.waits_for) {
        wait.other_side = by_end.get(&(wait.channel, wait.side.other())).cloned().unwrap_or_default();
    }
    let asleep: Vec<_> = sleepers.iter().map(|it| before.contains(&(it.id, it.since))).collect();
    let mut snapshot = Snapshot { sleepers, deadlocks: Vec::new() };
    snapshot.deadlocks = snapshot.among(&asleep);
    snapshot
}

impl Sleeper {
    fn new(seen: Seen, now: Instant) -> Self {
        Sleeper {
            id: seen.thread.id(),
            name: seen.thread.name().map(str::to_owned),
            location: seen.caller,
            asleep: now.saturating_duration_since(seen.since),
            time_left: seen.deadline.map(|deadline| deadline.saturating_duration_since(now)),
            waits_for: seen.ends.ends.iter().map(Wait::new).collect(),
            waits_for_other: seen.ends.has_other,
            is_woken: seen.is_woken,
            since: seen.since,
        }
    }
}

impl Wait {
    fn new(awaited: &AwaitedEnd) -> Self {
        let end = awaited.end;
        let parameter = without_paths((end.parameter)());
        let named = end.state.filter(|state| !state.protocol.is_empty());
        Wait {
            awaited: end.awaited,
            end: match named {
                Some(state) => format!("{}::{}<{parameter}>", state.protocol, end.noun),
                None => format!("{}<{parameter}>", end.noun),
            },
            state: named,
            channel: ChannelId(awaited.channel),
            other_side: Vec::new(),
            last_users: uses::last_users(awaited.channel, end.side.other() as usize),
            side: end.side,
        }
    }
}
