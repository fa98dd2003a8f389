//! The list of faults.

use crate::Result;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// One fault, as `faults.toml` describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Says the damage.
    pub name: String,
    /// The file, from the root.
    pub file: String,
    /// Texts that come before the place, each after the one before.
    pub after: Vec<String>,
    /// What is replaced; a body has none.
    #[serde(default)]
    pub old: String,
    /// What takes its place.
    pub new: String,
    pub splice: Splice,
}

/// What kind of text a fault replaces.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Splice {
    /// An expression.
    Expression,
    /// One or more statements, without a `let` that is needed later.
    Statement,
    /// The function returns the new value at once.
    Body,
}

#[derive(Deserialize)]
struct List {
    fault: Vec<Fault>,
}

/// Reads the list.
pub fn read(path: &Path) -> Result<Vec<Fault>> {
    let text = fs::read_to_string(path)?;
    let list: List = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut names = BTreeSet::new();
    for fault in &list.fault {
        let is_kebab = fault.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        if !is_kebab || !names.insert(&fault.name) {
            return Err(format!("`{}` is not a name in kebab-case, or there are two", fault.name).into());
        }
    }
    Ok(list.fault)
}

impl Fault {
    /// Where the fault is in the file, and what is written there.
    pub fn place(&self, text: &str, number: usize) -> Result<(Range<usize>, String)> {
        let mut at = 0;
        for anchor in &self.after {
            at += text[at..].find(anchor).ok_or_else(|| self.absent(anchor))? + anchor.len();
        }
        let sought = if matches!(self.splice, Splice::Body) { "{\n" } else { self.old.as_str() };
        at += text[at..].find(sought).ok_or_else(|| self.absent(sought))?;
        let (test, old, new) = (format!("crate::planted_fault::is({number})"), &self.old, &self.new);
        Ok(match self.splice {
            Splice::Expression => (at..at + old.len(), format!("(if {test} {{ {new} }} else {{ {old} }})")),
            Splice::Statement => (at..at + old.len(), format!("if {test} {{ {new} }} else {{ {old} }}")),
            Splice::Body => (at + 1..at + 1, format!(" if {test} {{ return {new}; }}")),
        })
    }

    fn absent(&self, text: &str) -> String {
        format!("{}: {} does not have `{text}` where it is expected", self.name, self.file)
    }

    /// A hash of all that the fault is (FNV-1a).
    pub fn hash(&self) -> String {
        let kind = [self.splice as u8];
        let parts = self.after.iter().chain([&self.file, &self.old, &self.new]);
        let bytes = parts.flat_map(|part| part.bytes().chain([0])).chain(kind);
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }
}
