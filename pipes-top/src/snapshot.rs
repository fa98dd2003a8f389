//! What a process says of its threads and tasks, as it is read from JSON.
//!
//! This knows the format, and nothing of the library that writes it. So it reads the snapshots of programs
//! with other versions of the library. Fields that it does not know are ignored.

use serde::{Deserialize, Deserializer};
use std::fmt;
use std::time::{Duration, Instant};

/// The version of the format that is read.
const VERSION: u32 = 1;

/// The threads and tasks of a process that sleep.
#[derive(Clone, Debug, Deserialize)]
pub struct Snapshot {
    pub sleepers: Vec<Sleeper>,
    #[serde(default)]
    pub deadlocks: Vec<Deadlock>,
    /// Empty if the program does not record them.
    #[serde(default)]
    pub channels: Vec<Channel>,
    /// When it was read.
    #[serde(skip, default = "Instant::now")]
    pub read: Instant,
}

/// A thread or a task that sleeps.
#[derive(Clone, Debug, Deserialize)]
pub struct Sleeper {
    #[serde(default)]
    pub kind: Kind,
    pub id: Text,
    pub name: Option<Text>,
    pub location: Text,
    #[serde(rename = "asleep_us", deserialize_with = "microseconds")]
    pub asleep: Duration,
    #[serde(rename = "time_left_us", deserialize_with = "maybe_microseconds")]
    pub time_left: Option<Duration>,
    pub waits_for: Vec<Wait>,
    pub waits_for_other: bool,
    /// What else it waits for. The first version did not say it.
    pub other: Option<Text>,
    /// It was woken, and has not gone on yet. The first version did not say it.
    #[serde(default)]
    pub is_woken: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Task,
    #[default]
    #[serde(other)]
    Thread,
}

/// Threads that wait for each other, as their process says it.
#[derive(Clone, Debug, Deserialize)]
pub struct Deadlock {
    pub verdict: Verdict,
    /// Places in [`Snapshot::sleepers`].
    pub sleepers: Vec<usize>,
    #[serde(deserialize_with = "lines")]
    pub report: String,
}

/// How sure a deadlock is. One that is not known here is suspected.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Certain,
    Standing,
    #[serde(other)]
    Suspected,
}

/// A channel or a session.
#[derive(Clone, Debug, Deserialize)]
pub struct Channel {
    pub channel: u64,
    pub sides: [Side; 2],
}

/// One side of a channel.
#[derive(Clone, Debug, Deserialize)]
pub struct Side {
    /// The numbers of the threads and tasks that have used it last. Empty if they are not known.
    pub last_users: Vec<Text>,
    /// Where its end lies, if no thread or task has it.
    pub held: Option<Held>,
}

/// Something for which a thread waits.
#[derive(Clone, Debug, Deserialize)]
pub struct Wait {
    pub awaited: Text,
    pub end: Text,
    pub channel: u64,
    pub protocol: Option<Text>,
    pub state: Option<Text>,
    pub sender: Option<Text>,
    pub messages: Vec<Text>,
    /// Places in [`Snapshot::sleepers`].
    pub other_side: Vec<usize>,
    /// Empty if the program does not record them.
    #[serde(default)]
    pub last_users: Vec<Text>,
    /// Where the end at the other side lies, if no thread or task has it.
    pub held: Option<Held>,
    /// The line that made the future that waits.
    pub future: Option<Text>,
}

/// What holds an end.
#[derive(Clone, Debug, Deserialize)]
pub struct Held {
    /// `listener`, `message`, `set` or `link`.
    pub by: Text,
    /// The channel of the listener, or that in which the message is.
    pub channel: Option<u64>,
    /// The name of the connection with another process, which is the same there.
    pub link: Option<Text>,
}

/// Text of another process. It has no control characters, which would command the terminal.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(from = "String")]
pub struct Text(String);

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text(without_controls(&text))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returns the text with its control characters as they are written in a program.
pub fn without_controls(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            clean.extend(letter.escape_default());
        } else {
            clean.push(letter);
        }
    }
    clean
}

