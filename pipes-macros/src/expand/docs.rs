//! The generated documentation of each item, in addition to what the user wrote.

use super::context::Context;
use super::drawing::draw;
use super::picture::{picture, written};
use crate::check::Bound;
use crate::model::{Message, State, StateId};
use crate::names;
use crate::side::Side;
use proc_macro2::TokenStream;
use quote::quote;

/// The documentation of the variant for an endpoint that does not receive.
pub(super) const NOT_RECEIVING: &str = " It is this side's turn to send. Contains the endpoint.";

/// Returns the documentation of the module: a drawing, a table of the states, and the bound.
pub(super) fn module(context: &Context<'_>) -> String {
    let protocol = context.protocol;
    let (start, name) = (link(context, 0), &protocol.name);
    let mut docs = String::new();
    if protocol.attributes.docs.is_empty() {
        docs.push_str(&format!("The protocol `{name}`.\n\n"));
    }
    docs.push_str(&format!(
        "# States\n\nA session begins in {start}; [`pipe`]({name}::pipe) makes one.\n\n{}\n\n\
         As text: [`MERMAID`](const@{name}::MERMAID), [`DOT`](const@{name}::DOT).\n\n{}\n\n{}",
        draw(&picture(context)),
        table(context),
        in_flight(context)
    ));
    docs
}

/// Returns the table of the states: `| state | sends | messages |`.
fn table(context: &Context<'_>) -> String {
    let mut table = String::from("| state | sends | messages |\n|---|---|---|");
    for (id, state) in context.protocol.states.iter().enumerate() {
        let messages: Vec<String> = state.messages.iter().map(|message| row(context, message)).collect();
        table.push_str(&format!(
            "\n| {} | {} | {} |",
            link(context, id),
            state.sender.word(),
            messages.join("<br>")
        ));
    }
    table
}

/// Returns a message and the state that it leads to. Each `|` is escaped, because it would end the table's
/// cell, even inside code.
fn row(context: &Context<'_>, message: &Message) -> String {
    let next = match &message.step {
        Some(step) => link(context, step.to),
        None => String::from("end"),
    };
    format!("`{}` → {next}", written(message).replace('|', "\\|"))
}

/// Returns a link to a state. The documentation of the module is resolved outside the module, and that of its
/// items inside it. The path is valid in both.
fn link(context: &Context<'_>, id: StateId) -> String {
    let ty = &context.protocol.states[id].ty;
    format!("[`{ty}`]({}::{ty})", context.protocol.name)
}

fn in_flight(context: &Context<'_>) -> String {
    match &context.facts.bound {
        Bound::Messages { messages: 1, .. } => {
            String::from("Bounded: at most one message is on its way. A pipe is one allocation.")
        }
        Bound::Messages { messages, .. } => {
            format!("Bounded: at most {messages} messages are on their way. A pipe is one allocation.")
        }
        Bound::Unbounded { cycle } => {
            let states: Vec<String> = cycle.iter().map(|state| link(context, *state)).collect();
            let sender =
                cycle.first().map_or("client", |state| context.protocol.states[*state].sender.word());
            format!(
                "Unbounded: in {} the {sender} can send without hearing from the other side.",
                states.join(", ")
            )
        }
    }
}

pub(super) fn endpoint(context: &Context<'_>, side: Side) -> String {
    format!(
        " The {}'s end of a pipe of the protocol `{}`, in the state `S`.\n\n\
         It is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state.",
        side.word(),
        context.protocol.name
    )
}

pub(super) fn pipe(context: &Context<'_>) -> String {
    format!(" Makes a pipe in the state {} and returns both of its ends. One allocation.", link(context, 0))
}

pub(super) fn bound(context: &Context<'_>) -> String {
    format!(" The number of messages that can be on their way at the same time.\n\n{}", in_flight(context))
}

pub(super) fn marker(context: &Context<'_>) -> String {
    format!(" The protocol `{}` as a type, for code that is generic over protocols.", context.protocol.name)
}

pub(super) fn aliases(side: Side) -> String {
    format!(" The {}'s endpoint in each state.", side.word())
}

pub(super) fn alias(state: &State, side: Side) -> String {
    let act = if state.sender == side { "sends" } else { "receives" };
    format!(" The {} in the state [`{1}`](super::{1}), in which it {act}.", side.word(), state.ty)
}

pub(super) fn state(context: &Context<'_>, id: StateId) -> String {
    let state = &context.protocol.states[id];
    let messages = state.messages.iter().map(|message| format!("- {}\n", row(context, message)));
    format!(
        " The state `{}`, in which the {} sends; what the {} receives in it.\n\n{}",
        state.name,
        state.sender.word(),
        state.sender.dual().word(),
        messages.collect::<String>()
    )
}

/// Returns the documentation of a variant. It is needed if the user wrote none, or if fields have names,
/// which only the sentence shows.
pub(super) fn variant(message: &Message) -> Option<TokenStream> {
    let docs = match &message.step {
        Some(_) => format!(" The message `{}`, and the endpoint for the next step.", written(message)),
        None => format!(" The message `{}`, which ends the session.", written(message)),
    };
    let has_words = |docs: &syn::Attribute| matches!(docs.meta, syn::Meta::NameValue(_));
    let is_described = message.attributes.docs.iter().any(has_words);
    let paragraph = is_described.then(|| quote!(#[doc = ""]));
    let has_names = message.fields.iter().any(|field| field.name.is_some());
    (has_names || !is_described).then(|| quote!(#paragraph #[doc = #docs]))
}

pub(super) fn method(context: &Context<'_>, id: StateId, message: &Message) -> String {
    let next = match &message.step {
        Some(step) => format!("the session goes on in {}", link(context, step.to)),
        None => String::from("the session ends"),
    };
    let back = if message.fields.is_empty() { "." } else { "; the error contains the payload." };
    format!(
        " Sends `{}`; {next}. Never blocks.\n\n# Errors\n\nThe {} has left{back}",
        message.name,
        context.protocol.states[id].sender.dual().word()
    )
}

pub(super) fn any(side: Side) -> String {
    format!(
        " The {}'s endpoint in any state: for a struct field, a pool, an event loop.\n\n\
         A receive on an endpoint that does not receive gives it back at once, as [`{}::{}`].",
        side.word(),
        names::any_message(side),
        names::NOT_RECEIVING
    )
}

pub(super) fn any_message(side: Side) -> String {
    format!(" What an [`{}`] receives: a variant for each state in which it can.", names::any(side))
}

pub(super) fn receiving(side: Side) -> String {
    format!(
        " The {}'s endpoint in any state in which it receives: for a set of endpoints in different states.",
        side.word()
    )
}

pub(super) fn received(side: Side) -> String {
    format!(" What a [`{}`] receives: a variant for each of its states.", names::receiving(side))
}

pub(super) fn in_state(state: &State) -> String {
    format!(" In the state [`{}`](type@{0}).", state.ty)
}

pub(super) fn received_in(state: &State) -> String {
    format!(" A message of the state [`{}`](type@{0}).", state.ty)
}
