//! Protocols as they were written.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Attribute, Generics, Meta, Token, Type, Visibility};

/// `pub bank<T> { … }`
pub(crate) struct Protocol {
    pub(crate) attributes: Attributes,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// With the `where` clause.
    pub(crate) generics: Generics,
    pub(crate) states: Vec<State>,
    /// Whether all of it was parsed without an error.
    pub(crate) is_complete: bool,
}

/// `login: send { … }`
pub(crate) struct State {
    pub(crate) attributes: Attributes,
    pub(crate) name: Ident,
    /// The parameters, whether written after the name or after the direction.
    pub(crate) generics: Generics,
    /// `true` for `send`, `false` for `recv`.
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

/// The step after a message.
pub(crate) enum Next {
    /// `-> !`
    End,
    /// `-> connected<T>`
    State { name: Ident, arguments: Option<syn::AngleBracketedGenericArguments> },
}

/// The attributes of a protocol, a state or a message.
#[derive(Clone, Default)]
pub(crate) struct Attributes {
    /// Doc comments.
    pub(crate) docs: Vec<Attribute>,
    /// `#[derive(…)]`
    pub(crate) derives: Vec<Attribute>,
    /// `#[allow(…)]` and the other lint attributes.
    pub(crate) lints: Vec<Attribute>,
    /// `#[bounded]` or `#[bounded(3)]`
    pub(crate) bounded: Option<Bounded>,
    /// `#[remote]`, `#[remote(version = 2)]` or `#[remote(schema)]`
    pub(crate) remote: Option<Remote>,
}

impl Attributes {
    /// Returns the lints that are allowed or expected here, each as `#[allow(…)]`: for items that are
    /// generated from this one besides the one that keeps `#[expect(…)]`. There the lint might find nothing.
    pub(crate) fn allowed(&self) -> impl Iterator<Item = Attribute> {
        self.lints.iter().filter(|lint| is_lenient(lint)).cloned().map(|mut lint| {
            if let Meta::List(list) = &mut lint.meta {
                list.path = syn::parse_quote_spanned!(list.path.span()=> allow);
            }
            lint
        })
    }

    /// Returns the lints that are raised here. They are raised where the user's own code stands, and not in
    /// hidden items, which would only repeat it.
    pub(crate) fn raised(&self) -> impl Iterator<Item = &Attribute> {
        self.lints.iter().filter(|lint| !is_lenient(lint))
    }

    /// Returns `#[allow(…)]` and `#[expect(…)]`, as they are written.
    pub(crate) fn lenient(&self) -> impl Iterator<Item = &Attribute> {
        self.lints.iter().filter(|lint| is_lenient(lint))
    }
}

fn is_lenient(lint: &Attribute) -> bool {
    lint.path().is_ident("allow") || lint.path().is_ident("expect")
}

/// The wish to speak a protocol between programs.
#[derive(Clone)]
pub(crate) struct Remote {
    /// The number that the user raises when a payload changes its meaning.
    pub(crate) version: u32,
    /// The shapes of the payloads are compared, too.
    pub(crate) schema: bool,
}

/// An assertion that a protocol is bounded.
#[derive(Clone)]
pub(crate) struct Bounded {
    pub(crate) span: Span,
    /// The asserted limit: at most this number of messages.
    pub(crate) limit: Option<usize>,
}

/// The arrow between a message and what follows it.
pub(crate) type Arrow = Token![->];
