//! What a protocol with `#[remote]` has besides: the ways to connect to another program.

use super::context::{Context, arguments, at};
use super::relay;
use crate::parse::Remote;
use crate::side::Side;
use crate::text::key;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

/// Generates all items of a protocol that is spoken between programs.
pub(super) fn items(context: &Context<'_>, wish: &Remote, is_sound: bool) -> Option<TokenStream> {
    if !is_sound {
        return None;
    }
    let (remote, connections) = (remote(context, wish), connections(context));
    let relays = Side::BOTH.map(|side| relay::relay(context, side, wish));
    Some(quote!(#connections #remote #(#relays)*))
}

/// ```text
/// impl pipes::remote::Remote for Protocol {
///     const NAME: &'static str = "bank";
///     …
/// }
/// ```
fn remote(context: &Context<'_>, wish: &Remote) -> TokenStream {
    let (krate, generics) = (&context.krate, context.generics_of(0));
    let (parameters, own, bounds) = generics.split_for_impl();
    let all = arguments(&context.facts.all_parameters);
    let name = context.protocol.name.to_string();
    let lints = &context.allowed;
    let (hash, version) = (Literal::u128_unsuffixed(hash(context)), Literal::u32_unsuffixed(wish.version));
    quote! {
        #lints
        impl #parameters #krate::remote::Remote for Protocol #own #bounds {
            const NAME: &'static ::core::primitive::str = #name;
            const HASH: ::core::primitive::u128 = #hash;
            const VERSION: ::core::primitive::u32 = #version;
            // `BOUND` alone could be a parameter of the protocol.
            const BOUND: #krate::Bound = self::BOUND;
            type Calls = AnyServer #all;
            type Serves = AnyClient #all;
        }
    }
}

/// ```text
/// pipes::__remote! {
///     protocol Protocol, client Client<Login>, server Server<Login>, [], where []
/// }
/// ```
///
/// which declares `connect`, `listen` and the other ways to reach another program.
fn connections(context: &Context<'_>) -> TokenStream {
    let (krate, start, generics) = (&context.krate, context.state(0), context.generics_of(0));
    let (own, lints) = (arguments(&context.facts.parameters[0]), &context.allowed);
    let parameters = generics.params.iter();
    let bounds = generics.where_clause.as_ref().map(|clause| &clause.predicates);
    quote_spanned! {at(&context.protocol.name)=>
        #krate::__remote! {
            #lints protocol Protocol #own, client Client<#start>, server Server<#start>,
            [#(#parameters,)*], where [#bounds]
        }
    }
}

/// Returns a hash of what both programs must agree on: the states, their messages, the payloads as they are
/// written, and the next states (FNV-1a, 128 bits, Fowler, Noll and Vo).
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
