//! What was seen as JSON.

use super::deadlock::{Deadlock, Verdict};
use super::snapshot::{Channel, ChannelSide, HeldBy, Sleeper, Snapshot, Wait};
use crate::state_info::StateInfo;
use crate::wait::{Awaited, ThreadOrTask};
use std::fmt::Write;
use std::time::Duration;

/// The version of the format. A field that is added does not change it; one that changes its meaning does.
const VERSION: u32 = 1;

impl Snapshot {
    /// Returns the snapshot as JSON, in one line, for other programs.
    ///
    /// The object has `version`, which is 1, `sleepers`, in the order of [`Snapshot::sleepers`], `deadlocks`
    /// and `channels`. Each sleeper has these fields:
    ///
    /// | field | what |
    /// |---|---|
    /// | `kind` | `"thread"` or `"task"` |
    /// | `id` | what names it, such as `ThreadId(5)` or `task 3`; no other sleeper has the same |
    /// | `name` | its name, or `null` |
    /// | `location` | file, line and column of the call |
    /// | `asleep_us`, `time_left_us` | how long it has slept, and will sleep at most (or `null`), in microseconds |
    /// | `waits_for` | a list, see below |
    /// | `waits_for_other` | `true` if something else would wake it as well, which `other` names; otherwise that is `null` |
    /// | `is_woken` | `true` if it was woken and has not gone on yet |
    ///
    /// Each entry of `waits_for` has these:
    ///
    /// | field | what |
    /// |---|---|
    /// | `awaited` | `"message"`, `"room"` or `"close"` |
    /// | `end` | the type of the end |
    /// | `channel` | a number that is the same for all ends of a channel |
    /// | `protocol`, `state`, `sender` | of a session: its protocol, its state, and whose turn it is; otherwise `null` |
    /// | `messages` | the names of the messages that would wake the thread |
    /// | `other_side` | the threads that sleep at another end, by their places in `sleepers` |
    /// | `last_users` | the `id` of each that has used the other side last, with the feature `inspect` |
    /// | `held` | what holds the end at the other side, or `null`: `by` is `"listener"`, with its `channel`, or `"link"`, with the name `link` of a session with another process |
    /// | `future`, `woken_us` | of a future: the line that made it, and how long ago it was woken if it was not polled since; otherwise `null` |
    ///
    /// Each entry of `deadlocks` has these:
    ///
    /// | field | what |
    /// |---|---|
    /// | `verdict` | `"certain"` or `"suspected"` |
    /// | `sleepers` | the threads that wait for each other, by their places in `sleepers` |
    /// | `report` | what is printed of the [`Deadlock`], of several lines |
    ///
    /// Each entry of `channels`, which only the feature `inspect` fills, has `channel`, `end`, and `sides`: a
    /// list of two, each with `last_users`, `held` (what holds its end, as in `waits_for`), `unread`, and
    /// `oldest_us`, which is `null` without an unread message.
    ///
    /// A later version of this crate may add fields. If the meaning of a field changes, so does `version`.
    ///
    /// ```
    /// let json = pipes::inspect::snapshot().to_json();
    /// assert!(json.starts_with(r#"{"version":1,"sleepers":["#));
    /// ```
    pub fn to_json(&self) -> String {
        let (sleepers, deadlocks) = (list(&self.sleepers, sleeper), list(&self.deadlocks, deadlock));
        let channels = list(&self.channels, channel);
        format!(
            r#"{{"version":{VERSION},"sleepers":{sleepers},"deadlocks":{deadlocks},"channels":{channels}}}"#
        )
    }
}

