//! How many messages can be on their way at once.
//!
//! A protocol is bounded if every cycle of its states has states of both directions. Then neither side can
//! send forever without receiving from the other. Otherwise a cycle of one direction shows why the protocol
//! is unbounded. All states count, even those that cannot be reached.
//!
//! # Assumes
//!
//! Resolved names.
//!
//! # Establishes
//!
//! That the assertion of `#[bounded]` holds.
//!
//! # Errors
//!
//! `NotBounded`, `BoundExceeded`

use crate::diag::{Problem, Problems};
use crate::model::{Protocol, StateId};

/// How many messages of a protocol can be on their way at once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// At most `messages` are on their way at once; `slots` are enough for a session.
    Messages { messages: usize, slots: usize },
    /// Any number, because one side can go round this cycle.
    Unbounded { cycle: Vec<StateId> },
}

pub(super) fn check(protocol: &Protocol, problems: &mut Problems) -> Bound {
    let graph = protocol.graph();
    let names = |way: &[StateId]| way.iter().map(|state| protocol.states[*state].name.to_string()).collect();
    let sender = |way: &[StateId]| protocol.states[way.first().copied().unwrap_or(0)].sender.word();
    let (name, asserted) = (protocol.name.to_string(), protocol.attributes.bounded.as_ref());
    match graph.longest_run() {
        Some(run) => {
            let limit = asserted.and_then(|asserted| asserted.limit);
            if let Some((asserted, limit)) = asserted.zip(limit.filter(|limit| run.len() > *limit)) {
                let (run, sender) = (names(&run), sender(&run));
                problems
                    .report_at(asserted.span, Problem::BoundExceeded { protocol: name, limit, run, sender });
            }
            // One more than the longest run: the side that answers the run sends at a slot that the run has
            // not used.
            let slots = (run.len() + 1).min(graph.longest_session().unwrap_or(usize::MAX));
            Bound::Messages { messages: run.len(), slots }
        }
        None => {
            let cycle = graph.one_sided_cycle().unwrap_or_default();
            if let Some(asserted) = asserted {
                let (cycle, sender) = (names(&cycle), sender(&cycle));
                problems.report_at(asserted.span, Problem::NotBounded { protocol: name, cycle, sender });
            }
            Bound::Unbounded { cycle }
        }
    }
}
