//! The methods that send.

use super::context::{Context, at};
use super::{docs, memory};
use crate::model::{Message, StateId};
use crate::names;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// ```text
/// impl Client<Login> {
///     pub fn login(self, user: String, password: String) -> … { … }
/// }
/// ```
pub(super) fn methods(context: &Context<'_>, id: StateId) -> TokenStream {
    let state = &context.protocol.states[id];
    let (sender, ty, generics) = (names::endpoint(state.sender), context.state(id), context.generics_of(id));
    let (parameters, _, bounds) = generics.split_for_impl();
    let methods = (0..state.messages.len()).map(|message| method(context, id, message));
    let (outer, own) = (&context.protocol.attributes, &state.attributes);
    let (raised, allowed) = (outer.raised().chain(own.raised()), own.allowed());
    quote! {
        #(#raised)*
        #(#allowed)*
        impl #parameters #sender<#ty> #bounds {
            #(#methods)*
        }
    }
}

/// ```text
/// pub fn login(
///     self,
///     user: String,
///     password: String,
/// ) -> ::core::result::Result<Client<LoginResponse>, pipes::SendError<(String, String)>> {
///     let receive = |(user, password), next| Login::Login(user, password, Server(next));
///     let room = |payload, _| …;
///     unsafe { self.0.send((user, password), receive, room) }
///         .map(Client)
///         .map_err(pipes::__private::not_sent)
/// }
/// ```
///
/// or, for the last message of a session,
/// `unsafe { self.0.finish((), |()| Connected::Leave, room) }.map_err(…)`.
fn method(context: &Context<'_>, id: StateId, number: usize) -> TokenStream {
    let krate = &context.krate;
    let state = &context.protocol.states[id];
    let message = &state.messages[number];
    let name = &message.method;
    let here = at(&message.name);
    let fields = field_names(message);
    let types: Vec<TokenStream> = message.fields.iter().map(|field| context.ty(&field.ty)).collect();
    let payload_type = tuple(&types);
    let (result, sent, then) = call(context, id, number, here, &fields);
    let must_use = message.step.as_ref().map(|_| {
        quote_spanned!(here=> #[must_use = "it contains the endpoint for the next step; dropping that ends the session"])
    });
    let sent = context.library.promise(here, &TokenStream::new(), sent);
    let (raised, allowed) = (message.attributes.raised(), message.attributes.allowed());
    // The name is the user's: a message `a__b`.
    let style = name.to_string().contains("__").then(|| quote!(#[allow(non_snake_case)]));
    let written = &message.attributes.docs;
    let docs = docs::method(context, id, message);
    quote_spanned! {here=>
        #(#written)*
        #[doc = ""]
        #[doc = #docs]
        #(#raised)*
        #(#allowed)*
        #style
        #must_use
        #[inline]
        pub fn #name(
            self #(, #fields: #types)*
        ) -> ::core::result::Result<#result, #krate::SendError<#payload_type>> {
            #sent #then .map_err(#krate::__private::not_sent)
        }
    }
}

/// Returns the type that a method returns when the message is sent, the call that sends it, and the
/// conversion of the call's result to that type.
fn call(
    context: &Context<'_>,
    id: StateId,
    number: usize,
    here: Span,
    fields: &[Ident],
) -> (TokenStream, TokenStream, Option<TokenStream>) {
    let state = &context.protocol.states[id];
    let message = &state.messages[number];
    let (sender, payload) = (names::endpoint(state.sender), tuple(fields));
    let (receive, room) = (receive(context, id, message, fields), memory::room(context, id, number));
    match &message.step {
        Some(step) => {
            let sent = quote_spanned!(here=> self.0.send(#payload, #receive, #room));
            (context.target(state.sender, step), sent, Some(quote_spanned!(here=> .map(#sender))))
        }
        None => (quote!(()), quote_spanned!(here=> self.0.finish(#payload, #receive, #room)), None),
    }
}

/// Generates what makes the value that a receiver gets: `|(user, password), next| Login::Login(user,
/// password, Server(next))`, or for the last message of a session `|()| Connected::Leave`.
fn receive(context: &Context<'_>, id: StateId, message: &Message, fields: &[Ident]) -> TokenStream {
    let state = &context.protocol.states[id];
    let receiver = names::endpoint(state.sender.dual());
    let (ty, variant, payload) = (&state.ty, &message.variant, tuple(fields));
    match (&message.step, fields) {
        (Some(_), _) => quote!(|#payload, next| #ty::#variant(#(#fields,)* #receiver(next))),
        (None, []) => quote!(|#payload| #ty::#variant),
        (None, _) => quote!(|#payload| #ty::#variant(#(#fields),*)),
    }
}

/// Generates the message of a state that has only one:
/// `const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::message(|…| …);`
pub(super) fn only(context: &Context<'_>, id: StateId) -> Option<TokenStream> {
    let krate = &context.krate;
    let [message] = &context.protocol.states[id].messages[..] else { return None };
    // With a ticket beside the payload it is another message to the slot.
    if context.has_tickets() {
        return None;
    }
    let receive = receive(context, id, message, &field_names(message));
    let kind = if message.step.is_some() { quote!(message) } else { quote!(last) };
    Some(quote! {
        const ONLY: #krate::__private::Only<Self> = #krate::__private::Only::#kind(#receive);
    })
}

/// Returns the names of the payload's fields.
fn field_names(message: &Message) -> Vec<Ident> {
    let count = message.fields.len();
    let fields = message.fields.iter().enumerate();
    fields
        .map(|(index, field)| field.name.clone().unwrap_or_else(|| names::field_name(index, count)))
        .collect()
}

/// `()`, the only part, or a tuple.
pub(super) fn tuple(parts: &[impl quote::ToTokens]) -> TokenStream {
    match parts {
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    }
}
