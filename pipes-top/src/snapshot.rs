//! What a process says of its threads, as it is read from JSON.
//!
//! This knows the format, and nothing of the library that writes it. So it reads the snapshots of programs
//! with other versions of the library. Fields that it does not know are ignored.

use serde::{Deserialize, Deserializer};
use std::fmt;
use std::time::Duration;

/// The version of the format that is read.
const VERSION: u32 = 1;

/// The threads of a process that sleep.
#[derive(Clone, Debug, Deserialize)]
pub struct Snapshot {
    pub threads: Vec<Thread>,
}

/// A thread that sleeps.
#[derive(Clone, Debug, Deserialize)]
pub struct Thread {
    pub id: Text,
    pub name: Option<Text>,
    pub location: Text,
    #[serde(rename = "asleep_us", deserialize_with = "microseconds")]
    pub asleep: Duration,
    #[serde(rename = "time_left_us", deserialize_with = "maybe_microseconds")]
    pub time_left: Option<Duration>,
    pub waits_for: Vec<Wait>,
    pub waits_for_other: bool,
    /// It was woken, and has not gone on yet. The first version did not say it.
    #[serde(default)]
    pub is_woken: bool,
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
    /// Places in [`Snapshot::threads`].
    pub other_side: Vec<usize>,
    /// Empty if the program does not record them.
    #[serde(default)]
    pub last_users: Vec<Text>,
}

/// Text of another process. It has no control characters, which would command the terminal.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
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

impl Thread {
    /// Returns the name of the thread, or its number.
    pub fn title(&self) -> String {
        self.name.as_ref().unwrap_or(&self.id).to_string()
    }

    /// Says in one line what the thread waits for.
    pub fn summary(&self) -> String {
        match &*self.waits_for {
            [] if self.waits_for_other => "a future".to_owned(),
            [] => "nothing: it has no channel to wait for".to_owned(),
            [only] if !self.waits_for_other => only.to_string(),
            [first] => format!("{first}, or something else"),
            [first, more @ ..] => {
                format!("{first}, or {} more", more.len() + usize::from(self.waits_for_other))
            }
        }
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

    const THREAD: &str = r#"{"id":"ThreadId(2)","name":null,"location":"src/main.rs:1:2","asleep_us":1500000,
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
        let json = format!(r#"{{"version":1,"process":{{"id":3}},"threads":[{THREAD}]}}"#);
        let threads = Snapshot::read(&json).expect("it is a snapshot").threads;
        assert_eq!(threads[0].title(), "ThreadId(2)");
        assert_eq!(threads[0].asleep, Duration::from_millis(1500));
        assert_eq!(threads[0].summary(), "a future");
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_a_sentence() {
        let error = |json: &str| Snapshot::read(json).expect_err("it is not understood");
        assert_eq!(
            error(r#"{"version":2,"threads":"other"}"#),
            "its snapshot has version 2, and this `pipes-top` reads version 1"
        );
        for json in
            ["", "hello", "[]", r#"{"threads":[]}"#, r#"{"version":1}"#, r#"{"version":1,"threads":[{}]}"#]
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
