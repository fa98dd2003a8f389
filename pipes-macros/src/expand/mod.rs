//! From a checked protocol to the module that it becomes.
//!
//! One file for each kind of item, with what comes out written above what makes it. Bodies are calls into the runtime; nothing
//! here can fail.
//!
//! # Assumes
//!
//! A checked protocol. (After an error it is expanded as far as it was understood.)
//!
//! # Establishes
//!
//! Code that needs nothing in scope: each path is one of the runtime's, one of `::core`, or one inside the module.
//!
//! # Layers
//!
//! Uses `check`, `model` and `names`; used by the crate's root.

mod any;
mod context;
mod docs;
mod drawing;
mod entry;
mod memory;
mod message;
mod state;
mod warning;

use self::context::{Context, at};
pub(crate) use self::warning::warnings;
use crate::check::Facts;
use crate::model::Protocol;
use crate::names::Library;
use crate::side::Side;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// An empty module, for a protocol that cannot be expanded without errors of the expansion itself.
pub(crate) fn nothing(protocol: &Protocol) -> TokenStream {
    let (visibility, name) = (&protocol.visibility, &protocol.name);
    quote!(#visibility mod #name {})
}

/// The module of a protocol. If that is not sound, because of an error that is reported, no pipe can be made of it.
pub(crate) fn expand(library: &Library, protocol: &Protocol, facts: &Facts, is_sound: bool) -> TokenStream {
    let context = Context::new(library, protocol, facts);
    let (visibility, name) = (&protocol.visibility, &protocol.name);
    let written = &protocol.attributes.docs;
    let docs = docs::module(&context);
    let endpoints = Side::BOTH.map(|side| entry::endpoint(&context, side));
    let (pipe, bound, marker) =
        (entry::pipe(&context, is_sound), entry::bound(&context), entry::marker(&context));
    let states = (0..protocol.states.len()).map(|id| {
        let state = state::state(&context, id);
        let messages = message::methods(&context, id);
        quote!(#state #messages)
    });
    let memory = memory::payloads(&context);
    let aliases = Side::BOTH.map(|side| entry::aliases(&context, side));
    let any = Side::BOTH.map(|side| any::any(&context, side));
    let outside = context.outside();
    quote_spanned! {at(name)=>
        #(#written)*
        // A program need not use all that a protocol has, nor the names around it; and the style of what is generated is no
        // business of the user's.
        #[allow(dead_code, unused_imports, single_use_lifetimes, type_alias_bounds, unused_braces, unused_parens, unreachable_code, clippy::all)]
        #visibility mod #name {
            #![doc = #docs]

            use super::*;

            #pipe
            #bound
            #marker
            #(#states)*
            // Behind the states, so that a page shows the messages of a protocol before what all endpoints have.
            #(#endpoints)*
            #memory
            #(#aliases)*
            #(#any)*
            #outside
        }
    }
}
