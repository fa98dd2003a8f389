//! The room that a slot must have, and what decides about threads.

use super::context::{Context, arguments};
use crate::check::{Bound, Memory};
use crate::model::{Mentions, Parameter, StateId};
use crate::names;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

/// The hidden types with room for any payload: one for the protocol, or one for each state.
pub(super) fn payloads(context: &Context<'_>) -> TokenStream {
    match &context.facts.memory {
        Memory::Common(payloads) => union(context, None, payloads),
        Memory::ByState(states) => {
            states.iter().enumerate().map(|(state, payloads)| union(context, Some(state), payloads)).collect()
        }
    }
}

/// ```text
/// pub union __Payloads {
///     _0: ::core::mem::ManuallyDrop<(String, String)>,
///     _1: ::core::mem::ManuallyDrop<u64>,
/// }
/// ```
fn union(context: &Context<'_>, state: Option<StateId>, payloads: &[Type]) -> TokenStream {
    let name = names::payloads(state.map(|state| &context.protocol.states[state].ty));
    let generics = context.generics(&mentioned(context, state, payloads));
    let (_, _, bounds) = generics.split_for_impl();
    let fields = payloads.iter().enumerate().map(|(index, ty)| {
        let (field, ty) = (names::payload_field(index), context.ty(ty));
        quote!(#field: ::core::mem::ManuallyDrop<#ty>,)
    });
    // A union has at least one field.
    let nothing = payloads.is_empty().then(|| {
        let field = names::payload_field(0);
        quote!(#field: (),)
    });
    quote! {
        // A slot has room for any of these, and an endpoint may go where all of these may go.
        #[doc(hidden)]
        #[allow(missing_debug_implementations)]
        pub union #name #generics #bounds {
            #(#fields)*
            #nothing
        }
    }
}

/// The hidden type, as a state names it.
pub(super) fn payloads_of(context: &Context<'_>, state: StateId) -> TokenStream {
    let state_of_its_own = match &context.facts.memory {
        Memory::Common(_) => None,
        Memory::ByState(_) => Some(state),
    };
    let name = names::payloads(state_of_its_own.map(|state| &context.protocol.states[state].ty));
    let arguments = arguments(&mentioned(context, state_of_its_own, context.facts.memory.from(state)));
    quote!(#name #arguments)
}

/// Where the messages of a pipe live that begins in this state.
pub(super) fn policy(context: &Context<'_>, state: StateId) -> TokenStream {
    let (krate, payloads) = (context.krate, payloads_of(context, state));
    match &context.facts.bound {
        Bound::Messages { slots, .. } => {
            let slots = proc_macro2::Literal::usize_unsuffixed(*slots);
            quote!(#krate::__private::Ring<#payloads, #slots>)
        }
        Bound::Unbounded { .. } => quote!(#krate::__private::Chain<#payloads>),
    }
}

/// The parameters that such a type has: those that its fields mention.
fn mentioned(context: &Context<'_>, state: Option<StateId>, payloads: &[Type]) -> Vec<Parameter> {
    let mentions = Mentions::of_types(payloads);
    let parameters = &context.facts.parameters[state.unwrap_or(0)];
    parameters.iter().filter(|parameter| mentions.has(&parameter.name())).cloned().collect()
}
