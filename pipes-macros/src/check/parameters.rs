//! Which parameters the type of each state has.
//!
//! A parameter of the protocol belongs to every state whose payloads mention it (or need it to resolve a
//! `T::Item`), and to every state that can reach such a state. A state's own parameters always belong to it.
//!
//! # Assumes
//!
//! Each step has one argument for each parameter of its state.
//!
//! # Establishes
//!
//! Each parameter of a state's type is mentioned by the state's payloads or passed on to a state where it is
//! mentioned. The state that a step leads to needs no parameter of the protocol that the first state lacks.
//!
//! # Errors
//!
//! `UnusedParameter`; `DuplicateParameter`, if two states use one name for different kinds of parameters.

use crate::diag::{Problem, Problems};
use crate::model::{Mentions, Message, Parameter, Protocol, State};
use crate::side::Side;
use std::collections::HashSet;
use syn::WherePredicate;

/// Returns the parameters of each state's type, lifetimes first.
pub(super) fn find(protocol: &Protocol, problems: &mut Problems) -> Vec<Vec<Parameter>> {
    let needed = needed(protocol);
    let unused = |parameter: &&Parameter, used: bool| (!used).then(|| Parameter::clone(parameter));
    let outer = protocol.parameters.iter();
    let outer = outer.filter_map(|p| unused(&p, needed.iter().any(|needed| needed.contains(&p.name()))));
    let own = protocol.states.iter().zip(&needed);
    let own = own.flat_map(|(state, needed)| {
        state.parameters.iter().filter_map(|p| unused(&p, needed.contains(&p.name())))
    });
    for parameter in outer.chain(own) {
        problems.report(&parameter.declared, Problem::UnusedParameter { parameter: parameter.name() });
    }
    let states = protocol.states.iter().zip(&needed);
    states
        .map(|(state, needed)| {
            let outer = protocol.parameters.iter().filter(|parameter| needed.contains(&parameter.name()));
            lifetimes_first(outer.chain(&state.parameters).cloned().collect())
        })
        .collect()
}

/// Returns the parameters of all states, each once with all its bounds: lifetimes first, then in the order in
/// which they are declared.
pub(super) fn union(
    protocol: &Protocol,
    states: &[Vec<Parameter>],
    problems: &mut Problems,
) -> Vec<Parameter> {
    merge(protocol, states.iter().flatten(), |parameter| {
        problems.report(&parameter.declared, Problem::DuplicateParameter { parameter: parameter.name() });
    })
}

/// Returns the parameters of the states in which this side receives. [`union`] reports the problems.
pub(super) fn received_by(protocol: &Protocol, states: &[Vec<Parameter>], side: Side) -> Vec<Parameter> {
    let receiving = protocol.states.iter().zip(states).filter(|(state, _)| state.sender != side);
    merge(protocol, receiving.flat_map(|(_, parameters)| parameters), |_| {})
}

/// Merges parameters of the same name. `conflict` is called for one that is of another kind than the first of
/// its name.
fn merge<'a>(
    protocol: &Protocol,
    parameters: impl Iterator<Item = &'a Parameter> + Clone,
    mut conflict: impl FnMut(&Parameter),
) -> Vec<Parameter> {
    let used = |outer: &&Parameter| parameters.clone().any(|parameter| parameter.name() == outer.name());
    let mut all: Vec<Parameter> = protocol.parameters.iter().filter(used).cloned().collect();
    for parameter in parameters {
        match all.iter_mut().find(|other| other.name() == parameter.name()) {
            None => all.push(parameter.clone()),
            Some(other) if other.kind() == parameter.kind() => other.add_bounds(parameter),
            Some(_) => conflict(parameter),
        }
    }
    lifetimes_first(all)
}

fn lifetimes_first(mut parameters: Vec<Parameter>) -> Vec<Parameter> {
    parameters.sort_by_key(|parameter| parameter.kind() != crate::model::Kind::Lifetime);
    parameters
}

/// Returns the names of the parameters that each state needs, its own and the protocol's, computed as a least
/// fixed point.
fn needed(protocol: &Protocol) -> Vec<HashSet<String>> {
    let own_payloads = |state: &State| -> HashSet<String> {
        let types = state.messages.iter().flat_map(|message| message.fields.iter().map(|field| &field.ty));
        let visible: Vec<&Parameter> = protocol.parameters.iter().chain(&state.parameters).collect();
        let mentioned = mentioned(&visible, &protocol.predicates, Mentions::of_types(types));
        mentioned.iter().map(Parameter::name).collect()
    };
    let mut needed: Vec<HashSet<String>> = protocol.states.iter().map(own_payloads).collect();
    loop {
        let before: usize = needed.iter().map(HashSet::len).sum();
        for (from, message) in protocol.messages() {
            let more = handed_on(protocol, from, message, &needed);
            needed[from].extend(more);
        }
        if needed.iter().map(HashSet::len).sum::<usize>() == before {
            return needed;
        }
    }
}

/// Returns the parameters that a state needs because the state after the message needs them, in terms of the
/// first state.
fn handed_on(protocol: &Protocol, from: usize, message: &Message, needed: &[HashSet<String>]) -> Vec<String> {
    let Some(step) = &message.step else { return Vec::new() };
    let target = &protocol.states[step.to];
    let used = target.parameters.iter().zip(&step.arguments);
    let used = used
        .filter(|(parameter, _)| needed[step.to].contains(&parameter.name()))
        .map(|(_, argument)| argument);
    let visible: Vec<&Parameter> =
        protocol.parameters.iter().chain(&protocol.states[from].parameters).collect();
    let mentioned = mentioned(&visible, &protocol.predicates, Mentions::of_arguments(used));
    let outer = protocol.parameters.iter().map(Parameter::name).filter(|name| needed[step.to].contains(name));
    outer.chain(mentioned.iter().map(Parameter::name)).collect()
}

/// Returns the parameters that are needed to write something down, lifetimes first: those it names, and those
/// in the bounds through which a `T::Item` in it is resolved.
pub(crate) fn mentioned(
    visible: &[&Parameter],
    predicates: &[WherePredicate],
    first: Mentions,
) -> Vec<Parameter> {
    let mut mentions = vec![first];
    let mut followed = HashSet::new();
    while let Some(parameter) = visible.iter().find(|parameter| {
        let name = parameter.name();
        !followed.contains(&name) && mentions.iter().any(|mentions| mentions.projects(&name))
    }) {
        mentions.push(Mentions::of_bounds(&parameter.declared));
        let bounds =
            predicates.iter().map(Mentions::of_predicate).filter(|bound| bound.has(&parameter.name()));
        mentions.extend(bounds);
        followed.insert(parameter.name());
    }
    let has = |parameter: &Parameter| mentions.iter().any(|mentions| mentions.has(&parameter.name()));
    lifetimes_first(
        visible
            .iter()
            .filter(|parameter| has(parameter))
            .map(|parameter| Parameter::clone(parameter))
            .collect(),
    )
}
