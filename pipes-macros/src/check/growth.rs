//! Arguments that grow.
//!
//! A step may pass a state other arguments than the ones it came with. If a cycle of steps makes a parameter larger each time
//! round, as `-> open<Vec<T>>` does in `open`, there is no end to the types that a program would need.
//!
//! Parameters that feed parameters make a graph; types stay finitely many exactly if no cycle in it has an edge that wraps
//! its parameter in something (Viroli 2000, Kennedy and Pierce 2007).
//!
//! # Assumes
//!
//! Steps have as many arguments as their states have parameters.
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

/// A state's parameter.
type Node = (StateId, usize);

/// A parameter that an argument for another one mentions.
struct Edge<'a> {
    from: Node,
    to: Node,
    argument: &'a GenericArgument,
    grows: bool,
}

/// True if no argument grows.
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

/// Is there a way along edges?
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
