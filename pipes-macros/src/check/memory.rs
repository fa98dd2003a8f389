//! What the slots of a pipe must have room for.
//!
//! A pipe serves a whole session, so its slots must have room for every payload that can come. If all states have the same
//! parameters and hand them on as they are, that is one type for the whole protocol. If not, a later state may know less than
//! the first one did (it may lack a parameter), or more precisely (it may have got `u8` for `T`): then the pipe is made by the
//! state that it begins in, and the others take what they get.
//!
//! # Assumes
//!
//! Finitely many instances of states, or else that nobody will see the result.
//!
//! # Establishes
//!
//! For every state, all payloads that can be sent in it or later, in terms of its own parameters.
//!
//! # Errors
//!
//! None.

use crate::model::{Parameter, Protocol, StateId, Substitution, argument_for};
use quote::ToTokens;
use std::collections::HashSet;
use syn::{GenericArgument, Type};

/// Which payloads decide about room, and about which threads an endpoint may go to.
pub(crate) enum Memory {
    /// These, whatever the state.
    Common(Vec<Type>),
    /// For each state these.
    ByState(Vec<Vec<Type>>),
}

impl Memory {
    /// The payloads from a state on.
    pub(crate) fn from(&self, state: StateId) -> &[Type] {
        match self {
            Memory::Common(payloads) => payloads,
            Memory::ByState(payloads) => &payloads[state],
        }
    }

    /// Every type that is named here.
    pub(crate) fn types(&self) -> impl Iterator<Item = &Type> {
        let states = match self {
            Memory::Common(payloads) => std::slice::from_ref(payloads),
            Memory::ByState(payloads) => payloads.as_slice(),
        };
        states.iter().flatten()
    }
}

/// `finite` is false if an argument grows.
pub(super) fn plan(protocol: &Protocol, parameters: &[Vec<Parameter>], finite: bool) -> Memory {
    if is_uniform(protocol, parameters) {
        return Memory::Common(distinct(protocol.messages().map(|(_, message)| message.payload())));
    }
    let from = |state: StateId| {
        let arguments = protocol.states[state].parameters.iter().map(argument_for).collect();
        distinct(reachable_payloads(protocol, state, arguments, finite).into_iter())
    };
    Memory::ByState((0..protocol.states.len()).map(from).collect())
}

/// Have all states the same parameters, and do all steps hand them on as they are?
fn is_uniform(protocol: &Protocol, parameters: &[Vec<Parameter>]) -> bool {
    let declared = |parameters: &[Parameter]| -> Vec<String> {
        parameters.iter().map(|parameter| parameter.declared.to_token_stream().to_string()).collect()
    };
    let first = parameters.first().map(|parameters| declared(parameters));
    let same = parameters.iter().all(|parameters| Some(declared(parameters)) == first);
    let handed_on = protocol.messages().filter_map(|(_, message)| message.step.as_ref()).all(|step| {
        let parameters = &protocol.states[step.to].parameters;
        parameters.iter().zip(&step.arguments).all(|(parameter, argument)| parameter.is(argument))
    });
    same && handed_on
}

/// The payloads of a state with these arguments and of all that can be reached from it.
fn reachable_payloads(
    protocol: &Protocol,
    state: StateId,
    arguments: Vec<GenericArgument>,
    finite: bool,
) -> Vec<Type> {
    let mut payloads = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting = vec![(state, arguments)];
    while let Some((id, arguments)) = waiting.pop() {
        let key: Vec<String> =
            arguments.iter().map(|argument| argument.to_token_stream().to_string()).collect();
        if !seen.insert((id, key)) {
            continue;
        }
        let state = &protocol.states[id];
        let names = state.parameters.iter().map(Parameter::name);
        let mut here = Substitution::new(names.zip(arguments));
        for message in &state.messages {
            payloads.push(here.in_type(&message.payload()));
            if let Some(step) = message.step.as_ref().filter(|_| finite) {
                let arguments = step.arguments.iter().map(|argument| here.in_argument(argument)).collect();
                waiting.push((step.to, arguments));
            }
        }
    }
    payloads
}

/// Each once, without those that are nothing.
fn distinct(payloads: impl Iterator<Item = Type>) -> Vec<Type> {
    let mut seen = HashSet::new();
    let something = payloads.filter(|ty| !matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty()));
    something.filter(|ty| seen.insert(ty.to_token_stream().to_string())).collect()
}
