//! What the attacks have come to.

use crate::places::Place;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// A kind of attack, where, and its ends.
type Ends = BTreeMap<(&'static str, Place), BTreeMap<String, u64>>;

/// How often each kind of attack has ended in which way, and what went wrong.
#[derive(Debug, Default)]
pub struct Ledger {
    ends: Mutex<Ends>,
    wrong: Mutex<Vec<String>>,
}

impl Ledger {
    pub fn note(&self, kind: &'static str, place: Place, end: impl Into<String>) {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        *ends.entry((kind, place)).or_default().entry(end.into()).or_default() += 1;
    }

    /// An attack has done what it must not.
    pub fn wrong(&self, what: String) {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    pub fn all_wrong(&self) -> Vec<String> {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often there was such an attack.
    pub fn count(&self, kind: &str, place: Place) -> u64 {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.iter().filter(|((it, at), _)| *it == kind && *at == place).flat_map(|(_, it)| it.values()).sum()
    }

    /// How often there was such an attack, anywhere.
    pub fn all(&self, kind: &str) -> u64 {
        Place::ALL.into_iter().map(|place| self.count(kind, place)).sum()
    }

    /// How often an attack of this kind has ended like this, anywhere.
    pub fn ended(&self, kind: &str, end: &str) -> u64 {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.iter().filter(|((it, _), _)| *it == kind).filter_map(|(_, it)| it.get(end)).sum()
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        for ((kind, place), ends) in &*ends {
            writeln!(f, "{:>8} {kind}, {place:?}: {ends:?}", ends.values().sum::<u64>())?;
        }
        Ok(())
    }
}
