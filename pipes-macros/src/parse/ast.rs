//! Protocols as they were written.

use proc_macro2::{Ident, Span};
use syn::{Attribute, Generics, Token, Type, Visibility};

/// `pub bank<T> { … }`
pub(crate) struct Protocol {
    pub(crate) attributes: Attributes,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// With the `where` clause.
    pub(crate) generics: Generics,
    pub(crate) states: Vec<State>,
    /// Could all of it be read?
    pub(crate) is_complete: bool,
}

/// `login: send { … }`
pub(crate) struct State {
    pub(crate) attributes: Attributes,
    pub(crate) name: Ident,
    /// Wherever they were written: after the name or after the direction.
    pub(crate) generics: Generics,
    /// `send`, not `recv`.
    pub(crate) client_sends: bool,
    pub(crate) messages: Vec<Message>,
}

/// `login(String, String) -> login_response`
pub(crate) struct Message {
    pub(crate) attributes: Attributes,
    pub(crate) name: Ident,
    pub(crate) fields: Vec<Field>,
    pub(crate) next: Next,
}

/// `String`, or `user: String`.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) name: Option<Ident>,
    pub(crate) ty: Type,
}

/// What follows a message.
pub(crate) enum Next {
    /// `-> !`
    End,
    /// `-> connected<T>`
    State { name: Ident, arguments: Option<syn::AngleBracketedGenericArguments> },
}

/// What stands before a protocol, a state or a message.
#[derive(Clone, Default)]
pub(crate) struct Attributes {
    /// Doc comments.
    pub(crate) docs: Vec<Attribute>,
    /// `#[derive(…)]`
    pub(crate) derives: Vec<Attribute>,
    /// `#[allow(…)]` and its kin.
    pub(crate) lints: Vec<Attribute>,
    /// `#[bounded]` or `#[bounded(3)]`
    pub(crate) bounded: Option<Bounded>,
}

/// An assertion that a protocol is bounded.
#[derive(Clone)]
pub(crate) struct Bounded {
    pub(crate) span: Span,
    /// By this many messages.
    pub(crate) limit: Option<usize>,
}

/// The arrow between a message and what follows it.
pub(crate) type Arrow = Token![->];
