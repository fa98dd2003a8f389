//! The type of a state: the enum of the messages that a receiver gets in it.

use super::context::{Context, at};
use super::{docs, memory, message};
use crate::check::Memory;
use crate::model::{Message, StateId};
use crate::names;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Attribute;

/// Generates the type of a state and its trait implementations.
pub(super) fn state(context: &Context<'_>, id: StateId) -> TokenStream {
    let (declared, debug, state) = (declared(context, id), debug(context, id), is_state(context, id));
    quote!(#declared #debug #state)
}

/// ```text
/// pub enum LoginResponse {
///     Ok(Client<Connected>),
///     Invalid(Client<Login>),
/// }
/// ```
fn declared(context: &Context<'_>, id: StateId) -> TokenStream {
    let state = &context.protocol.states[id];
    let (ty, generics) = (&state.ty, context.generics_of(id));
    let (_, _, bounds) = generics.split_for_impl();
    let docs = docs::state(context, id);
    let (outer, own) = (&context.protocol.attributes, &state.attributes);
    let attributes = outer.derives.iter().chain(outer.raised()).chain(&own.derives).chain(&own.lints);
    let written = &own.docs;
    let variants = state.messages.iter().map(|message| variant(context, id, message));
    quote_spanned! {at(&state.name)=>
        #(#written)*
        #[doc = ""]
        #[doc = #docs]
        #(#attributes)*
        pub enum #ty #generics #bounds {
            #(#variants)*
        }
    }
}

/// `Ok(Client<Connected>),`
fn variant(context: &Context<'_>, id: StateId, message: &Message) -> TokenStream {
    let name = &message.variant;
    let receiver = context.protocol.states[id].sender.dual();
    let fields = message.fields.iter().map(|field| context.ty(&field.ty));
    let next = message.step.as_ref().map(|step| context.target(receiver, step));
    let parts: Vec<TokenStream> = fields.chain(next).collect();
    let parts = (!parts.is_empty()).then(|| quote!((#(#parts),*)));
    let (written, lints) = (&message.attributes.docs, &message.attributes.lints);
    let docs = docs::variant(message);
    quote! {
        #(#written)*
        #docs
        #(#lints)*
        #name #parts,
    }
}

/// ```text
/// impl ::core::fmt::Debug for LoginResponse {
///     fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
///         f.write_str(match *self {
///             Self::Ok { .. } => "Ok",
///             Self::Invalid { .. } => "Invalid",
///         })
///     }
/// }
/// ```
fn debug(context: &Context<'_>, id: StateId) -> Option<TokenStream> {
    let state = &context.protocol.states[id];
    if derives_debug(&context.protocol.attributes.derives) || derives_debug(&state.attributes.derives) {
        return None;
    }
    let (ty, generics, lints) = (context.state(id), context.generics_of(id), state.attributes.allowed());
    let (parameters, _, bounds) = generics.split_for_impl();
    let variants = state.messages.iter().map(|message| {
        let (variant, name) = (&message.variant, message.variant.to_string());
        quote!(Self::#variant { .. } => #name,)
    });
    // A state without messages has been reported. Here it must only not cause another error.
    let printed = if state.messages.is_empty() {
        quote!(match *self {})
    } else {
        quote!(f.write_str(match *self { #(#variants)* }))
    };
    Some(quote_spanned! {at(&state.name)=>
        #(#lints)*
        impl #parameters ::core::fmt::Debug for #ty #bounds {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #printed
            }
        }
    })
}

/// ```text
/// unsafe impl pipes::__private::State for LoginResponse {
///     type Sender = pipes::__private::AsServer;
///     type Memory = pipes::__private::Chain<__Payloads>;
///     type Payloads = __Payloads;
///     const INFO: &'static pipes::StateInfo = ClientState::LoginResponse.info();
/// }
/// impl pipes::__private::SentBy<pipes::__private::AsServer> for LoginResponse {}
/// ```
fn is_state(context: &Context<'_>, id: StateId) -> TokenStream {
    let krate = &context.krate;
    let (ty, generics) = (context.state(id), context.generics_of(id));
    let (parameters, _, bounds) = generics.split_for_impl();
    let sender = names::role(context.protocol.states[id].sender);
    let memory = match &context.facts.memory {
        Memory::Common(_) => memory::policy(context, id),
        Memory::ByState { .. } => quote!(#krate::__private::Inherited),
    };
    let variant = &context.protocol.states[id].ty;
    let (payloads, only) = (memory::payloads_of(context, id), message::only(context, id));
    let place = at(&context.protocol.states[id].name);
    let lints: Vec<Attribute> = context.protocol.states[id].attributes.allowed().collect();
    let implementation = context.library.promise(
        place,
        &quote_spanned!(place=> impl #parameters #krate::__private::State for #ty #bounds),
        quote_spanned! {place=>
            type Sender = #krate::__private::#sender;
            type Memory = #memory;
            type Payloads = #payloads;
            #only
            const INFO: &'static #krate::StateInfo = ClientState::#variant.info();
        },
    );
    quote_spanned! {place=>
        #[doc(hidden)]
        #(#lints)*
        #implementation

        #[doc(hidden)]
        #(#lints)*
        impl #parameters #krate::__private::SentBy<#krate::__private::#sender> for #ty #bounds {}
    }
}

/// Returns `true` if `Debug` is among these derives.
fn derives_debug(derives: &[Attribute]) -> bool {
    let mut found = false;
    for derive in derives {
        // The compiler reports a derive that cannot be parsed.
        let _ = derive.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|segment| segment.ident == "Debug");
            Ok(())
        });
    }
    found
}