impl Snapshot {
    /// Reads a snapshot from JSON.
    ///
    /// # Errors
    ///
    /// The text is no snapshot, or one of another version. The error is a sentence without its end.
    pub fn read(json: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let not = |error: serde_json::Error| format!("the answer is not a snapshot: {error}");
        let Version { version } = serde_json::from_str(json).map_err(not)?;
        if version != VERSION {
            return Err(format!(
                "its snapshot has version {version}, and this `pipes-top` reads version {VERSION}"
            ));
        }
        serde_json::from_str(json).map_err(not)
    }
}

impl Sleeper {
    /// Returns the name, or the number.
    pub fn title(&self) -> String {
        self.name.as_ref().map_or_else(|| self.number(), Text::to_string)
    }

    /// Returns the name in quotes, or the number.
    pub fn quoted(&self) -> String {
        self.name.as_ref().map_or_else(|| self.number(), |name| format!("'{name}'"))
    }

    /// Returns "thread" or "task", and the name or the number.
    pub fn described(&self) -> String {
        match (&self.name, self.kind) {
            (None, Kind::Task) => self.number(),
            _ => format!("{} {}", self.kind.noun(), self.quoted()),
        }
    }

    /// Returns the number: `ThreadId(3)` or `task 3`.
    pub fn number(&self) -> String {
        let id = &*self.id.0;
        match self.kind {
            Kind::Task => format!("task {}", id.strip_prefix("task ").unwrap_or(id)),
            Kind::Thread => id.to_owned(),
        }
    }

    /// Says what it waits for beside ends of channels, if there is something.
    pub fn something_else(&self, unnamed: &str) -> Option<String> {
        let said = self.other.as_ref().map_or_else(|| unnamed.to_owned(), Text::to_string);
        self.waits_for_other.then_some(said)
    }

    /// Says in one line what the thread waits for.
    pub fn summary(&self) -> String {
        match &*self.waits_for {
            [] => self
                .something_else("a future")
                .unwrap_or_else(|| "nothing: it has no channel to wait for".into()),
            [first] => match self.something_else("something else") {
                Some(other) => format!("{first}, or {other}"),
                None => first.to_string(),
            },
            [first, more @ ..] => {
                format!("{first}, or {} more", more.len() + usize::from(self.waits_for_other))
            }
        }
    }
}

impl Kind {
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Task => "task",
            Kind::Thread => "thread",
        }
    }
}

impl Held {
    /// Returns the channel of the listener that has not accepted the end, if it is one.
    pub fn listener(&self) -> Option<u64> {
        self.channel.filter(|_| self.by.0 == "listener")
    }
}

impl Wait {
    /// Returns the name of the connection that holds the other side, if one does.
    pub fn link(&self) -> Option<&Text> {
        self.held.as_ref()?.link.as_ref()
    }

    /// Returns `true` if it waits for the other side to leave.
    pub fn is_for_close(&self) -> bool {
        self.awaited.0 == "close"
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = &self.end;
        match (&*self.awaited.0, &self.sender) {
            ("message", Some(sender)) => {
                let names: Vec<_> = self.messages.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "a message at {end}: the {sender} sends {}", or(&names))
            }
            ("room", _) => write!(f, "room in {end}"),
            ("close", _) => write!(f, "the other side of {end} to leave"),
            (awaited, _) => write!(f, "a {awaited} at {end}"),
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

/// Reads text of several lines.
fn lines<'de, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
    let text = String::deserialize(json)?;
    Ok(text.lines().map(|line| without_controls(line) + "\n").collect())
}

/// Reads a duration. One that is too long to be a [`Duration`] is the longest.
fn microseconds<'de, D: Deserializer<'de>>(json: D) -> Result<Duration, D::Error> {
    f64::deserialize(json).map(duration)
}

fn maybe_microseconds<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Duration>, D::Error> {
    Option::deserialize(json).map(|number| number.map(duration))
}

fn duration(microseconds: f64) -> Duration {
    Duration::try_from_secs_f64(microseconds / 1e6).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLEEPER: &str = r#"{"id":"ThreadId(2)","name":null,"location":"src/main.rs:1:2","asleep_us":1500000,
        "time_left_us":null,"waits_for":[],"waits_for_other":true,"from_the_future":[1,{}]}"#;

