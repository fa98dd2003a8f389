//! The choice of contenders by name and by capability.

use super::AnyProgram;
use crate::failure::Failure;

/// A contender that takes part: its name, and its place among the candidates.
pub type Lane = (&'static str, usize);

/// A contender that does not take part, and why.
pub type LeftOut = (&'static str, String);

/// The requested contenders, divided into those that run and those that cannot; `all` stands for every rival.
pub fn choose(program: &dyn AnyProgram, names: &[String]) -> Result<(Vec<Lane>, Vec<LeftOut>), Failure> {
    let candidates = program.candidates();
    let is_unknown = |name: &&String| *name != "all" && candidates.iter().all(|known| known.name != **name);
    if let Some(unknown) = names.iter().find(is_unknown) {
        let shown = candidates.iter().filter(|candidate| !candidate.hidden);
        let shown: Vec<_> = shown.map(|candidate| candidate.name).collect();
        let (name, shown) = (program.name(), shown.join(", "));
        return Err(Failure::Arguments(format!("{name} has no contender `{unknown}`; there are {shown}")));
    }
    let (mut lanes, mut left_out) = (Vec::new(), Vec::new());
    for (place, candidate) in candidates.iter().enumerate() {
        if names.iter().any(|name| name == candidate.name || (name == "all" && !candidate.hidden)) {
            match program.unable(place) {
                None => lanes.push((candidate.name, place)),
                Some(reason) => left_out.push((candidate.name, reason)),
            }
        }
    }
    if lanes.is_empty() {
        let reasons: Vec<_> = left_out.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
        return Err(Failure::Arguments(format!(
            "none of the contenders asked for can run {} with these options ({})",
            program.name(),
            reasons.join("; ")
        )));
    }
    Ok((lanes, left_out))
}
