//! What is seen of the threads and tasks that sleep, as data.

use super::deadlock::Deadlock;
use super::names::without_paths;
use crate::state_info::{MessageInfo, StateInfo};
use crate::wait::{Awaited, AwaitedEnd, EndInfo, Holder, LivingChannel, LivingSide, Seen, SeenPending, Side};
use crate::wait::{ThreadOrTask, look_at_pending, look_at_sleepers, uses};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::panic::Location;
use std::time::{Duration, Instant};

/// The threads and tasks that were asleep in this library when [`snapshot`] looked.
///
/// Printed, it is a table that is at most 100 columns wide, if no letter takes two of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// The threads and tasks, those first that have slept longest. Tasks are known only with the feature
    /// `inspect`.
    pub sleepers: Vec<Sleeper>,
    /// Those of them that wait for each other; see [`deadlocks`](super::deadlocks()).
    pub deadlocks: Vec<Deadlock>,
    /// All channels and sessions that have not been freed, except those of capacity 0, broadcasts and
    /// watches. They are known only with the feature `inspect`.
    pub channels: Vec<Channel>,
}

/// A thread or a task that sleeps.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sleeper {
    /// The thread or the task.
    pub id: ThreadOrTask,
    /// Its name, if it has one. A task gets one from [`named`](super::named()).
    pub name: Option<String>,
    /// The line that called the method in which it sleeps. Of an iterator, the line that made the iterator.
    /// Of a task, the line that made the future that has waited longest.
    pub location: &'static Location<'static>,
    /// For how long it sleeps. A thread that was woken for nothing and sleeps again goes on counting, and so
    /// does a task.
    pub asleep: Duration,
    /// How long it will sleep at most; `None` if it has no deadline, or for a task.
    pub time_left: Option<Duration>,
    /// What it waits for. Any of these wakes it. Of a task, and of a thread in a
    /// [`block_on`](crate::block_on()), these are the waits of this library's futures, with the feature
    /// `inspect`; it may wait for something else as well, such as a timer.
    pub waits_for: Vec<Wait>,
    /// What wakes it as well and is no end of a channel, such as `a future`; `None` if there is nothing else.
    pub waits_for_other: Option<&'static str>,
    /// `true` if it was woken, and has not gone on yet.
    pub is_woken: bool,
    /// When it fell asleep.
    pub(super) since: Instant,
}

/// Something for which a thread or a task waits, at one end of a channel or a session.
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
    /// Those that sleep at another end of the same channel, by their places in [`Snapshot::sleepers`].
    ///
    /// An end at which none sleeps is elsewhere: a thread computes with it, or keeps it for later, or it is
    /// in a message. If the other side has left, the thread is about to wake up.
    pub other_side: Vec<usize>,
    /// The thread or task that has used the other side last; of many senders, all that have sent. Known only
    /// with the feature `inspect`.
    pub last_users: Vec<ThreadOrTask>,
    /// What holds the end at the other side, if it lies in this library. Known only with the feature
    /// `inspect`.
    pub held_by: Option<HeldBy>,
    /// The line that made the future that waits; `None` for a thread that sleeps in a method.
    pub future: Option<&'static Location<'static>>,
    /// How long ago the future was woken, if it was not polled since. A task that keeps such a future and
    /// polls others keeps what the future was woken for, such as a permit.
    pub woken: Option<Duration>,
    /// Those that have used ends of this side, if there may be many: they may have what the wait is for, such
    /// as a permit, and give it back.
    pub(super) rivals: Vec<ThreadOrTask>,
    /// The scopes in which all owners of the other side have declared that they own it.
    pub(super) scopes: Option<Vec<String>>,
    /// Its last users are not taken for the owners of the other side: they have changed during the look, or
    /// the end may lie in an unread message.
    pub(super) is_in_motion: bool,
    side: Side,
    info: &'static EndInfo,
}

/// What holds an end that lies in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeldBy {
    /// The listener of this channel. It may have accepted the session, but the end was not used since.
    Listener(ChannelId),
    /// A session with another process, of this name. It has the same name there.
    Link(String),
}

/// A channel or a session that has not been freed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Channel {
    /// The channel.
    pub id: ChannelId,
    /// The type of its receiver, without paths, or that of the client in the session's first state.
    pub end: String,
    /// Its sides: that of the client of a session, or of the senders; and the other one.
    pub sides: [ChannelSide; 2],
}

/// One side of a channel or a session.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChannelSide {
    /// The thread or task that has used it last; of many senders or receivers, all that have used one.
    pub last_users: Vec<ThreadOrTask>,
    /// What holds its end, if that lies in this library.
    pub held_by: Option<HeldBy>,
    /// The number of messages that this side has sent and that were not received. Messages that a
    /// [`SharedPort`](crate::SharedPort) has taken out of the stream in advance do not count.
    pub unread: usize,
    /// How long ago the first of them was sent.
    pub oldest: Option<Duration>,
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

