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
//! For every state, all payloads that can be sent in it or later, in terms of its own parameters. (In general these are named
//! by state and arguments: a payload `T::Item` can be written with a parameter, but not with whatever takes its place.)
//!
//! # Errors
//!
//! None.

use crate::model::{Parameter, Protocol, State, StateId, Substitution, argument_for};
use quote::ToTokens;
use std::collections::HashSet;
use syn::{GenericArgument, Type};

/// Which payloads decide about room, and about which threads an endpoint may go to.
pub(crate) enum Memory {
    /// These, whatever the state.
    Common(Vec<Type>),
    /// For each state, those that are sent in these.
    ByState(Vec<Vec<Instance>>),
}

/// A state with arguments for its own parameters.
pub(crate) struct Instance {
    pub(crate) state: StateId,
    pub(crate) arguments: Vec<GenericArgument>,
}

/// What is sent in a state: each type once, without those that are nothing.
pub(crate) fn sent_in(state: &State) -> Vec<Type> {
    distinct(std::slice::from_ref(state))
}

/// `finite` is false if an argument grows.
pub(super) fn plan(protocol: &Protocol, parameters: &[Vec<Parameter>], finite: bool) -> Memory {
    if is_uniform(protocol, parameters) {
        return Memory::Common(distinct(&protocol.states));
    }
    Memory::ByState((0..protocol.states.len()).map(|state| reachable(protocol, state, finite)).collect())
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

/// The state itself and all that can be reached from it, in terms of its parameters.
fn reachable(protocol: &Protocol, start: StateId, finite: bool) -> Vec<Instance> {
    let mut reached = Vec::new();
    let mut seen = HashSet::new();
    let arguments = protocol.states[start].parameters.iter().map(argument_for).collect();
    let mut waiting = vec![Instance { state: start, arguments }];
    while let Some(instance) = waiting.pop() {
        let key: Vec<String> = instance.arguments.iter().map(|it| it.to_token_stream().to_string()).collect();
        if !seen.insert((instance.state, key)) {
            continue;
        }
        let state = &protocol.states[instance.state];
        let mut here = Substitution::new(&state.parameters, &instance.arguments);
        let steps = state.messages.iter().filter_map(|message| message.step.as_ref()).filter(|_| finite);
        waiting.extend(steps.map(|step| Instance {
            state: step.to,
            arguments: step.arguments.iter().map(|argument| here.in_argument(argument)).collect(),
        }));
        reached.push(instance);
    }
    reached
}

/// The payloads of states, each once, without those that are nothing.
fn distinct(states: &[State]) -> Vec<Type> {
    let mut seen = HashSet::new();
    let payloads = states.iter().flat_map(|state| state.messages.iter().map(|message| message.payload()));
    let something = payloads.filter(|ty| !matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty()));
    // What a macro calls `$crate` is not always the same crate.
    let text = |ty: &Type| ty.to_token_stream().to_string();
    something.filter(|ty| seen.insert(text(ty)) || text(ty).contains('$')).collect()
}
