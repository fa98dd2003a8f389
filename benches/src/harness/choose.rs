//! The choice of contenders by name and by capability.

use super::{Contender, Program, Run};
use crate::failure::Failure;

/// A contender that takes part, and how it runs.
pub type Lane<P> = (&'static Contender<P>, Run<P>);

/// A contender that does not take part, and why.
pub type LeftOut = (&'static str, String);

/// The requested contenders, divided into those that run and those that cannot; `all` stands for every rival.
pub fn choose<P: Program>(program: &P, names: &[String]) -> Result<(Vec<Lane<P>>, Vec<LeftOut>), Failure> {
    let asked = |contender: &Contender<P>| {
        names.iter().any(|name| name == contender.name || (name == "all" && !contender.hidden))
    };
    if let Some(unknown) =
        names.iter().find(|name| *name != "all" && P::contenders().all(|known| known.name != **name))
    {
        return Err(Failure::Arguments(format!(
            "{} has no contender `{unknown}`; there are {}",
            P::NAME,
            listed::<P>().join(", ")
        )));
    }
    let (mut lanes, mut left_out) = (Vec::new(), Vec::new());
    for contender in P::contenders().filter(|contender| asked(contender)) {
        match contender.run_for(program) {
            Ok(run) => lanes.push((contender, run)),
            Err(reason) => left_out.push((contender.name, reason)),
        }
    }
    if lanes.is_empty() {
        let reasons: Vec<_> = left_out.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
        return Err(Failure::Arguments(format!(
            "none of the contenders asked for can run {} with these options ({})",
            P::NAME,
            reasons.join("; ")
        )));
    }
    Ok((lanes, left_out))
}

/// The names shown to users.
fn listed<P: Program>() -> Vec<&'static str> {
    P::contenders().filter(|contender| !contender.hidden).map(|contender| contender.name).collect()
}
