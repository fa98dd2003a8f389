//! What was recorded of the threads, as data.

use super::names::without_paths;
use super::snapshot::type_of;
use crate::state_info::{MessageInfo, StateInfo};
use crate::sync::ThreadId;
use crate::wait::rings::{self, RawChannel, RawKind, RawMessage, RawStep};
use crate::wait::{Awaited, AwaitedEnd};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::panic::Location;
use std::time::{Duration, Instant};

/// The last steps of all threads, until a [`Recorder`](super::Recorder) was asked for them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recording {
    /// The threads, those first that were the first to take one of the steps.
    pub threads: Vec<RecordedThread>,
    /// The sessions and channels. One that is made where an earlier one was freed is another one.
    pub channels: Vec<RecordedChannel>,
    /// The steps, sorted by time.
    pub steps: Vec<Step>,
    /// `true` if there were more threads than are recorded.
    pub has_more_threads: bool,
}

/// A thread that was recorded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordedThread {
    /// The thread.
    pub id: ThreadId,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// How many of its steps were forgotten, because later ones have taken their places.
    pub forgotten: u64,
}

/// A session or a channel.
///
/// Printed, it is the name of the protocol, or such as `stream of Order`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordedChannel {
    /// What it is: `"session"`, `"oneshot"`, `"stream"`, `"bounded stream"` or `"shared stream"`. A channel
    /// that was made before the recorder is a `"session"` or a `"channel"`.
    pub kind: &'static str,
    /// The name of the session's protocol, or the type of the messages, without paths.
    pub of: String,
}

/// A step of a thread.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The time since the begin of the recording.
    pub time: Duration,
    /// The place of the thread in [`Recording::threads`].
    pub thread: usize,
    /// What the thread did.
    pub event: Event,
}

/// What a thread did. A `channel` is a place in [`Recording::channels`]. A `side` is `"client"` or
/// `"server"` of a session, and `"sender"` or `"receiver"` of a channel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// It made a session or a channel.
    Made {
        /// The session or channel.
        channel: usize,
    },
    /// It sent a message.
    Sent {
        /// Where it sent.
        channel: usize,
        /// The side that sent.
        side: &'static str,
        /// What it sent.
        message: RecordedMessage,
        /// The number of the message. No other message has it, and its `Received` has the same.
        number: usize,
    },
    /// It received a message.
    Received {
        /// Where it received.
        channel: usize,
        /// The side that received.
        side: &'static str,
        /// What it received.
        message: RecordedMessage,
        /// The number of the message; `None` if its `Sent` was forgotten or not recorded.
        number: Option<usize>,
    },
    /// It closed a side.
    Closed {
        /// What it closed.
        channel: usize,
        /// The side that it closed.
        side: &'static str,
    },
    /// It fell asleep.
    FellAsleep {
        /// The line that called the method in which it slept.
        location: &'static Location<'static>,
        /// What it waited for, at most the first eight ends. Any of these would have woken it.
        waits_for: Vec<RecordedWait>,
        /// Something else that would have woken it as well, such as `"a future"`.
        waits_for_other: Option<&'static str>,
    },
    /// It woke up, because what it waited for was there, or because its deadline had passed.
    Woke,
    /// It called [`note`](super::note()) with this text.
    Noted(String),
}

/// A message that was sent or received.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedMessage {
    /// The name of the message in the protocol, or the type of the message without paths.
    pub name: String,
    /// The state of the session in which it was sent.
    pub state: Option<&'static StateInfo>,
}

/// Something for which a thread waited.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordedWait {
    /// What would have ended the wait.
    pub awaited: Awaited,
    /// The type of the end at which it waited, without paths.
    pub end: String,
    /// The state of the session.
    pub state: Option<&'static StateInfo>,
    /// The session or channel; `None` if the other side had left.
    pub channel: Option<usize>,
}

impl Recording {
    pub(super) fn new(threads: Vec<rings::RawThread>, begun: Instant, has_more_threads: bool) -> Self {
        let raw = threads.iter().enumerate();
        let mut raw: Vec<(usize, &RawStep)> =
            raw.flat_map(|(thread, it)| it.steps.iter().map(move |step| (thread, step))).collect();
        raw.sort_by_key(|(_, step)| step.at);
        let mut builder = Builder::default();
        // A receive may have the same time as its send, so sends are numbered first.
        for (_, step) in &raw {
            if let RawKind::Sent { number, .. } = step.kind {
                builder.numbers.insert(number, builder.numbers.len());
            }
        }
        let mut places = HashMap::new();
        let mut recorded = Vec::new();
        for (thread, step) in raw {
            let Some(event) = builder.event(&step.kind) else { continue };
            let thread = *places.entry(thread).or_insert_with(|| {
                let rings::RawThread { thread, forgotten, .. } = &threads[thread];
                let name = thread.name().map(str::to_owned);
                recorded.push(RecordedThread { id: thread.id(), name, forgotten: *forgotten });
                recorded.len() - 1
            });
            builder.steps.push(Step { time: step.at.saturating_duration_since(begun), thread, event });
        }
        let Builder { channels, steps, .. } = builder;
        Recording { threads: recorded, channels, steps, has_more_threads }
    }

    /// Removes the steps of all threads but those for which `keep` returns `true`. The threads stay in
    /// [`threads`](Self::threads).
    pub fn retain_threads(&mut self, keep: impl FnMut(&RecordedThread) -> bool) {
        let kept: Vec<bool> = self.threads.iter().map(keep).collect();
        self.steps.retain(|step| kept[step.thread]);
    }
}

/// What is known while the steps are gone through in order.
#[derive(Default)]
struct Builder {
    channels: Vec<RecordedChannel>,
    steps: Vec<Step>,
    /// The place of the last channel at each address.
    by_address: HashMap<usize, usize>,
    /// The place of each message that was sent.
    numbers: HashMap<u64, usize>,
    /// The sides that were closed.
    closed: HashSet<(usize, usize)>,
}