fn deadlock(deadlock: &Deadlock) -> String {
    let verdict = match deadlock.verdict {
        Verdict::Certain => "certain",
        Verdict::Suspected => "suspected",
        Verdict::Standing => "standing",
    };
    let (sleepers, report) = (list(&deadlock.places, usize::to_string), string(&deadlock.to_string()));
    format!(r#"{{"verdict":"{verdict}","sleepers":{sleepers},"report":{report}}}"#)
}

fn channel(channel: &Channel) -> String {
    let (id, end, sides) = (channel.id.number(), string(&channel.end), list(&channel.sides, side));
    format!(r#"{{"channel":{id},"end":{end},"sides":{sides}}}"#)
}

fn side(side: &ChannelSide) -> String {
    let (users, held) = (list(&side.last_users, number), held(side.held_by.as_ref()));
    let (unread, oldest) = (side.unread, microseconds(side.oldest));
    format!(r#"{{"last_users":{users},"held":{held},"unread":{unread},"oldest_us":{oldest}}}"#)
}

fn sleeper(sleeper: &Sleeper) -> String {
    let kind = match sleeper.id {
        ThreadOrTask::Thread(_) => "thread",
        ThreadOrTask::Task(_) => "task",
    };
    let id = number(&sleeper.id);
    let name = sleeper.name.as_deref().map_or("null".to_owned(), string);
    let location = string(&sleeper.location.to_string());
    let (asleep, time_left) = (microseconds(Some(sleeper.asleep)), microseconds(sleeper.time_left));
    let waits_for = list(&sleeper.waits_for, wait);
    let (has_other, woken) = (sleeper.waits_for_other.is_some(), sleeper.is_woken);
    let other = sleeper.waits_for_other.map_or("null".to_owned(), string);
    format!(r#"{{"kind":"{kind}","id":{id},"name":{name},"location":{location},"asleep_us":{asleep},"#)
        + &format!(r#""time_left_us":{time_left},"waits_for":{waits_for},"waits_for_other":{has_other},"#)
        + &format!(r#""other":{other},"is_woken":{woken}}}"#)
}

fn wait(wait: &Wait) -> String {
    let awaited = match wait.awaited {
        Awaited::Message => "message",
        Awaited::Room => "room",
        Awaited::Close => "close",
    };
    let of_state = |text: fn(&StateInfo) -> &'static str| {
        wait.state.map_or("null".to_owned(), |state| string(text(state)))
    };
    let (protocol, state) = (of_state(|it| it.protocol), of_state(|it| it.name));
    let (end, channel, sender) = (string(&wait.end), wait.channel.number(), of_state(|it| it.sender));
    let messages = list(wait.messages(), |message| string(message.name));
    let other_side = list(&wait.other_side, usize::to_string);
    let last_users = list(&wait.last_users, number);
    let held = held(wait.held_by.as_ref());
    let future = wait.future.map_or("null".to_owned(), |at| string(&at.to_string()));
    let woken = microseconds(wait.woken);
    format!(r#"{{"awaited":"{awaited}","end":{end},"channel":{channel},"protocol":{protocol},"#)
        + &format!(r#""state":{state},"sender":{sender},"messages":{messages},"#)
        + &format!(r#""other_side":{other_side},"last_users":{last_users},"held":{held},"#)
        + &format!(r#""future":{future},"woken_us":{woken}}}"#)
}

fn held(held_by: Option<&HeldBy>) -> String {
    match held_by {
        None => "null".to_owned(),
        Some(HeldBy::Listener(channel)) => format!(r#"{{"by":"listener","channel":{}}}"#, channel.number()),
        Some(HeldBy::Link(name)) => format!(r#"{{"by":"link","link":{}}}"#, string(name)),
    }
}

fn number(id: &ThreadOrTask) -> String {
    string(&id.to_string())
}

fn microseconds(duration: Option<Duration>) -> String {
    duration.map_or("null".to_owned(), |duration| duration.as_micros().to_string())
}

fn list<T>(items: &[T], item: impl Fn(&T) -> String) -> String {
    let items: Vec<_> = items.iter().map(item).collect();
    format!("[{}]", items.join(","))
}

/// Returns the text as a string of JSON.
fn string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for letter in text.chars() {
        match letter {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            control if control < ' ' => {
                let _never = write!(json, "\\u{:04x}", u32::from(control));
            }
            letter => json.push(letter),
        }
    }
    json.push('"');
    json
}
