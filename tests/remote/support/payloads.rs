//! Payloads that count themselves, and payloads that fail.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};
use std::cell::Cell;
use std::panic::panic_any;

thread_local! {
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { alive: 0, decoded: 0, most: 0 }) };
}

/// The payloads of this thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that are there.
    pub alive: usize,
    /// All that were made from bytes.
    pub decoded: usize,
    /// The most that were there at a time.
    pub most: usize,
}

impl Counts {
    /// Those of this thread so far.
    pub fn now() -> Self {
        COUNTS.get()
    }
}

fn count(change: impl FnOnce(&mut Counts)) {
    let mut counts = COUNTS.get();
    change(&mut counts);
    counts.most = counts.most.max(counts.alive);
    COUNTS.set(counts);
}

/// A payload that is counted when it is made, decoded and dropped.
#[derive(Debug)]
pub struct Counted(pub u64);

impl Counted {
    /// One more.
    pub fn new(number: u64) -> Self {
        count(|counts| counts.alive += 1);
        Counted(number)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        count(|counts| counts.alive -= 1);
    }
}

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'a> Deserialize<'a> for Counted {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        count(|counts| counts.decoded += 1);
        Ok(Counted::new(number))
    }
}

/// A payload that does what its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// Nothing.
    Harmless(u64),
    /// `serialize` panics, after it has written something.
    PanicsInSerialize,
    /// `serialize` is an error, after it has written something.
    FailsInSerialize,
    /// `deserialize` panics.
    PanicsInDeserialize,
    /// `deserialize` is an error.
    FailsInDeserialize,
}

const PANICS: u64 = u64::MAX;
const FAILS: u64 = u64::MAX - 1;

impl Serialize for Trap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeTuple;
        let mut tuple = serializer.serialize_tuple(2)?;
        let number = match self {
            Trap::Harmless(number) => *number,
            Trap::PanicsInDeserialize => PANICS,
            Trap::FailsInDeserialize => FAILS,
            Trap::PanicsInSerialize | Trap::FailsInSerialize => 0,
        };
        tuple.serialize_element(&number)?;
        match self {
            Trap::PanicsInSerialize => panic_any("the payload cannot be written"),
            Trap::FailsInSerialize => return Err(S::Error::custom("the payload does not want to")),
            _ => tuple.serialize_element(&number)?,
        }
        tuple.end()
    }
}

impl<'a> Deserialize<'a> for Trap {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        match <(u64, u64)>::deserialize(deserializer)? {
            (PANICS, _) => panic_any("the payload cannot be read"),
            (FAILS, _) => Err(D::Error::custom("the payload does not want to")),
            (number, _) => Ok(Trap::Harmless(number)),
        }
    }
}

/// A payload whose destructor panics, where it was made.
#[derive(Debug)]
pub struct Bomb {
    /// It does.
    pub explodes: bool,
}

impl Drop for Bomb {
    fn drop(&mut self) {
        if std::mem::take(&mut self.explodes) {
            panic_any("the payload does not want to go");
        }
    }
}

impl Serialize for Bomb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.explodes.serialize(serializer)
    }
}

impl<'a> Deserialize<'a> for Bomb {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        bool::deserialize(deserializer)?;
        Ok(Bomb { explodes: false })
    }
}