impl Builder {
    /// Returns what a step shows; `None` if the side was closed already.
    fn event(&mut self, kind: &RawKind) -> Option<Event> {
        Some(match kind {
            RawKind::Made { channel, kind } => {
                self.by_address.insert(*channel, self.channels.len());
                self.channels.push(match kind {
                    RawChannel::Session(state) => RecordedChannel::session(state),
                    RawChannel::Of(kind, name) => RecordedChannel { kind, of: without_paths(name()) },
                });
                Event::Made { channel: self.channels.len() - 1 }
            }
            RawKind::Sent { channel, side, message, number, .. } => {
                let (channel, message) = self.message(*channel, message);
                let number = self.numbers.get(number).copied().unwrap_or_default();
                Event::Sent { channel, side: self.side(channel, *side), message, number }
            }
            RawKind::Received { channel, side, message, number } => {
                let (channel, message) = self.message(*channel, message);
                let number = number.and_then(|number| self.numbers.get(&number).copied());
                Event::Received { channel, side: self.side(channel, *side), message, number }
            }
            RawKind::Closed { channel, side } => {
                let channel = self.channel(*channel, || RecordedChannel::unknown(String::new()));
                if !self.closed.insert((channel, *side)) {
                    return None;
                }
                Event::Closed { channel, side: self.side(channel, *side) }
            }
            RawKind::FellAsleep { caller, ends, other } => Event::FellAsleep {
                location: caller,
                waits_for: ends.iter().map(|end| self.wait(end)).collect(),
                waits_for_other: *other,
            },
            RawKind::Woke => Event::Woke,
            RawKind::Noted(text) => Event::Noted(text.clone()),
        })
    }

    /// Returns the place of the channel at an address. One that was made before the recorder is described by
    /// the function.
    fn channel(&mut self, address: usize, describe: impl FnOnce() -> RecordedChannel) -> usize {
        *self.by_address.entry(address).or_insert_with(|| {
            self.channels.push(describe());
            self.channels.len() - 1
        })
    }

    fn message(&mut self, address: usize, message: &RawMessage) -> (usize, RecordedMessage) {
        match *message {
            RawMessage::Of(state, closure) => {
                let channel = self.channel(address, || RecordedChannel::session(state));
                let state = named(state);
                let name = state.map_or_else(String::new, |state| message_name(state, closure()));
                (channel, RecordedMessage { name, state })
            }
            RawMessage::Value(name) => {
                let name = without_paths(name());
                let channel = self.channel(address, || RecordedChannel::unknown(name.clone()));
                (channel, RecordedMessage { name, state: None })
            }
        }
    }

    fn side(&self, channel: usize, side: usize) -> &'static str {
        match (self.channels[channel].kind, side) {
            ("session", 0) => "client",
            ("session", _) => "server",
            (_, 0) => "sender",
            _ => "receiver",
        }
    }

    fn wait(&mut self, awaited: &AwaitedEnd) -> RecordedWait {
        let end = awaited.end;
        let state = end.state.and_then(named);
        let channel = (awaited.channel != 0).then(|| {
            self.channel(awaited.channel, || match end.state {
                Some(state) => RecordedChannel::session(state),
                None => RecordedChannel::unknown(without_paths((end.parameter)())),
            })
        });
        RecordedWait { awaited: end.awaited, end: type_of(end), state, channel }
    }
}

/// Returns the state, unless it is one of a protocol without a description.
fn named(state: &'static StateInfo) -> Option<&'static StateInfo> {
    Some(state).filter(|state| !state.protocol.is_empty())
}

/// Returns the name of the message that a method sends, from the name of the type of the closure in that
/// method: `bank::<impl bank::Client<bank::Login>>::login::{{closure}}`. How the compiler names closures is
/// not promised. If no message is found, it may be any of the state.
fn message_name(state: &StateInfo, closure: &str) -> String {
    let method = closure.rsplit("::").find(|part| !part.starts_with('{')).unwrap_or_default();
    let is_alike = |message: &&MessageInfo| letters(message.name).eq(letters(method));
    match state.messages {
        [only] => only.name.to_owned(),
        messages => match messages.iter().find(|it| it.name == method).or(messages.iter().find(is_alike)) {
            Some(message) => message.name.to_owned(),
            None => messages.iter().map(|it| it.name).collect::<Vec<_>>().join(" or "),
        },
    }
}

/// Returns what a message and its method have in common: `GetCount` and `get_count`, `Move` and `r#move`.
fn letters(name: &str) -> impl Iterator<Item = char> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase)
}

impl RecordedChannel {
    fn session(state: &StateInfo) -> Self {
        RecordedChannel { kind: "session", of: state.protocol.to_owned() }
    }

    /// Describes a channel that was made before the recorder.
    fn unknown(of: String) -> Self {
        RecordedChannel { kind: "channel", of }
    }
}

impl fmt::Display for RecordedChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, &*self.of) {
            (kind, "") => f.write_str(kind),
            ("session", protocol) => f.write_str(protocol),
            (kind, of) => write!(f, "{kind} of {of}"),
        }
    }
}

impl fmt::Display for RecordedWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.awaited, self.state) {
            (Awaited::Message, Some(state)) => {
                let names: Vec<_> = state.messages.iter().map(|it| it.name).collect();
                f.write_str(&names.join(" or "))
            }
            (Awaited::Message, None) => write!(f, "a message at {}", self.end),
            (Awaited::Room, _) => write!(f, "room in {}", self.end),
            (Awaited::Close, _) => write!(f, "the close of {}", self.end),
        }
    }
}
