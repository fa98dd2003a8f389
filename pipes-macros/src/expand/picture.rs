//! What the pictures of a protocol show: its states, their messages, and where these lead.
//!
//! The drawing of the documentation and the diagrams as text are made of the same [`Picture`].

use super::context::Context;
use crate::model::{Message, State};
use crate::side::Side;
use crate::text::code;
use quote::ToTokens;

/// A protocol to draw, with its states in the order written.
pub(crate) struct Picture {
    /// The name of the protocol.
    pub(crate) name: String,
    pub(crate) states: Vec<Shape>,
}

/// One state.
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) client_sends: bool,
    pub(crate) messages: Vec<Arrow>,
}

/// One message and where it leads: the index of a state, or `None` for the end of the session.
pub(crate) struct Arrow {
    pub(crate) label: String,
    pub(crate) to: Option<usize>,
}

/// The most characters of a name or label. Longer ones are cut.
pub(crate) const LONGEST: usize = 44;

impl Picture {
    pub(crate) fn title(&self) -> String {
        format!("The states of {}", self.name)
    }
}

impl Shape {
    /// Returns the colour of the side that sends.
    pub(crate) fn tint(&self) -> &'static str {
        if self.client_sends { CLIENT } else { SERVER }
    }
}

/// The colour of states in which the client sends.
pub(crate) const CLIENT: &str = "#3b82f6";
/// The colour of states in which the server sends.
pub(crate) const SERVER: &str = "#f59e0b";

/// Returns what the pictures of the protocol show.
pub(super) fn picture(context: &Context<'_>) -> Picture {
    let protocol = context.protocol;
    let arrow =
        |message: &Message| Arrow { label: written(message), to: message.step.as_ref().map(|step| step.to) };
    let shape = |state: &State| Shape {
        name: state.name.to_string(),
        client_sends: state.sender == Side::Client,
        messages: state.messages.iter().map(arrow).collect(),
    };
    Picture { name: protocol.name.to_string(), states: protocol.states.iter().map(shape).collect() }
}

/// Returns a message with its payload: `login(user: String, password: String)`.
pub(super) fn written(message: &Message) -> String {
    let fields = message.fields.iter().map(|field| match &field.name {
        Some(name) => format!("{name}: {}", code(field.ty.to_token_stream())),
        None => code(field.ty.to_token_stream()),
    });
    let fields: Vec<String> = fields.collect();
    let name = &message.name;
    if fields.is_empty() { name.to_string() } else { format!("{name}({})", fields.join(", ")) }
}

/// Returns the text, or if it is longer than `most` characters its beginning and an ellipsis.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
