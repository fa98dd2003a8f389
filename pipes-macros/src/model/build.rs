//! From protocols as they were written to protocols with their names resolved.

use super::parameters::Parameter;
use super::{Message, Protocol, State, StateId, Step};
use crate::diag::{Colliding, Problem, Problems};
use crate::names;
use crate::parse::{self, Field, Next};
use crate::side::Side;
use crate::text::code;
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::{Generics, Token, WherePredicate, punctuated::Punctuated};

/// Resolves the names of a protocol.
pub(crate) fn build(written: parse::Protocol, problems: &mut Problems) -> Protocol {
    let (parameters, predicates) = split(written.generics);
    let (states, doubles) = distinct_states(written.states, problems);
    let heads: Vec<Head> = states.iter().map(Head::of).collect();
    let known = Known { protocol: &parameters, heads: &heads, doubles: &doubles };
    report_doubled(&parameters, problems);
    let states = states
        .into_iter()
        .zip(&heads)
        .map(|(written, head)| state(written, head, &known, problems))
        .collect();
    Protocol {
        attributes: written.attributes,
        visibility: written.visibility,
        name: written.name,
        parameters,
        predicates,
        states,
    }
}

/// The part of a state that the steps to it are checked against.
struct Head {
    name: Ident,
    parameters: Vec<Parameter>,
}

impl Head {
    fn of((_, written): &Typed) -> Self {
        Head { name: written.name.clone(), parameters: split(written.generics.clone()).0 }
    }
}

/// The names that a state may use.
struct Known<'a> {
    protocol: &'a [Parameter],
    heads: &'a [Head],
    /// The names of duplicate states, which are left out, and the states that replace them.
    doubles: &'a [(Ident, StateId)],
}

impl Known<'_> {
    /// Returns the state of this name.
    fn find(&self, name: &Ident) -> Option<StateId> {
        let name = name.unraw();
        let double =
            || self.doubles.iter().find(|(double, _)| double.unraw() == name).map(|(_, state)| *state);
        self.heads.iter().position(|head| head.name.unraw() == name).or_else(double)
    }

    /// Returns the most similar name of a state, if it is similar enough to suggest.
    fn nearest(&self, name: &Ident) -> Option<String> {
        let name = name.to_string();
        let distances = self.heads.iter().map(|head| (distance(&name, &head.name.to_string()), head));
        let (least, head) = distances.min_by_key(|(distance, _)| *distance)?;
        (least <= name.chars().count().div_ceil(3)).then(|| head.name.to_string())
    }
}

/// A state as it was written, with its type.
type Typed = (Ident, parse::State);

/// Returns the states without duplicates, and the name of each duplicate, a state whose type exists already,
/// with the state that replaces it.
fn distinct_states(
    written: Vec<parse::State>,
    problems: &mut Problems,
) -> (Vec<Typed>, Vec<(Ident, StateId)>) {
    let mut distinct: Vec<Typed> = Vec::new();
    let mut doubles = Vec::new();
    let mut places: HashMap<String, StateId> = HashMap::new();
    for state in written {
        let ty =
            beside_items(usable(names::type_name(&state.name), &state.name, problems), &state.name, problems);
        match places.get(&ty.to_string()).and_then(|place| Some((*place, distinct.get(*place)?))) {
            Some((place, (_, first))) => {
                let (name, first_name) = (state.name.to_string(), first.name.to_string());
                problems.report(&state.name, Problem::DuplicateState { state: name, first: first_name });
                problems.note(&first.name, "first defined here");
                doubles.push((state.name, place));
            }
            None => {
                places.insert(ty.to_string(), distinct.len());
                distinct.push((ty, state));
            }
        }
    }
    (distinct, doubles)
}

/// Reports each parameter that has the name of an earlier one.
fn report_doubled(parameters: &[Parameter], problems: &mut Problems) {
    for (at, parameter) in parameters.iter().enumerate() {
        if parameters.iter().take(at).any(|before| before.name() == parameter.name()) {
            problems.report(&parameter.declared, Problem::DuplicateParameter { parameter: parameter.name() });
        }
    }
}

fn state(
    (ty, written): (Ident, parse::State),
    head: &Head,
    known: &Known<'_>,
    problems: &mut Problems,
) -> State {
    if written.messages.is_empty() {
        problems.report(&written.name, Problem::EmptyState { state: written.name.to_string() });
    }
    report_doubled(&head.parameters, problems);
    for parameter in &head.parameters {
        if known.protocol.iter().any(|outer| outer.name() == parameter.name()) {
            let problem = Problem::DuplicateParameter { parameter: parameter.name() };
            problems.report(&parameter.declared, problem);
        }
    }
    let messages = distinct_messages(written.messages, &written.name, known, problems);
    let sender = if written.client_sends { Side::Client } else { Side::Server };
    let parameters = head.parameters.clone();
    State { attributes: written.attributes, name: written.name, ty, sender, parameters, messages }
}