/// Returns what each thread that sleeps in this library waits for. With the feature `inspect`, also what each
/// task waits for, and all channels.
///
/// It looks at one thread after the other, so the answers are not all of the same moment: a thread may have
/// woken up when the last one is looked at. What is said of one thread is of one moment, and true for as long
/// as that thread sleeps. A thread that is looked at while it wakes up is held up for that look.
///
/// It looks twice, and reports what it saw the second time. The first look is for the deadlocks: only those
/// take part that have slept from the first to the second, and were not woken. So all threads of a deadlock
/// were asleep at one moment, and nothing was on its way to them.
///
/// Takes O(threads + ends for which they wait) steps, and one for each pair of threads that sleep at the two
/// sides of a channel. The threads that do not sleep do not notice. With the feature `inspect`, it also takes
/// a step for each task and each channel, and a thread that uses a channel may wait for the look at it.
///
/// ```
/// println!("{}", pipes::inspect::snapshot());
/// ```
pub fn snapshot() -> Snapshot {
    let users =
        |sleeper: &Sleeper| sleeper.waits_for.iter().map(|it| it.last_users.clone()).collect::<Vec<_>>();
    let before: HashMap<_, _> =
        look(Instant::now()).iter().map(|it| ((it.id, it.since), users(it))).collect();
    let now = Instant::now();
    let mut sleepers = look(now);
    let channels = uses::channels();
    // What waits to be accepted is known.
    let backlog = |it: &LivingSide| match it.holder {
        Some(Holder::Backlog(channel)) => Some(channel),
        _ => None,
    };
    let backlogs: HashSet<_> = channels.iter().flat_map(|it| &it.sides).filter_map(backlog).collect();
    let others = channels.iter().filter(|it| !backlogs.contains(&it.channel));
    let unread: BTreeSet<_> = others.flat_map(|it| &it.sides).flat_map(|it| &it.types).collect();
    sleepers.sort_by_key(|it| it.since);
    let mut by_end: HashMap<(ChannelId, Side), Vec<usize>> = HashMap::new();
    for (index, sleeper) in sleepers.iter().enumerate() {
        for wait in &sleeper.waits_for {
            by_end.entry((wait.channel, wait.side)).or_default().push(index);
        }
    }
    for wait in sleepers.iter_mut().flat_map(|sleeper| &mut sleeper.waits_for) {
        wait.other_side = by_end.get(&(wait.channel, wait.side.other())).cloned().unwrap_or_default();
    }
    let mut asleep = Vec::with_capacity(sleepers.len());
    for sleeper in &mut sleepers {
        let known = before.get(&(sleeper.id, sleeper.since));
        asleep.push(known.is_some());
        for (index, wait) in sleeper.waits_for.iter_mut().enumerate() {
            let are_same = known.and_then(|users| users.get(index)) == Some(&wait.last_users);
            wait.is_in_motion = !are_same || wait.may_be_unread(&unread);
        }
    }
    let channels = channels.iter().map(|it| Channel::new(it, now)).collect();
    let mut snapshot = Snapshot { sleepers, deadlocks: Vec::new(), channels };
    snapshot.deadlocks = snapshot.among(&asleep);
    snapshot
}

/// Returns the threads and tasks that sleep, in any order. Those at the other sides are not known yet.
fn look(now: Instant) -> Vec<Sleeper> {
    let (seen, pending) = (look_at_sleepers(), look_at_pending());
    let mut sleepers: Vec<_> = seen.into_iter().map(|it| Sleeper::thread(it, now)).collect();
    let mut places: HashMap<_, _> = sleepers.iter().enumerate().map(|(place, it)| (it.id, place)).collect();
    for pending in pending {
        let place = match (places.get(&pending.by.id), pending.by.id) {
            // A thread that waits in a method inside its future does not wait for the future.
            (Some(place), ThreadOrTask::Thread(_)) if sleepers[*place].waits_for_other.is_none() => continue,
            (Some(place), _) => *place,
            // The thread polls the future at this moment.
            (None, ThreadOrTask::Thread(_)) => continue,
            (None, id) => {
                places.insert(id, sleepers.len());
                sleepers.push(Sleeper::task(&pending, now));
                sleepers.len() - 1
            }
        };
        sleepers[place].add(&pending, now);
    }
    sleepers
}

