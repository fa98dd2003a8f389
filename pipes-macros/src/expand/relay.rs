//! The walker of a protocol between programs: how messages leave a pipe for a connection, and how they come
//! into a pipe from one.

use super::context::{Context, arguments, at};
use super::memory;
use super::message::tuple;
use crate::model::{Message, State, StateId};
use crate::names;
use crate::parse::Remote;
use crate::side::Side;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};

/// ```text
/// impl<__Codec> pipes::remote::Relay<__Codec> for AnyServer
/// where
///     __Codec: pipes::remote::Carries<(String, String)> + pipes::remote::Carries<()>,
/// {
///     …
/// }
/// ```
///
/// for the end of this side, which the pump of the other side's user holds.
pub(super) fn relay(context: &Context<'_>, side: Side, wish: &Remote) -> TokenStream {
    let (krate, codec, any) = (&context.krate, names::codec(), names::any(side));
    let arguments = arguments(&context.facts.all_parameters);
    let payloads = payloads(context);
    let mut generics = context.generics(&context.facts.all_parameters);
    generics.params.push(syn::parse_quote!(#codec));
    let bounds = &mut generics.make_where_clause().predicates;
    for payload in &payloads {
        bounds.push(syn::parse_quote!(#codec: #krate::remote::Carries<#payload>));
        if wish.schema {
            bounds.push(syn::parse_quote!(#codec: #krate::remote::Describes<#payload>));
        }
    }
    let (parameters, _, bounds) = generics.split_for_impl();
    let hash = hash(context, &payloads, wish);
    let states = context.protocol.states.iter().map(|state| {
        let (variant, name) = (&state.ty, state.name.to_string());
        quote!(Self::#variant(_) => #name,)
    });
    let speaks = context.protocol.states.iter().map(|state| {
        let (variant, speaks) = (&state.ty, state.sender != side);
        quote!(Self::#variant(_) => #speaks,)
    });
    let polls = context.protocol.states.iter().map(|state| {
        let variant = &state.ty;
        if state.sender == side {
            quote!(Self::#variant(endpoint) => #krate::Closing::poll_closed(endpoint, cx),)
        } else {
            quote!(Self::#variant(endpoint) => #krate::Readiness::poll_ready(endpoint, cx),)
        }
    });
    let (lifts, lowers, lints) = (lifts(context, side), lowers(context, side), &context.allowed);
    quote_spanned! {at(&context.protocol.name)=>
        #[doc(hidden)]
        #[allow(unused_variables)]
        #lints
        impl #parameters #krate::remote::Relay<#codec> for #any #arguments #bounds {
            fn hash(codec: &#codec) -> ::core::primitive::u128 {
                #hash
            }

            fn state(&self) -> &'static ::core::primitive::str {
                match self { #(#states)* }
            }

            fn user_speaks(&self) -> ::core::primitive::bool {
                match self { #(#speaks)* }
            }

            fn poll(&mut self, cx: &mut ::core::task::Context<'_>) -> ::core::task::Poll<()> {
                match self { #(#polls)* }
            }

            fn lift(self, codec: &#codec, out: &mut ::std::vec::Vec<::core::primitive::u8>) -> #krate::remote::Lifted<Self> {
                match self { #(#lifts)* }
            }

            fn lower(
                self,
                codec: &#codec,
                message: #krate::remote::Incoming<'_>,
            ) -> #krate::remote::Lowered<Self> {
                match (self, message.tag) {
                    #(#lowers)*
                    (other, _) => #krate::__private::lower_nothing::<#codec, Self>(other, message),
                }
            }
        }
    }
}

/// Returns the protocol's hash; with `schema`, mixed with the shape of each payload.
fn hash(context: &Context<'_>, payloads: &[TokenStream], wish: &Remote) -> TokenStream {
    let (krate, codec) = (&context.krate, names::codec());
    let own = arguments(&context.facts.parameters[0]);
    let hash = quote!(<Protocol #own as #krate::remote::Remote>::HASH);
    if !wish.schema {
        return hash;
    }
    payloads.iter().fold(hash, |hash, payload| {
        quote!(#krate::remote::combine(#hash, <#codec as #krate::remote::Describes<#payload>>::shape(codec)))
    })
}

/// Returns the types of all payloads, each once.
fn payloads(context: &Context<'_>) -> Vec<TokenStream> {
    let mut payloads: Vec<TokenStream> = Vec::new();
    for (_, message) in context.protocol.messages() {
        let types: Vec<TokenStream> = message.fields.iter().map(|field| context.ty(&field.ty)).collect();
        let payload = tuple(&types);
        if payloads.iter().all(|known| known.to_string() != payload.to_string()) {
            payloads.push(payload);
        }
    }
    payloads
}

/// ```text
/// Self::Login(endpoint) => pipes::__private::lift(endpoint, Self::Login, |message| match message {
///     Login::Login(payload0, payload1, next) => {
///         let name = "the message `login` of `bank`";
///         (0, pipes::__private::put(codec, name, (payload0, payload1), out), Some(next.into()))
///     }
/// }),
/// Self::LoginResponse(endpoint) => pipes::remote::Lifted::Nothing(Self::LoginResponse(endpoint)),
/// ```
fn lifts(context: &Context<'_>, side: Side) -> impl Iterator<Item = TokenStream> {
    context.protocol.states.iter().map(move |state| {
        let (krate, ty) = (&context.krate, &state.ty);
        if state.sender == side {
            return quote!(Self::#ty(endpoint) => #krate::remote::Lifted::Nothing(Self::#ty(endpoint)),);
        }
        let messages =
            state.messages.iter().enumerate().map(|(tag, message)| lift(context, state, tag, message));
        quote! {
            Self::#ty(endpoint) => #krate::__private::lift(endpoint, Self::#ty, |message| match message {
                #(#messages)*
            }),
        }
    })
}

fn lift(context: &Context<'_>, state: &State, tag: usize, message: &Message) -> TokenStream {
    let (krate, ty, variant) = (&context.krate, &state.ty, &message.variant);
    let (fields, tag) = (fields(message), Literal::usize_unsuffixed(tag));
    let (name, payload) = (name(context, message), tuple(&fields));
    let next = message.step.as_ref().map(|_| quote!(next));
    let parts: Vec<TokenStream> = fields.iter().map(|field| quote!(#field)).chain(next).collect();
    let parts = (!parts.is_empty()).then(|| quote!((#(#parts),*)));
    let next = match &message.step {
        Some(_) => quote!(::core::option::Option::Some(::core::convert::Into::into(next))),
        None => quote!(::core::option::Option::None),
    };
    quote!(#ty::#variant #parts => (#tag, #krate::__private::put(codec, #name, #payload, out), #next),)
}

/// ```text
/// (Self::LoginResponse(endpoint), 0) => {
///     pipes::__private::lower(codec, "the message `ok` of `bank`", message, |()| endpoint.ok())
/// }
/// ```
///
/// If slots have room for tickets:
///
/// ```text
/// (Self::Open(endpoint), 0) => pipes::__private::lower(codec, "…", message, |payload, ticket| {
///     let receive = |(payload, ticket), next| …;
///     unsafe { endpoint.0.send((payload, ticket), receive, room) }.map(Server)
/// }),
/// ```
fn lowers(context: &Context<'_>, side: Side) -> impl Iterator<Item = TokenStream> {
    let states = context.protocol.states.iter().enumerate().filter(move |(_, state)| state.sender == side);
    states
        .flat_map(move |(id, state)| (0..state.messages.len()).map(move |tag| lower(context, id, state, tag)))
}

fn lower(context: &Context<'_>, id: StateId, state: &State, tag: usize) -> TokenStream {
    let (krate, message, ty) = (&context.krate, &state.messages[tag], &state.ty);
    let fields = fields(message);
    let types: Vec<TokenStream> = message.fields.iter().map(|field| context.ty(&field.ty)).collect();
    let (payload, payload_type) = (tuple(&fields), tuple(&types));
    let (name, number) = (name(context, message), Literal::usize_unsuffixed(tag));
    let ends = message.step.is_none();
    if !context.has_tickets() {
        let (method, way) = (&message.method, if ends { quote!(lower_last) } else { quote!(lower) });
        return quote! {
            (Self::#ty(endpoint), #number) => {
                #krate::__private::#way(codec, #name, message, |#payload: #payload_type, _| endpoint.#method(#(#fields),*))
            }
        };
    }
    let way = if ends { quote!(lower_last) } else { quote!(lower) };
    // There is nothing to keep of a payload that is written `()`: the ticket is alone in its slot.
    let (kept, values) = if message.sends_nothing() {
        (quote!(ticket), vec![quote!(()); fields.len()])
    } else {
        (quote!((#payload, ticket)), fields.iter().map(|field| quote!(#field)).collect())
    };
    let (receiver, sender) = (names::endpoint(state.sender.dual()), names::endpoint(state.sender));
    let variant = &message.variant;
    let next = (!ends).then(|| quote!(#receiver(next)));
    let parts: Vec<TokenStream> = values.into_iter().chain(next).collect();
    let parts = (!parts.is_empty()).then(|| quote!((#(#parts),*)));
    let room = memory::room_with_ticket(context, id, tag);
    let made = quote!({ ::core::mem::drop(ticket); #ty::#variant #parts });
    let (call, then) = if ends {
        (quote!(endpoint.0.finish(#kept, |#kept| #made, #room)), None)
    } else {
        (quote!(endpoint.0.send(#kept, |#kept, next| #made, #room)), Some(quote!(.map(#sender))))
    };
    let sent = context.library.promise(at(&message.name), &TokenStream::new(), call);
    quote! {
        (Self::#ty(endpoint), #number) => {
            #krate::__private::#way(codec, #name, message, |#payload: #payload_type, ticket| #sent #then)
        }
    }
}

/// Returns a message, as a fault names it.
fn name(context: &Context<'_>, message: &Message) -> String {
    format!("the message `{}` of `{}`", message.name, context.protocol.name)
}

/// Returns names for the parts of a payload. The user's own names could be those of other variables here.
fn fields(message: &Message) -> Vec<Ident> {
    let count = message.fields.len();
    (0..count).map(|index| names::field_name(index, count)).collect()
}