    fn wait(awaited: &str, sender: &str, messages: &str) -> String {
        let json = format!(
            r#"{{"awaited":"{awaited}","end":"Port<u8>","channel":7,"protocol":null,"state":null,
                "sender":{sender},"messages":{messages},"other_side":[0]}}"#
        );
        serde_json::from_str::<Wait>(&json).expect("it is a wait").to_string()
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let json = format!(r#"{{"version":1,"process":{{"id":3}},"sleepers":[{SLEEPER}]}}"#);
        let sleepers = Snapshot::read(&json).expect("it is a snapshot").sleepers;
        assert_eq!(sleepers[0].title(), "ThreadId(2)");
        assert_eq!(sleepers[0].kind, Kind::Thread);
        assert_eq!(sleepers[0].asleep, Duration::from_millis(1500));
        assert_eq!(sleepers[0].summary(), "a future");
    }

    #[test]
    fn tasks_have_names_or_numbers() {
        let titles = |json: &str| {
            let task: Sleeper = serde_json::from_str(json).expect("it is a sleeper");
            [task.title(), task.quoted(), task.described()]
        };
        let task = SLEEPER.replacen('{', r#"{"kind":"task","#, 1);
        for id in ["7", "task 7"] {
            assert_eq!(titles(&task.replace("ThreadId(2)", id)), ["task 7"; 3]);
        }
        let named = task.replace("\"name\":null", "\"name\":\"till\"");
        assert_eq!(titles(&named), ["till", "'till'", "task 'till'"]);
        assert_eq!(titles(SLEEPER), ["ThreadId(2)", "ThreadId(2)", "thread ThreadId(2)"]);
    }

    #[test]
    fn a_report_has_lines() {
        let read = |verdict: &str| {
            let json = format!(r#"{{"verdict":"{verdict}","sleepers":[0,1],"report":"a:\n  b\u001b;\n"}}"#);
            serde_json::from_str::<Deadlock>(&json).expect("it is a deadlock")
        };
        assert_eq!(read("certain").report, "a:\n  b\\u{1b};\n");
        let verdicts = ["certain", "suspected", "standing", "imagined"].map(|it| read(it).verdict);
        assert_eq!(verdicts, [Verdict::Certain, Verdict::Suspected, Verdict::Standing, Verdict::Suspected]);
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_a_sentence() {
        let error = |json: &str| Snapshot::read(json).expect_err("it is not understood");
        assert_eq!(
            error(r#"{"version":2,"sleepers":"other"}"#),
            "its snapshot has version 2, and this `pipes-top` reads version 1"
        );
        for json in
            ["", "hello", "[]", r#"{"sleepers":[]}"#, r#"{"version":1}"#, r#"{"version":1,"sleepers":[{}]}"#]
        {
            assert!(error(json).starts_with("the answer is not a snapshot: "), "{json}");
        }
    }

    #[test]
    fn waits_are_sentences() {
        assert_eq!(wait("message", "null", "[]"), "a message at Port<u8>");
        assert_eq!(
            wait("message", r#""server""#, r#"["a","b","c"]"#),
            "a message at Port<u8>: the server sends `a`, `b` or `c`"
        );
        assert_eq!(wait("room", "null", "[]"), "room in Port<u8>");
        assert_eq!(wait("close", "null", "[]"), "the other side of Port<u8> to leave");
        assert_eq!(wait("blessing", "null", "[]"), "a blessing at Port<u8>");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(Text::from("a\u{1b}[2J\nµ".to_owned()).to_string(), r"a\u{1b}[2J\nµ");
    }

    #[test]
    fn durations_have_no_limit() {
        assert_eq!(duration(0.0), Duration::ZERO);
        assert_eq!(duration(1e300), Duration::MAX);
        assert_eq!(duration(-1.0), Duration::MAX);
    }
}
