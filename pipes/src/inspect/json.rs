//! What was seen as JSON.

use super::deadlock::{Deadlock, Verdict};
use super::snapshot::{Sleeper, Snapshot, Wait};
use crate::state_info::StateInfo;
use crate::wait::Awaited;
use std::fmt::Write;

/// The version of the format. A field that is added does not change it; one that changes its meaning does.
const VERSION: u32 = 1;

impl Snapshot {
    /// Returns the snapshot as JSON, in one line, for other programs.
    ///
    /// The object has `version`, which is 1, `sleepers`, in the order of [`Snapshot::sleepers`], and
    /// `deadlocks`. Each thread has these fields:
    ///
    /// | field | what |
    /// |---|---|
    /// | `id` | the thread's number, as text |
    /// | `name` | its name, or `null` |
    /// | `location` | file, line and column of the call |
    /// | `asleep_us`, `time_left_us` | how long it has slept, and will sleep at most (or `null`), in microseconds |
    /// | `waits_for` | a list, see below |
    /// | `waits_for_other` | `true` if something unknown would wake it as well |
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
    /// | `last_users` | the numbers of the threads that have used the other side last, with the feature `inspect` |
    ///
    /// Each entry of `deadlocks` has these:
    ///
    /// | field | what |
    /// |---|---|
    /// | `verdict` | `"certain"` or `"suspected"` |
    /// | `sleepers` | the threads that wait for each other, by their places in `sleepers` |
    /// | `report` | what is printed of the [`Deadlock`], of several lines |
    ///
    /// A later version of this crate may add fields. If the meaning of a field changes, so does `version`.
    ///
    /// ```
    /// let json = pipes::inspect::snapshot().to_json();
    /// assert!(json.starts_with(r#"{"version":1,"sleepers":["#));
    /// ```
    pub fn to_json(&self) -> String {
        let (threads, deadlocks) = (list(&self.sleepers, thread), list(&self.deadlocks, deadlock));
        format!(r#"{{"version":{VERSION},"sleepers":{threads},"deadlocks":{deadlocks}}}"#)
    }
}

fn deadlock(deadlock: &Deadlock) -> String {
    let verdict = match deadlock.verdict {
        Verdict::Certain => "certain",
        Verdict::Suspected => "suspected",
    };
    let (sleepers, report) = (list(&deadlock.places, usize::to_string), string(&deadlock.to_string()));
    format!(r#"{{"verdict":"{verdict}","sleepers":{sleepers},"report":{report}}}"#)
}

fn thread(thread: &Sleeper) -> String {
    let id = string(&format!("{:?}", thread.id));
    let name = thread.name.as_deref().map_or("null".to_owned(), string);
    let location = string(&thread.location.to_string());
    let asleep = thread.asleep.as_micros();
    let time_left = thread.time_left.map_or("null".to_owned(), |left| left.as_micros().to_string());
    let waits_for = list(&thread.waits_for, wait);
    let (other, woken) = (thread.waits_for_other, thread.is_woken);
    format!(
        r#"{{"id":{id},"name":{name},"location":{location},"asleep_us":{asleep},"time_left_us":{time_left},"#
    ) + &format!(r#""waits_for":{waits_for},"waits_for_other":{other},"is_woken":{woken}}}"#)
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
    let last_users = list(&wait.last_users, |id| string(&format!("{id:?}")));
    format!(r#"{{"awaited":"{awaited}","end":{end},"channel":{channel},"protocol":{protocol},"#)
        + &format!(r#""state":{state},"sender":{sender},"messages":{messages},"#)
        + &format!(r#""other_side":{other_side},"last_users":{last_users}}}"#)
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
