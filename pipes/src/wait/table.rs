//! All living channels, with what [`uses`](super::uses) has noted of them. Only with the feature `inspect`.

use super::ends::EndInfo;
use super::living::{Holder, LivingChannel, LivingSide};
use super::running::{Runner, ThreadOrTask};
use crate::sync::{AtomicBool, Ordering, StaticLock, WakeArc, lock_soon, thread_local};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::iter::repeat_n;
use std::mem::take;
use std::time::Instant;

/// Threads that use different channels seldom use the same part.
const PARTS: usize = 64;

type Part = BTreeMap<usize, Channel>;

static TABLE: [StaticLock<Part>; PARTS] = [const { StaticLock::new(BTreeMap::new()) }; PARTS];

/// A channel, as it was noted.
pub(super) struct Channel {
    /// One of its ends.
    end: &'static EndInfo,
    pub(super) sides: [Ends; 2],
}

/// The ends of one side.
pub(super) struct Ends {
    count: usize,
    /// There was more than one.
    are_many: bool,
    /// There may be others, or weak ones that become others.
    may_be_many: bool,
    /// Who has made the channel.
    maker: User,
    /// The last user; of many ends, each one that has used one and has not dropped one since.
    users: Vec<User>,
    /// Those that have dropped one. They may have others.
    former: Vec<User>,
    /// What holds the end, if it is no variable of the user's.
    holder: Option<Holder>,
    /// The messages that this side has sent and that were not taken: when, and the type of the payload.
    unread: VecDeque<(Instant, &'static str)>,
    /// How many of them there are of each type.
    types: Vec<(&'static str, usize)>,
    /// Messages that were noted as taken before they were noted as sent.
    taken_early: usize,
}

/// Who uses an end, and the scope in which that is declared to be the owner, as long as it is open.
#[derive(Clone)]
struct User {
    id: ThreadOrTask,
    scope: Option<WakeArc<Scope>>,
}

struct Scope {
    name: String,
    is_open: AtomicBool,
}

impl Scope {
    /// Returns the name if the scope is open.
    fn open_name(&self) -> Option<String> {
        // ORDERING: Relaxed: a verdict counts threads that were seen asleep before, under a lock that they
        // took after the end of their scopes.
        self.is_open.load(Ordering::Relaxed).then(|| self.name.clone())
    }
}

impl Channel {
    fn new(end: &'static EndInfo) -> Self {
        // Ends are mostly made for others, so no scope declares that they stay here.
        let maker = User { id: Runner::current(), scope: None };
        let ends = |holder| Ends {
            count: 1,
            are_many: false,
            may_be_many: false,
            maker: maker.clone(),
            users: Vec::new(),
            former: Vec::new(),
            holder,
            unread: VecDeque::new(),
            types: Vec::new(),
            taken_early: 0,
        };
        Channel { end, sides: said().holders.map(ends) }
    }
}

impl Ends {
    pub(super) fn used(&mut self) {
        // A connection holds its end until it drops it.
        self.holder.take_if(|holder| matches!(holder, Holder::Backlog(_)));
        let user = User { id: Runner::current(), scope: said().scope };
        match self.users.iter_mut().find(|it| it.id == user.id) {
            Some(it) => *it = user,
            None => {
                self.former.retain(|it| it.id != user.id);
                if !self.are_many {
                    self.users.clear();
                }
                self.users.push(user);
            }
        }
    }

    pub(super) fn sent(&mut self, messages: usize, payload: &'static str) {
        let early = self.taken_early.min(messages);
        self.taken_early -= early;
        let unread = messages - early;
        self.unread.extend(repeat_n((Instant::now(), payload), unread));
        match self.types.iter_mut().find(|(known, _)| *known == payload) {
            Some((_, count)) => *count += unread,
            None => self.types.push((payload, unread)),
        }
    }

    pub(super) fn received(&mut self, messages: usize) {
        let unread = messages.min(self.unread.len());
        for (_, payload) in self.unread.drain(..unread) {
            self.types.iter_mut().filter(|(known, _)| *known == payload).for_each(|(_, count)| *count -= 1);
        }
        self.taken_early += messages - unread;
    }

    pub(super) fn joined(&mut self) {
        self.count += 1;
        self.are_many = true;
        self.may_be_many = true;
    }

    pub(super) fn left(&mut self) {
        let id = Runner::current();
        self.count = self.count.saturating_sub(1);
        if self.count == 0 {
            self.holder = None;
        }
        if let Some(place) = self.users.iter().position(|it| it.id == id) {
            self.former.push(User { scope: None, ..self.users.swap_remove(place) });
        }
    }

    /// Returns what was noted. The owners are unknown if there are more ends than threads and tasks that may
    /// have one: then one that has used no end owns one.
    fn look(&self) -> LivingSide {
        let mut owners = self.users.clone();
        if owners.len() < self.count {
            for other in self.former.iter().chain([&self.maker]) {
                if !owners.iter().any(|it| it.id == other.id) {
                    owners.push(other.clone());
                }
            }
        }
        if owners.len() < self.count {
            owners.clear();
        }
        LivingSide {
            owners: owners.iter().map(|it| it.id).collect(),
            scopes: owners.iter().map(|it| it.scope.as_ref()?.open_name()).collect(),
            holder: self.holder.clone(),
            may_be_many: self.may_be_many,
            unread: self.unread.len(),
            oldest: self.unread.front().map(|(sent, _)| *sent),
            types: self.types.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect(),
        }
    }
}

/// What a thread has said of what it does now.
#[derive(Clone, Default)]
struct Said {
    /// The outermost scope that is open.
    scope: Option<WakeArc<Scope>>,
    /// What holds the sides of the channels that it makes.
    holders: [Option<Holder>; 2],
}

thread_local! {
    static SAID: RefCell<Said> = RefCell::default();
}

/// Returns what this thread has said: nothing if it is ending.
fn said() -> Said {
    SAID.try_with(|said| said.borrow().clone()).unwrap_or_default()
}

/// Calls the function while this thread says this.
fn saying<R>(said: Said, call: impl FnOnce() -> R) -> R {
    struct Restored(Said);
    impl Drop for Restored {
        fn drop(&mut self) {
            let before = take(&mut self.0);
            let _ending = SAID.try_with(|said| said.replace(before));
        }
    }
    let _restored = Restored(SAID.try_with(|now| now.replace(said)).unwrap_or_default());
    call()
}

/// Calls the function in a scope, which ends with it. A scope inside another one adds nothing: what that one
/// declares holds for longer.
pub(super) fn scope<R>(name: &str, call: impl FnOnce() -> R) -> R {
    if said().scope.is_some() {
        return call();
    }
    struct Opened(WakeArc<Scope>);
    impl Drop for Opened {
        fn drop(&mut self) {
            // ORDERING: Relaxed: see `Scope::open_name`.
            self.0.is_open.store(false, Ordering::Relaxed);
        }
    }
    let opened = Opened(WakeArc::new(Scope { name: name.to_owned(), is_open: AtomicBool::new(true) }));
    saying(Said { scope: Some(opened.0.clone()), ..said() }, call)
}

pub(super) fn made_for<R>(holders: [Option<Holder>; 2], make: impl FnOnce() -> R) -> R {
    saying(Said { holders, ..said() }, make)
}

/// Calls the function with a part of the table. Without its lock, nothing is noted.
fn with_part<R>(channel: usize, call: impl FnOnce(&mut Part) -> R) -> Option<R> {
    // Channels lie at addresses that differ by their size.
    lock_soon(&TABLE[channel / 64 % PARTS]).map(|mut part| call(&mut part))
}

pub(super) fn made(channel: usize, end: &'static EndInfo) {
    with_part(channel, |part| drop(part.insert(channel, Channel::new(end))));
}

pub(super) fn may_be_many(channel: usize, side: usize) {
    with(channel, |it| it.sides[side].may_be_many = true);
}

pub(super) fn freed(channel: usize) {
    with_part(channel, |part| drop(part.remove(&channel)));
}

pub(super) fn with(channel: usize, call: impl FnOnce(&mut Channel)) {
    with_part(channel, |part| part.get_mut(&channel).map(call));
}

/// Returns what was noted of a side. An end in a backlog belongs to the owner of that.
pub(super) fn look(channel: usize, side: usize) -> Option<LivingSide> {
    let mut seen = with_part(channel, |part| part.get(&channel).map(|it| it.sides[side].look())).flatten()?;
    match seen.holder {
        Some(Holder::Backlog(backlog)) if backlog != channel => {
            let LivingSide { owners, scopes, .. } = look(backlog, 1).unwrap_or_default();
            seen = LivingSide { owners, scopes, ..seen };
        }
        Some(Holder::Link(_)) => seen = LivingSide { owners: Vec::new(), scopes: None, ..seen },
        _ => {}
    }
    Some(seen)
}

/// Returns all living channels.
pub(super) fn channels() -> Vec<LivingChannel> {
    let part = |part: &StaticLock<Part>| Some(lock_soon(part)?.iter().map(living).collect::<Vec<_>>());
    TABLE.iter().filter_map(part).flatten().collect()
}

fn living((name, channel): (&usize, &Channel)) -> LivingChannel {
    let sides = [channel.sides[0].look(), channel.sides[1].look()];
    LivingChannel { channel: *name, end: channel.end, sides }
}