/// Returns the messages of a state, without those whose variant or method exists already.
fn distinct_messages(
    written: Vec<parse::Message>,
    state: &Ident,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Vec<Message> {
    let mut distinct: Vec<Message> = Vec::new();
    let mut places = HashMap::new();
    for written in written {
        let message = message(written, known, problems);
        let names = [message.variant.to_string(), message.method.to_string()];
        let place = names.iter().find_map(|name| places.get(name)).copied();
        if let Some(first) = place.and_then(|place: usize| distinct.get(place)) {
            let (name, first_name) = (message.name.to_string(), first.name.to_string());
            let problem =
                Problem::DuplicateMessage { message: name, first: first_name, state: state.to_string() };
            problems.report(&message.name, problem);
            problems.note(&first.name, "first defined here");
        } else {
            places.extend(names.map(|name| (name, distinct.len())));
            distinct.push(message);
        }
    }
    distinct
}

fn message(written: parse::Message, known: &Known<'_>, problems: &mut Problems) -> Message {
    let variant = usable(names::type_name(&written.name), &written.name, problems);
    let method = names::method_name(&written.name).unwrap_or_else(|| written.name.clone());
    let fields = distinct_fields(written.fields, problems);
    let step = step(written.next, &written.name, known, problems);
    Message { attributes: written.attributes, name: written.name, variant, method, fields, step }
}

/// Returns the fields. A name that an earlier field has is reported and removed.
fn distinct_fields(written: Vec<Field>, problems: &mut Problems) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for mut field in written {
        let doubled =
            field.name.take_if(|name| fields.iter().any(|before| before.name.as_ref() == Some(name)));
        if let Some(name) = doubled {
            problems.report(&name, Problem::DuplicateField { field: name.to_string() });
        }
        fields.push(field);
    }
    fields
}

/// Resolves the step of a message. Returns `None` if the message ends the session, or if the step cannot be
/// resolved, which is reported.
fn step(written: Next, message: &Ident, known: &Known<'_>, problems: &mut Problems) -> Option<Step> {
    let Next::State { name, arguments } = written else { return None };
    let Some(to) = known.find(&name) else {
        let (message, state) = (message.to_string(), name.to_string());
        let problem = Problem::UndefinedState { message, state, nearest: known.nearest(&name) };
        problems.report(&name, problem);
        return None;
    };
    let given: Vec<_> = arguments.iter().flat_map(|arguments| arguments.args.iter().cloned()).collect();
    let parameters = &known.heads[to].parameters;
    let fit =
        given.len() == parameters.len() && parameters.iter().zip(&given).all(|(to, from)| to.takes(from));
    if !fit {
        let list =
            |arguments: &[String]| (!arguments.is_empty()).then(|| format!("<{}>", arguments.join(", ")));
        let expected = list(&parameters.iter().map(Parameter::name).collect::<Vec<_>>());
        let found = list(&given.iter().map(|argument| code(argument.to_token_stream())).collect::<Vec<_>>());
        let problem = Problem::WrongArguments { state: known.heads[to].name.to_string(), expected, found };
        match &arguments {
            Some(arguments) => problems.report(arguments, problem),
            None => problems.report(&name, problem),
        }
        return None;
    }
    Some(Step { to, at: name.span(), arguments: given })
}

/// Returns the generated name, or the written one if no name could be made.
fn usable(made: Option<Ident>, written: &Ident, problems: &mut Problems) -> Ident {
    made.unwrap_or_else(|| {
        problems.report(written, Problem::NoName { name: written.to_string() });
        written.clone()
    })
}

/// Returns the type of a state. If a fixed item of a generated module has this name, that is reported, and
/// the type gets another name.
fn beside_items(ty: Ident, written: &Ident, problems: &mut Problems) -> Ident {
    let Some(taken_by) = names::fixed_item(&ty) else { return ty };
    let (name, generated, taken_by) = (written.to_string(), ty.to_string(), String::from(taken_by));
    problems.report(written, Problem::NameCollision { what: Colliding::State, name, generated, taken_by });
    names::beside(&ty)
}

/// Returns parameters with their bounds, and the predicates of the `where` clause.
fn split(generics: Generics) -> (Vec<Parameter>, Vec<WherePredicate>) {
    let parameters = generics.params.into_iter().map(|declared| Parameter { declared }).collect();
    let predicates = generics.where_clause.map(|clause| clause.predicates);
    let predicates: Punctuated<WherePredicate, Token![,]> = predicates.unwrap_or_default();
    (parameters, predicates.into_iter().collect())
}

/// Returns the edit distance: how many letters must be inserted, deleted or changed (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
