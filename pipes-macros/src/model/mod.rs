//! Protocols with their names resolved.
//!
//! # Assumes
//!
//! The shape of the grammar.
//!
//! # Establishes
//!
//! Every step leads to a state that exists, with as many arguments as the state has parameters; every name that will be
//! generated from a state or a message is made, and is the only one of its kind. There is at least one state; the first one
//! is the start.
//!
//! # Errors
//!
//! Names that are undefined, doubled or unusable, arguments that do not fit, states without messages. What is doubled is left
//! out, a step that leads nowhere ends the session.
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
    /// Parameters that belong to every state that needs them.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) predicates: Vec<WherePredicate>,
    /// The start state first.
    pub(crate) states: Vec<State>,
}

/// A state's place in [`Protocol::states`].
pub(crate) type StateId = usize;

/// A state.
pub(crate) struct State {
    pub(crate) attributes: Attributes,
    /// As it was written.
    pub(crate) name: Ident,
    /// As a type.
    pub(crate) ty: Ident,
    pub(crate) sender: Side,
    /// Parameters that each step to this state passes.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) messages: Vec<Message>,
}

/// A message.
pub(crate) struct Message {
    pub(crate) attributes: Attributes,
    /// As it was written.
    pub(crate) name: Ident,
    pub(crate) variant: Ident,
    pub(crate) method: Ident,
    pub(crate) fields: Vec<Field>,
    /// `None`: the session ends.
    pub(crate) step: Option<Step>,
}

/// A step to a state.
pub(crate) struct Step {
    pub(crate) to: StateId,
    /// Where it is written.
    pub(crate) at: Span,
    /// One for each of the state's own parameters, of its kind, in its order.
    pub(crate) arguments: Vec<GenericArgument>,
}

impl State {
    /// Is anything sent in it, beside names of messages?
    pub(crate) fn sends(&self) -> bool {
        self.messages.iter().any(|message| !message.sends_nothing())
    }

    /// What is passed for a parameter, if it is one of the state's own; what is passed for those stands in their order.
    pub(crate) fn passed<'a, A>(&self, parameter: &Parameter, arguments: &'a [A]) -> Option<&'a A> {
        let place = self.parameters.iter().position(|own| own.name() == parameter.name())?;
        arguments.get(place)
    }
}

impl Message {
    /// Is its payload `()`?
    pub(crate) fn sends_nothing(&self) -> bool {
        match self.fields.as_slice() {
            [] => true,
            [field] => matches!(&field.ty, Type::Tuple(tuple) if tuple.elems.is_empty()),
            _ => false,
        }
    }

    /// What is sent: nothing, the one field, or a tuple.
    pub(crate) fn payload(&self) -> Type {
        let types: Vec<&Type> = self.fields.iter().map(|field| &field.ty).collect();
        match types.as_slice() {
            [one] => Type::clone(one),
            many => syn::parse_quote!((#(#many),*)),
        }
    }
}

impl Protocol {
    /// All messages, with the state that each is sent in.
    pub(crate) fn messages(&self) -> impl Iterator<Item = (StateId, &Message)> {
        self.states
            .iter()
            .enumerate()
            .flat_map(|(id, state)| state.messages.iter().map(move |message| (id, message)))
    }

    /// The graph of the states.
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
