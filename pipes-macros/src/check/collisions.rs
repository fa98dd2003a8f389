//! Names that would mean two things in the generated module.
//!
//! # Assumes
//!
//! The types of states have distinct names.
//!
//! # Establishes
//!
//! No parameter has a name that is generated for something else, and no bound mentions such a name or `Self`.
//! Where a bound or an argument expects a value, it does not mention a generated constant either.
//! Payloads may mention generated names: a type that means something else inside the module is fetched from
//! outside.
//!
//! # Errors
//!
//! `NameCollision`, `SelfType`, `MacroInBound`

use crate::diag::{Colliding, Problem, Problems};
use crate::model::{Mentions, Parameter, Protocol};
use crate::names::{ITEMS, VALUES};
use quote::ToTokens;
use std::collections::HashMap;
use syn::GenericArgument;

/// The names that are taken, each with what it is the name of.
struct Taken {
    types: HashMap<String, String>,
    /// Those that a parameter of this name does not hide.
    values: HashMap<String, String>,
}

impl Taken {
    fn by(protocol: &Protocol, parameters: &[&Parameter]) -> Self {
        let described = |(name, what): &(&str, &str)| (String::from(*name), String::from(*what));
        let states =
            protocol.states.iter().map(|state| (state.ty.to_string(), format!("the state `{}`", state.name)));
        let is_hidden = |name: &str| parameters.iter().any(|parameter| parameter.name() == name);
        Taken {
            types: ITEMS.iter().map(described).chain(states).collect(),
            values: VALUES.iter().filter(|(name, _)| !is_hidden(name)).map(described).collect(),
        }
    }
}

pub(super) fn check(protocol: &Protocol, problems: &mut Problems) {
    let parameters = protocol.states.iter().flat_map(|state| &state.parameters);
    let parameters: Vec<&Parameter> = protocol.parameters.iter().chain(parameters).collect();
    let taken = Taken::by(protocol, &parameters);
    for parameter in parameters {
        check_parameter(parameter, &taken, problems);
    }
    for (_, message) in protocol.messages() {
        for field in &message.fields {
            if Mentions::of_types([&field.ty]).has("Self") {
                problems.report(&field.ty, Problem::SelfType);
            }
        }
        for argument in message.step.iter().flat_map(|step| &step.arguments) {
            if Mentions::of_arguments([argument]).has("Self") {
                problems.report(argument, Problem::SelfType);
            }
            if let GenericArgument::Const(_) = argument {
                if Mentions::of_arguments([argument]).calls_macro() {
                    problems.report(argument, Problem::MacroInBound);
                }
                check_bound(
                    Colliding::Constant,
                    argument,
                    &Mentions::of_arguments([argument]),
                    &taken,
                    problems,
                );
            }
        }
    }
    for predicate in &protocol.predicates {
        let mentions = Mentions::of_predicate(predicate);
        check_meaning(predicate, &mentions, problems);
        check_bound(Colliding::Bound, predicate, &mentions, &taken, problems);
    }
}

fn check_parameter(parameter: &Parameter, taken: &Taken, problems: &mut Problems) {
    let name = parameter.name();
    let hidden = name.starts_with("__").then(|| String::from("a hidden item: it may not begin with `__`"));
    if let Some(by) = taken.types.get(&name).cloned().or(hidden) {
        problems.report(&parameter.declared, collision(Colliding::Parameter, name.clone(), name, by));
    }
    let bounds = Mentions::of_bounds(&parameter.declared);
    check_meaning(&parameter.declared, &bounds, problems);
    check_bound(Colliding::Bound, &parameter.declared, &bounds, taken, problems);
}

/// Reports a bound that need not mean the same in all items into which it is copied, because of `Self` or a
/// macro call.
fn check_meaning(bound: &impl ToTokens, mentions: &Mentions, problems: &mut Problems) {
    if mentions.has("Self") {
        problems.report(bound, Problem::SelfType);
    }
    if mentions.calls_macro() {
        problems.report(bound, Problem::MacroInBound);
    }
}

fn check_bound(
    what: Colliding,
    tokens: impl ToTokens,
    mentions: &Mentions,
    taken: &Taken,
    problems: &mut Problems,
) {
    let types = mentions.names().filter_map(|name| Some((name, taken.types.get(name)?)));
    let values = mentions.values().filter_map(|name| Some((name, taken.values.get(name)?)));
    let mut found: Vec<(&str, &String)> = types.chain(values).collect();
    found.sort_unstable();
    found.dedup();
    for (name, by) in found {
        let by = format!("{by}; write the full path of what you mean");
        problems.report(&tokens, collision(what, name.to_owned(), name.to_owned(), by));
    }
}

fn collision(what: Colliding, name: String, generated: String, taken_by: String) -> Problem {
    Problem::NameCollision { what, name, generated, taken_by }
}
