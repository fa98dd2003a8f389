//! What was seen as text: a table of at most 100 columns.

use super::snapshot::{HeldBy, Sleeper, Snapshot, Wait};
use crate::wait::{Awaited, ThreadOrTask};
use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

/// The width of the table.
const WIDTH: usize = 100;
/// The width of the column of the threads' names.
const NAME: usize = 24;
/// The number of ends that are printed of a thread that waits for many.
const MOST_ENDS: usize = 8;

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.sleepers {
            [] => f.write_str("no thread sleeps in a channel\n")?,
            _ => writeln!(f, "{:NAME$}  {:>8}  AT", "THREAD", "ASLEEP")?,
        }
        self.sleepers.iter().try_for_each(|thread| self.fmt_thread(thread, f))?;
        self.fmt_unread(f)
    }
}

impl Snapshot {
    fn fmt_thread(&self, thread: &Sleeper, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, asleep) = (cut(&thread.title(), NAME), duration(thread.asleep));
        let place = thread.location.to_string();
        let mut limit =
            thread.time_left.map_or(String::new(), |left| format!(", for {} more", duration(left)));
        if thread.is_woken {
            limit.push_str(", just woken");
        }
        let room = WIDTH - NAME - 12 - limit.chars().count();
        writeln!(f, "{name:NAME$}  {asleep:>8}  {}{limit}", cut_front(&place, room))?;
        for wait in thread.waits_for.iter().take(MOST_ENDS) {
            line(f, 4, &wait.to_string())?;
            if let Some(others) = self.others(wait) {
                line(f, 6, &others)?;
            }
            if let Some(woken) = wait.woken {
                line(f, 6, &format!("woken {} ago, and not polled since", duration(woken)))?;
            }
        }
        let more = thread.waits_for.len().saturating_sub(MOST_ENDS);
        if more > 0 {
            line(f, 4, &format!("… and {more} more"))?;
        }
        match (thread.waits_for.is_empty(), thread.waits_for_other) {
            (true, _) => line(f, 4, thread.unlisted()),
            (false, Some(other)) => line(f, 4, other),
            (false, None) => Ok(()),
        }
    }

    /// Prints the channels with messages that were not received, those first that wait longest.
    fn fmt_unread(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides =
            self.channels.iter().flat_map(|channel| channel.sides.iter().map(move |it| (channel, it)));
        let mut unread: Vec<_> =
            sides.filter_map(|(channel, it)| Some((it.oldest?, it.unread, channel))).collect();
        unread.sort_by_key(|(oldest, ..)| Reverse(*oldest));
        if !unread.is_empty() {
            writeln!(f, "{:NAME$}  {:>8}  IN", "UNREAD MESSAGES", "FOR")?;
        }
        for (oldest, count, channel) in unread.iter().take(MOST_ENDS) {
            let (oldest, end) = (duration(*oldest), cut(&channel.end, WIDTH - NAME - 12));
            writeln!(f, "{count:<NAME$}  {oldest:>8}  {end}")?;
        }
        match unread.len().saturating_sub(MOST_ENDS) {
            0 => Ok(()),
            more => line(f, 4, &format!("… and in {more} more")),
        }
    }

    /// Names the session with another process to which the other side belongs, or the threads that sleep
    /// there.
    fn others(&self, wait: &Wait) -> Option<String> {
        if let Some(HeldBy::Link(name)) = &wait.held_by {
            return Some(format!("the other end is in another process: {name}"));
        }
        let thread = &self.sleepers[*wait.other_side.first()?];
        let more = match wait.other_side.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let what = if matches!(thread.id, ThreadOrTask::Thread(_)) { "thread " } else { "" };
        Some(format!("the other side is {what}{}, which sleeps at {}{more}", thread.title(), thread.location))
    }
}

impl Sleeper {
    /// Returns the name in quotes, or the number.
    pub(super) fn title(&self) -> String {
        match (&self.name, self.id) {
            (Some(name), ThreadOrTask::Thread(_)) => format!("'{}'", name.escape_debug()),
            (Some(name), ThreadOrTask::Task(_)) => format!("task '{}'", name.escape_debug()),
            (None, id) => id.to_string(),
        }
    }

    /// Says what it waits for if that is at no end of a channel.
    pub(super) fn unlisted(&self) -> &'static str {
        self.waits_for_other.unwrap_or("nothing: it has no channel to wait for")
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = &self.end;
        match (self.awaited, self.state) {
            (Awaited::Message, Some(state)) => {
                let names: Vec<_> = state.messages.iter().map(|it| format!("`{}`", it.name)).collect();
                write!(f, "a message at {end}: the {} sends {}", state.sender, or(&names))
            }
            (Awaited::Message, None) => write!(f, "a message at {end}"),
            (Awaited::Room, _) => write!(f, "room in {end}"),
            (Awaited::Close, _) => write!(f, "the other side of {end} to leave"),
        }
    }
}

/// Joins words: "a", "a or b", "a, b or c".
fn or(words: &[String]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [word] => word.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Writes an indented line, cut to the width of the table.
fn line(f: &mut fmt::Formatter<'_>, indent: usize, text: &str) -> fmt::Result {
    writeln!(f, "{:indent$}{}", "", cut(text, WIDTH - indent))
}

/// Returns the text, or its begin and `…` if it is longer than `most` letters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Returns the text, or `…` and its end if it is longer than `most` letters.
fn cut_front(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    ['…'].into_iter().chain(text.chars().skip(count - most.saturating_sub(1))).collect()
}

/// Prints a duration with three digits and a unit.
fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        ..1e-3 => format!("{:.0} µs", seconds * 1e6),
        ..1.0 => format!("{:.0} ms", seconds * 1e3),
        ..100.0 => format!("{seconds:.1} s"),
        ..1e5 => format!("{seconds:.0} s"),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}
