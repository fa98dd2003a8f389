//! The room that a slot must have, and what decides about threads.

use super::context::{Context, arguments};
use crate::check::{Bound, Instance, Memory, sent_in};
use crate::model::{Mentions, Parameter, StateId};
use crate::names;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::Type;

/// The hidden types with room for any payload: one for the protocol, or one for each state.
pub(super) fn payloads(context: &Context<'_>) -> TokenStream {
    match &context.facts.memory {
        Memory::Common(payloads) => union(
            context,
            &names::payloads(None),
            &mentioned(context, 0, payloads),
            &written(context, payloads),
        ),
        Memory::ByState(states) => {
            let sent = (0..states.len()).map(|state| sent(context, state));
            let from = states.iter().enumerate().map(|(state, instances)| {
                let fields: Vec<TokenStream> =
                    instances.iter().filter_map(|instance| sent_in_instance(context, instance)).collect();
                let name = names::payloads(Some(&context.protocol.states[state].ty));
                union(context, &name, &parameters_from(context, state, instances), &fields)
            });
            sent.chain(from).collect()
        }
    }
}

/// What is sent in one state; nothing, if nothing is.
fn sent(context: &Context<'_>, id: StateId) -> TokenStream {
    let state = &context.protocol.states[id];
    let payloads = sent_in(state);
    if payloads.is_empty() {
        return TokenStream::new();
    }
    union(context, &names::sent(&state.ty), &mentioned(context, id, &payloads), &written(context, &payloads))
}

/// What is sent in a state with these arguments: `__SentInOpen<Vec<u8>>`.
fn sent_in_instance(context: &Context<'_>, instance: &Instance) -> Option<TokenStream> {
    let state = &context.protocol.states[instance.state];
    let (name, payloads) = (names::sent(&state.ty), sent_in(state));
    let parameters = mentioned(context, instance.state, &payloads);
    let arguments = context.passed(instance.state, &instance.arguments, &parameters);
    (!payloads.is_empty()).then(|| quote!(#name #arguments))
}

/// ```text
/// pub union __Payloads {
///     _0: ::core::mem::ManuallyDrop<(String, String)>,
///     _1: ::core::mem::ManuallyDrop<u64>,
/// }
/// ```
///
/// A slot has room for any of these, and an endpoint may go where all of these may go.
fn union(
    context: &Context<'_>,
    name: &Ident,
    parameters: &[Parameter],
    fields: &[TokenStream],
) -> TokenStream {
    let generics = context.generics(parameters);
    let (_, _, bounds) = generics.split_for_impl();
    let names = (0..fields.len()).map(names::payload_field);
    // A union has at least one field.
    let nothing = fields.is_empty().then(|| {
        let field = names::payload_field(0);
        quote!(#field: (),)
    });
    quote! {
        #[doc(hidden)]
        #[allow(missing_debug_implementations)]
        pub union #name #generics #bounds {
            #(#names: ::core::mem::ManuallyDrop<#fields>,)*
            #nothing
        }
    }
}

/// The hidden type, as a state names it.
pub(super) fn payloads_of(context: &Context<'_>, id: StateId) -> TokenStream {
    let (name, parameters) = match &context.facts.memory {
        Memory::Common(payloads) => (names::payloads(None), mentioned(context, 0, payloads)),
        Memory::ByState(states) => (
            names::payloads(Some(&context.protocol.states[id].ty)),
            parameters_from(context, id, &states[id]),
        ),
    };
    let arguments = arguments(&parameters);
    quote!(#name #arguments)
}

/// Where the messages of a pipe live that begins in this state.
pub(super) fn policy(context: &Context<'_>, id: StateId) -> TokenStream {
    let (krate, payloads) = (&context.krate, payloads_of(context, id));
    match &context.facts.bound {
        Bound::Messages { slots, .. } => {
            let slots = Literal::usize_unsuffixed(*slots);
            quote!(#krate::__private::Ring<#payloads, #slots>)
        }
        Bound::Unbounded { .. } => quote!(#krate::__private::Chain<#payloads>),
    }
}

fn written(context: &Context<'_>, types: &[Type]) -> Vec<TokenStream> {
    types.iter().map(|ty| context.ty(ty)).collect()
}

/// The parameters of a state that these types mention.
fn mentioned(context: &Context<'_>, id: StateId, types: &[Type]) -> Vec<Parameter> {
    let mentions = Mentions::of_types(types);
    let parameters = context.facts.parameters[id].iter();
    parameters.filter(|parameter| mentions.has(&parameter.name())).cloned().collect()
}

/// The parameters of a state that what is sent in these instances mentions.
fn parameters_from(context: &Context<'_>, id: StateId, instances: &[Instance]) -> Vec<Parameter> {
    let mentioned_by = |instance: &Instance, name: &str| {
        let state = &context.protocol.states[instance.state];
        mentioned(context, instance.state, &sent_in(state)).iter().any(|parameter| {
            let own = state.parameters.iter().position(|own| own.name() == parameter.name());
            match own.and_then(|own| instance.arguments.get(own)) {
                Some(argument) => Mentions::of_arguments([argument]).has(name),
                None => parameter.name() == name,
            }
        })
    };
    let parameters = context.facts.parameters[id].iter();
    let used =
        |parameter: &&Parameter| instances.iter().any(|instance| mentioned_by(instance, &parameter.name()));
    parameters.filter(used).cloned().collect()
}