impl Sleeper {
    fn thread(seen: Seen, now: Instant) -> Self {
        Sleeper {
            id: ThreadOrTask::Thread(seen.thread.id()),
            name: seen.thread.name().map(str::to_owned),
            location: seen.caller,
            asleep: now.saturating_duration_since(seen.since),
            time_left: seen.deadline.map(|deadline| deadline.saturating_duration_since(now)),
            waits_for: seen.ends.ends.iter().map(Wait::new).collect(),
            waits_for_other: seen.ends.other,
            is_woken: seen.is_woken,
            since: seen.since,
        }
    }

    /// Creates a task that waits for nothing yet.
    fn task(pending: &SeenPending, now: Instant) -> Self {
        Sleeper {
            id: pending.by.id,
            name: pending.by.name.as_deref().map(str::to_owned),
            location: pending.caller,
            asleep: now.saturating_duration_since(pending.since),
            time_left: None,
            waits_for: Vec::new(),
            waits_for_other: None,
            is_woken: false,
            since: pending.since,
        }
    }

    /// Adds what a future of the thread or the task waits for.
    fn add(&mut self, pending: &SeenPending, now: Instant) {
        if matches!(self.id, ThreadOrTask::Task(_)) && pending.since < self.since {
            (self.location, self.since) = (pending.caller, pending.since);
            self.asleep = now.saturating_duration_since(pending.since);
        }
        let woken = pending.woken.map(|woken| now.saturating_duration_since(woken));
        self.is_woken |= woken.is_some();
        // Of a thread, it was the future of which nothing was known.
        self.waits_for_other = pending.ends.other;
        let wait = |end| Wait { future: Some(pending.caller), woken, ..Wait::new(end) };
        self.waits_for.extend(pending.ends.ends.iter().map(wait));
    }
}

impl Wait {
    fn new(awaited: &AwaitedEnd) -> Self {
        let end = awaited.end;
        let other = uses::look(awaited.channel, end.side.other() as usize);
        let own = uses::look(awaited.channel, end.side as usize);
        // Where there may be other ends, another one may do what is waited for, or have what it needs.
        let is_pair = !own.may_be_many && !other.may_be_many && other.holder.is_none();
        let scopes = other.scopes.filter(|_| is_pair && !other.owners.is_empty());
        Wait {
            awaited: end.awaited,
            end: type_of(end),
            state: named(end),
            channel: ChannelId(awaited.channel),
            other_side: Vec::new(),
            last_users: other.owners,
            rivals: if own.may_be_many { own.owners } else { Vec::new() },
            held_by: other.holder.map(HeldBy::from),
            future: None,
            woken: None,
            is_in_motion: false,
            scopes,
            side: end.side,
            info: end,
        }
    }

    /// Returns `true` if the end at the other side may lie in an unread message: if the type of a payload has
    /// the end's type in its name.
    fn may_be_unread(&self, payloads: &BTreeSet<&&str>) -> bool {
        let parameter = (self.info.parameter)();
        // Of a session, the module of its protocol: the end may be in another state.
        let inside = match self.state {
            Some(_) => parameter.split('<').next().and_then(|it| it.rsplit_once("::")).map_or("", |it| it.0),
            None => parameter,
        };
        let noun = match (self.info.state, self.side) {
            (Some(_), Side::First) => "Server<",
            (Some(_), Side::Second) => "Client<",
            (None, Side::First) => "Port",
            (None, Side::Second) => "Chan",
        };
        self.held_by.is_none() && payloads.iter().any(|it| it.contains(noun) && it.contains(inside))
    }
}

impl From<Holder> for HeldBy {
    fn from(holder: Holder) -> Self {
        match holder {
            Holder::Backlog(channel) => HeldBy::Listener(ChannelId(channel)),
            Holder::Link(name) => HeldBy::Link(name.as_ref().to_owned()),
        }
    }
}

impl Channel {
    fn new(living: &LivingChannel, now: Instant) -> Self {
        let side = |side: &LivingSide| ChannelSide {
            last_users: side.owners.clone(),
            held_by: side.holder.clone().map(HeldBy::from),
            unread: side.unread,
            oldest: side.oldest.map(|oldest| now.saturating_duration_since(oldest)),
        };
        let [first, second] = &living.sides;
        Channel {
            id: ChannelId(living.channel),
            end: type_of(living.end),
            sides: [side(first), side(second)],
        }
    }
}

/// Returns the state, unless the protocol is written by hand.
fn named(end: &EndInfo) -> Option<&'static StateInfo> {
    end.state.filter(|state| !state.protocol.is_empty())
}

/// Returns the type of an end, without paths.
pub(super) fn type_of(end: &EndInfo) -> String {
    let parameter = without_paths((end.parameter)());
    match named(end) {
        Some(state) => format!("{}::{}<{parameter}>", state.protocol, end.noun),
        None => format!("{}<{parameter}>", end.noun),
    }
}
