//! Arguments that grow in each round of a cycle.
//!
//! A step may pass a state other arguments than those of the state before. If a cycle of steps makes a
//! parameter larger in each round, as `-> open<Vec<T>>` does in `open`, a program would need infinitely many
//! types.
//!
//! The parameters are the nodes of a graph. It has an edge from each parameter to each one whose argument
//! mentions it. The number of types is finite exactly if no cycle of this graph has an edge that wraps its
//! parameter in something (Viroli 2000, Kennedy and Pierce 2007).
//!
//! # Assumes
//!
//! Each step has one argument for each parameter of its state.
//!
//! # Establishes
//!
//! From any state, finitely many instances of states can be reached.
//!
//! # Errors
//!
//! `GrowingArgument`

use crate::diag::{Problem, Problems};
use crate::model::{Mentions, Parameter, Protocol, StateId};
use std::collections::HashSet;
use syn::GenericArgument;

/// A state's parameter, by its index.
type Node = (StateId, usize);

/// An argument for the parameter `to` that mentions the parameter `from`.
struct Edge<'a> {
    from: Node,
    to: Node,
    argument: &'a GenericArgument,
    grows: bool,
}

/// Reports arguments that grow. Returns `true` if there are none.
pub(super) fn check(protocol: &Protocol, problems: &mut Problems) -> bool {
    let edges = edges(protocol);
    let mut finite = true;
    let mut reported = HashSet::new();
    for edge in edges.iter().filter(|edge| edge.grows && leads_to(&edges, edge.to, edge.from)) {
        finite = false;
        let (state, index) = edge.to;
        if reported.insert((edge.to, std::ptr::from_ref(edge.argument))) {
            let state = &protocol.states[state];
            let parameter = state.parameters[index].name();
            let problem = Problem::GrowingArgument { state: state.name.to_string(), parameter };
            problems.report(edge.argument, problem);
        }
    }
    finite
}

fn edges(protocol: &Protocol) -> Vec<Edge<'_>> {
    let mut edges = Vec::new();
    for (from, message) in protocol.messages() {
        let Some(step) = &message.step else { continue };
        for (index, argument) in step.arguments.iter().enumerate() {
            let mentions = Mentions::of_arguments([argument]);
            let sources = protocol.states[from].parameters.iter().enumerate();
            let sources = sources.filter(|(_, parameter)| mentions.has(&parameter.name()));
            edges.extend(sources.map(|(source, parameter): (usize, &Parameter)| Edge {
                from: (from, source),
                to: (step.to, index),
                argument,
                grows: !parameter.is(argument),
            }));
        }
    }
    edges
}

/// Returns `true` if there is a path along the edges.
fn leads_to(edges: &[Edge<'_>], from: Node, to: Node) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        if node == to {
            return true;
        }
        if seen.insert(node) {
            waiting.extend(edges.iter().filter(|edge| edge.from == node).map(|edge| edge.to));
        }
    }
    false
}
