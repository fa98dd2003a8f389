//! Generates the module of a checked protocol.
//!
//! There is one file for each kind of item. An example of the output stands above each function that makes
//! it. The bodies of generated functions are calls into the runtime. Nothing here can fail.
//!
//! # Assumes
//!
//! A checked protocol. After an error, it is the part of the protocol that was understood.
//!
//! # Establishes
//!
//! Code that needs nothing in scope: each path is one of the runtime's, one of `::core`, or one inside the
//! module.
//!
//! # Layers
//!
//! Uses `check`, `model` and `names`; used by the crate's root.

mod any;
mod context;
mod diagrams;
mod docs;
mod drawing;
mod entry;
mod memory;
mod message;
mod picture;
mod relay;
mod remote;
mod state;
mod states;
mod warning;

use self::context::{Context, at};
pub(crate) use self::warning::warnings;
use crate::check::Facts;
use crate::model::Protocol;
use crate::names::Library;
use crate::side::Side;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// Generates an empty module, for a protocol whose expansion would cause errors of its own.
pub(crate) fn nothing(protocol: &Protocol) -> TokenStream {
    let (visibility, name) = (&protocol.visibility, &protocol.name);
    quote!(#visibility mod #name {})
}

/// Generates the module of a protocol. If the protocol has errors, `is_sound` is false, and the generated
/// `pipe` makes no pipe.
pub(crate) fn expand(library: &Library, protocol: &Protocol, facts: &Facts, is_sound: bool) -> TokenStream {
    let context = Context::new(library, protocol, facts);
    let (visibility, name) = (&protocol.visibility, &protocol.name);
    let (written, lints) = (&protocol.attributes.docs, protocol.attributes.lenient());
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
    let values = states::states(&context);
    let aliases = Side::BOTH.map(|side| entry::aliases(&context, side));
    let any = Side::BOTH.map(|side| any::any(&context, side));
    let remote = protocol.attributes.remote.as_ref().map(|wish| remote::items(&context, wish, is_sound));
    let outside = context.outside();
    quote_spanned! {at(name)=>
        #(#written)*
        // A program need not use all items of a protocol, nor the names around it. Lints about the style of
        // generated code would only bother the user.
        #[allow(dead_code, unused_imports, single_use_lifetimes, type_alias_bounds, unused_braces, unused_parens, unreachable_code, clippy::all)]
        // One by one, because a group that a user forbids cannot be allowed.
        #[allow(clippy::future_not_send, clippy::same_name_method, clippy::shadow_reuse)]
        #(#lints)*
        #visibility mod #name {
            #![doc = #docs]

            use super::*;

            #pipe
            #bound
            #marker
            #(#states)*
            // After the states, so that a page shows the methods for a protocol's messages before those of
            // all endpoints.
            #(#endpoints)*
            #memory
            #values
            #(#aliases)*
            #(#any)*
            #remote
            #outside
        }
    }
}
