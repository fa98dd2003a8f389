//! What a protocol with `#[remote]` has besides: the ways to connect to another program.

use super::context::{Context, arguments};
use super::{docs, relay};
use crate::parse::Remote;
use crate::side::Side;
use crate::text::key;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// All items of a protocol that is spoken between programs.
pub(super) fn items(context: &Context<'_>, wish: &Remote, is_sound: bool) -> Option<TokenStream> {
    if !is_sound {
        return None;
    }
    let (remote, connect, listen) = (remote(context, wish), connect(context), listen(context));
    let relays = Side::BOTH.map(|side| relay::relay(context, side, wish));
    Some(quote!(#connect #listen #remote #(#relays)*))
}

/// ```text
/// impl pipes::Remote for Protocol {
///     const NAME: &'static str = "bank";
///     …
/// }
/// ```
fn remote(context: &Context<'_>, wish: &Remote) -> TokenStream {
    let (krate, generics) = (&context.krate, context.generics_of(0));
    let (parameters, own, bounds) = generics.split_for_impl();
    let all = arguments(&context.facts.all_parameters);
    let name = context.protocol.name.to_string();
    let (hash, version) = (Literal::u128_unsuffixed(hash(context)), Literal::u32_unsuffixed(wish.version));
    quote! {
        impl #parameters #krate::Remote for Protocol #own #bounds {
            const NAME: &'static ::core::primitive::str = #name;
            const HASH: ::core::primitive::u128 = #hash;
            const VERSION: ::core::primitive::u32 = #version;
            const BOUND: #krate::Bound = BOUND;
            type Calls = AnyServer #all;
            type Serves = AnyClient #all;
        }
    }
}

/// ```text
/// pub fn connect<V: pipes::Dial<Protocol> + ?Sized>(via: &V) -> Result<Client<Login>, V::Error> {
///     via.dial().map(|(client, _)| client)
/// }
/// ```
///
/// and the other ways to begin a session.
fn connect(context: &Context<'_>) -> TokenStream {
    let Parts { krate, start, own, parameters, bounds } = &Parts::of(context);
    let result = quote!(::core::result::Result);
    let [connect, with_link, in_task, in_task_with_link] = docs::connect(context);
    let client = quote!(Client<#start>);
    quote! {
        #[doc = #connect]
        pub fn connect<#parameters __Via: #krate::Dial<Protocol #own> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> #result<#client, __Via::Error> #bounds {
            via.dial().map(|(client, _)| client)
        }

        #[doc = #with_link]
        pub fn connect_with_link<#parameters __Via: #krate::Dial<Protocol #own> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> #result<(#client, #krate::Link), __Via::Error> #bounds {
            via.dial()
        }

        #[doc = #in_task]
        pub async fn connect_async<#parameters __Via: #krate::Dial<Protocol #own> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> #result<#client, __Via::Error> #bounds {
            via.dial_async().await.map(|(client, _)| client)
        }

        #[doc = #in_task_with_link]
        pub async fn connect_with_link_async<#parameters __Via: #krate::Dial<Protocol #own> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> #result<(#client, #krate::Link), __Via::Error> #bounds {
            via.dial_async().await
        }
    }
}

/// ```text
/// pub fn listen<V: pipes::Serve<Protocol> + ?Sized>(via: &V) -> Result<pipes::Listener<Protocol>, V::Error> {
///     via.serve(|server, _| server)
/// }
/// ```
///
/// and the other ways to accept sessions.
fn listen(context: &Context<'_>) -> TokenStream {
    let Parts { krate, start, own, parameters, .. } = &Parts::of(context);
    let mut generics = context.generics_of(0);
    if own.is_some() {
        // Sessions come from another thread. Without parameters that is known, and saying it would be a
        // warning.
        let sent = syn::parse_quote!(Server<#start>: ::core::marker::Send + 'static);
        generics.make_where_clause().predicates.push(sent);
    }
    let bounds = &generics.where_clause;
    let result = quote!(::core::result::Result);
    let [listen, with_links, in_task, in_task_with_links] = docs::listen(context);
    let (listener, linked) = (
        quote!(#krate::Listener<Protocol #own>),
        quote!(#krate::Listener<Protocol #own, (Server<#start>, #krate::Link)>),
    );
    quote! {
        #[doc = #listen]
        pub fn listen<#parameters __Via: #krate::Serve<Protocol #own> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> #result<#listener, __Via::Error> #bounds {
            via.serve(|server, _| server)
        }

        #[doc = #with_links]
        pub fn listen_with_links<#parameters __Via: #krate::Serve<Protocol #own> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> #result<#linked, __Via::Error> #bounds {
            via.serve(|server, link| (server, link))
        }

        #[doc = #in_task]
        pub async fn listen_async<#parameters __Via: #krate::Serve<Protocol #own> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> #result<#listener, __Via::Error> #bounds {
            via.serve_async(|server, _| server).await
        }

        #[doc = #in_task_with_links]
        pub async fn listen_with_links_async<#parameters __Via: #krate::Serve<Protocol #own> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> #result<#linked, __Via::Error> #bounds {
            via.serve_async(|server, link| (server, link)).await
        }
    }
}

/// What the templates share.
struct Parts<'a> {
    krate: &'a TokenStream,
    /// `Login`, or `Open<T>`
    start: TokenStream,
    /// `<T>`, or nothing
    own: Option<TokenStream>,
    /// `T: Send,`, or nothing
    parameters: TokenStream,
    /// `where …`, or nothing
    bounds: TokenStream,
}

impl<'a> Parts<'a> {
    fn of(context: &'a Context<'_>) -> Self {
        let generics = context.generics_of(0);
        let (parameters, bounds) = (generics.params.iter(), &generics.where_clause);
        Parts {
            krate: &context.krate,
            start: context.state(0),
            own: arguments(&context.facts.parameters[0]),
            parameters: quote!(#(#parameters,)*),
            bounds: quote!(#bounds),
        }
    }
}

/// A hash of what both programs must agree on: the states, their messages, the payloads as they are written,
/// and the next states (FNV-1a, 128 bits, Fowler, Noll and Vo).
fn hash(context: &Context<'_>) -> u128 {
    let mut text = String::new();
    for state in &context.protocol.states {
        text.push_str(&format!("{} {}\n", state.ty, state.sender.word()));
        for message in &state.messages {
            let fields: Vec<String> = message.fields.iter().map(|field| key(&field.ty)).collect();
            let next = message.step.as_ref().map_or("!".into(), |step| step.to.to_string());
            text.push_str(&format!("{}({})->{next}\n", message.variant, fields.join(", ")));
        }
    }
    text.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}
