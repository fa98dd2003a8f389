//! Protocols with their names resolved.
//!
//! # Assumes
//!
//! The shape of the grammar.
//!
//! # Establishes
//!
//! Every step leads to a state that exists, with one argument for each of the state's parameters. Every name
//! to be generated from a state or a message is known, and is unique among its kind. There is at least one
//! state; the first one is the start.
//!
//! # Errors
//!
//! Names that are undefined, duplicate or unusable, arguments that do not fit, states without messages. A
//! duplicate is left out; a step to an undefined state ends the session.
//!
//! # Layers
//!
//! Uses `parse`, `names` and `diag`; used by `check` and `expand`.

mod build;
mod graph;
mod parameters;
mod types;

pub(crate) use self::build::build;
pub(crate) use self::graph::Graph;
pub(crate) use self::parameters::{Kind, Parameter, argument_for};
pub(crate) use self::types::{Inward, Mentions};

use crate::parse::{Attributes, Field};
use crate::side::Side;
use proc_macro2::{Ident, Span};
use syn::{GenericArgument, Type, Visibility, WherePredicate};

/// A protocol.
pub(crate) struct Protocol {
    pub(crate) attributes: Attributes,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// The protocol's own parameters. They belong to every state that needs them.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) predicates: Vec<WherePredicate>,
    /// The states, the start state first.
    pub(crate) states: Vec<State>,
}

/// A state's place in [`Protocol::states`].
pub(crate) type StateId = usize;

/// A state.
pub(crate) struct State {
    pub(crate) attributes: Attributes,
    /// The written name.
    pub(crate) name: Ident,
    /// The name of the generated type.
    pub(crate) ty: Ident,
    pub(crate) sender: Side,
    /// The state's own parameters. Each step to this state passes arguments for them.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) messages: Vec<Message>,
}

/// A message.
pub(crate) struct Message {
    pub(crate) attributes: Attributes,
    /// The written name.
    pub(crate) name: Ident,
    pub(crate) variant: Ident,
    pub(crate) method: Ident,
    pub(crate) fields: Vec<Field>,
    /// The next state; `None` if the message ends the session.
    pub(crate) step: Option<Step>,
}

/// A step to the next state.
pub(crate) struct Step {
    pub(crate) to: StateId,
    /// Where it is written.
    pub(crate) at: Span,
    /// One argument for each of the state's own parameters, in the order of the parameters and of their
    /// kinds.
    pub(crate) arguments: Vec<GenericArgument>,
}

impl State {
    /// Returns `true` if any of its messages has a payload other than `()`.
    pub(crate) fn sends(&self) -> bool {
        self.messages.iter().any(|message| !message.sends_nothing())
    }

    /// Returns the argument passed for a parameter, if it is one of the state's own. `arguments` has the
    /// order of these parameters.
    pub(crate) fn passed<'a, A>(&self, parameter: &Parameter, arguments: &'a [A]) -> Option<&'a A> {
        let place = self.parameters.iter().position(|own| own.name() == parameter.name())?;
        arguments.get(place)
    }
}

impl Message {
    /// Returns `true` if its payload is `()`.
    pub(crate) fn sends_nothing(&self) -> bool {
        match self.fields.as_slice() {
            [] => true,
            [field] => matches!(&field.ty, Type::Tuple(tuple) if tuple.elems.is_empty()),
            _ => false,
        }
    }

    /// Returns the type of the payload: `()`, the only field's type, or a tuple.
    pub(crate) fn payload(&self) -> Type {
        let types: Vec<&Type> = self.fields.iter().map(|field| &field.ty).collect();
        match types.as_slice() {
            [one] => Type::clone(one),
            many => syn::parse_quote!((#(#many),*)),
        }
    }
}

impl Protocol {
    /// Returns all messages, with the state that each is sent in.
    pub(crate) fn messages(&self) -> impl Iterator<Item = (StateId, &Message)> {
        self.states
            .iter()
            .enumerate()
            .flat_map(|(id, state)| state.messages.iter().map(move |message| (id, message)))
    }

    /// Returns the graph of the states.
    pub(crate) fn graph(&self) -> Graph {
        let targets = |state: &State| -> Vec<StateId> {
            state.messages.iter().filter_map(|message| message.step.as_ref()).map(|step| step.to).collect()
        };
        Graph {
            client_sends: self.states.iter().map(|state| state.sender == Side::Client).collect(),
            steps: self.states.iter().map(targets).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
