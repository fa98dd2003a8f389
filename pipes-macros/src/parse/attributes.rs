//! Attributes, and where each is allowed.

use super::ast::{Attributes, Bounded, Remote};
use crate::diag::{Problem, Problems};
use crate::text::code;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Lit, LitInt, Meta, Token};

/// The kind of item that attributes are written on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    Protocol,
    State,
    Message,
    Field,
}

impl On {
    /// Returns the attributes that are allowed there, as text for an error.
    fn allowed(self) -> &'static str {
        match self {
            On::Protocol => "a doc comment, `derive`, a lint attribute, `bounded`, or `remote`",
            On::State => "a doc comment, `derive`, or a lint attribute",
            On::Message => "a doc comment or a lint attribute",
            On::Field => "a name and a type",
        }
    }

    /// Returns the item's name in an error.
    pub(super) fn word(self) -> &'static str {
        match self {
            On::Protocol => "a protocol",
            On::State => "a state",
            On::Message => "a message",
            On::Field => "a field",
        }
    }
}

/// Sorts attributes by their kind, and reports those that are not allowed.
pub(super) fn sort(written: Vec<Attribute>, on: On, problems: &mut Problems) -> Attributes {
    let mut sorted = Attributes::default();
    for attribute in written {
        let name = code(attribute.path().to_token_stream());
        match (name.as_str(), on) {
            ("cfg" | "cfg_attr", _) => problems.report(&attribute, Problem::Cfg),
            ("doc", On::Protocol | On::State | On::Message) => sorted.docs.push(attribute),
            ("derive", On::Protocol | On::State) => sorted.derives.push(attribute),
            ("allow" | "expect" | "warn" | "deny" | "forbid", On::Protocol | On::State | On::Message) => {
                sorted.lints.push(attribute)
            }
            ("bounded", On::Protocol) => match bounded(&attribute) {
                Ok(_) if sorted.bounded.is_some() => {
                    problems.syntax(syn::Error::new_spanned(attribute, "`bounded` is written twice"));
                }
                Ok(bounded) => sorted.bounded = Some(bounded),
                Err(error) => problems.syntax(error),
            },
            ("remote", On::Protocol) => match remote(&attribute, problems) {
                Ok(_) if sorted.remote.is_some() => {
                    problems.syntax(syn::Error::new_spanned(attribute, "`remote` is written twice"));
                }
                Ok(remote) => sorted.remote = Some(remote),
                Err(error) => problems.syntax(error),
            },
            _ => problems
                .report(&attribute, Problem::UnknownAttribute { name, on: on.word(), allowed: on.allowed() }),
        }
    }
    sorted
}

/// Parses `#[bounded]` or `#[bounded(3)]`.
fn bounded(attribute: &Attribute) -> syn::Result<Bounded> {
    let limit = match &attribute.meta {
        Meta::Path(_) => None,
        _ => Some(attribute.parse_args::<LitInt>()?.base10_parse()?),
    };
    Ok(Bounded { span: attribute.meta.span(), limit })
}

/// Parses `#[remote]`, or `#[remote(version = 2, schema)]`, or one of the two arguments.
fn remote(attribute: &Attribute, problems: &mut Problems) -> syn::Result<Remote> {
    let mut remote = Remote { version: 0, schema: false };
    if let Meta::Path(_) = &attribute.meta {
        return Ok(remote);
    }
    let arguments = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
    let name = |argument: &Meta| argument.path().to_token_stream().to_string();
    for (at, argument) in arguments.iter().enumerate() {
        if arguments.iter().take(at).any(|before| name(before) == name(argument)) {
            let name = name(argument);
            problems.syntax(syn::Error::new_spanned(argument, format!("`{name}` is written twice")));
        }
        match argument {
            Meta::Path(path) if path.is_ident("schema") => remote.schema = true,
            Meta::NameValue(pair) if pair.path.is_ident("version") => match number(&pair.value) {
                Some(version) => remote.version = version,
                None => problems.report(&pair.value, Problem::RemoteVersion),
            },
            _ => problems.report(argument, Problem::RemoteArgument),
        }
    }
    Ok(remote)
}

/// Returns the number that is written here.
fn number(value: &Expr) -> Option<u32> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}
