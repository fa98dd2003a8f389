//! The items that a module has once for a protocol, or once for each side.

use super::context::{Context, at, without_bounds};
use super::docs;
use crate::check::{Bound, Memory};
use crate::names;
use crate::side::Side;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

/// ```text
/// pipes::__endpoint! {
///     pub struct Client<S>: AsClient;
/// }
/// ```
pub(super) fn endpoint(context: &Context<'_>, side: Side) -> TokenStream {
    let (krate, ty, role) = (&context.krate, names::endpoint(side), names::role(side));
    let docs = docs::endpoint(context, side);
    let has_verb = context
        .protocol
        .messages()
        .any(|(_, message)| names::VERBS.iter().any(|verb| message.method == verb));
    let sending = has_verb.then(|| quote!(, sending recv));
    quote_spanned! {at(&context.protocol.name)=>
        #krate::__endpoint! {
            #[doc = #docs]
            pub struct #ty<S>: #role #sending;
        }
    }
}

/// ```text
/// pub fn pipe() -> (Client<Login>, Server<Login>) {
///     let (client, server) = unsafe { pipes::__private::pipe() };
///     (Client(client), Server(server))
/// }
/// ```
pub(super) fn pipe(context: &Context<'_>, is_sound: bool) -> TokenStream {
    let krate = &context.krate;
    let (generics, start) = (context.generics_of(0), context.state(0));
    let (parameters, _, bounds) = generics.split_for_impl();
    let make = match &context.facts.memory {
        Memory::Common(_) => quote!(#krate::__private::pipe()),
        Memory::ByState { .. } => {
            let memory = super::memory::policy(context, 0);
            quote!(#krate::__private::pipe_in::<#memory, #start>())
        }
    };
    let make = context.library.promise(Span::call_site(), &TokenStream::new(), make);
    let body = match is_sound {
        true => quote! {
            let (client, server) = #make;
            (Client(client), Server(server))
        },
        false => quote!(loop {}),
    };
    let (docs, lints) = (docs::pipe(context), &context.allowed);
    quote! {
        #[doc = #docs]
        #lints
        #[inline]
        pub fn pipe #parameters() -> (Client<#start>, Server<#start>) #bounds {
            #body
        }
    }
}

/// ```text
/// pub const BOUND: pipes::Bound = pipes::Bound::Messages(2);
/// ```
pub(super) fn bound(context: &Context<'_>) -> TokenStream {
    let krate = &context.krate;
    let value = match &context.facts.bound {
        Bound::Messages { messages, .. } => {
            let messages = Literal::usize_unsuffixed(*messages);
            quote!(Messages(#messages))
        }
        Bound::Unbounded { cycle } => {
            let cycle = cycle.iter().map(|state| context.protocol.states[*state].name.to_string());
            quote!(Unbounded { cycle: &[#(#cycle),*] })
        }
    };
    let docs = docs::bound(context);
    quote! {
        #[doc = #docs]
        pub const BOUND: #krate::Bound = #krate::Bound::#value;
    }
}

/// ```text
/// pub struct Protocol(::core::marker::PhantomData<fn() -> Login>);
/// impl pipes::Protocol for Protocol { … }
/// ```
pub(super) fn marker(context: &Context<'_>) -> TokenStream {
    let (krate, start) = (&context.krate, context.state(0));
    let generics = context.generics_of(0);
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let (docs, name) = (docs::marker(context), format!("{}::Protocol", context.protocol.name));
    let lints = &context.allowed;
    quote! {
        #[doc = #docs]
        #lints
        pub struct Protocol #generics(::core::marker::PhantomData<fn() -> #start>) #bounds;

        #lints
        impl #parameters ::core::fmt::Debug for Protocol #arguments #bounds {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(#name)
            }
        }

        #lints
        impl #parameters #krate::Protocol for Protocol #arguments #bounds {
            type Client = Client<#start>;
            type Server = Server<#start>;

            fn pipe() -> (Client<#start>, Server<#start>) {
                pipe()
            }
        }
    }
}

/// ```text
/// pub mod client {
///     pub type Login = super::Client<super::Login>;
/// }
/// ```
pub(super) fn aliases(context: &Context<'_>, side: Side) -> TokenStream {
    let (module, endpoint) = (names::aliases(side), names::endpoint(side));
    let docs = docs::aliases(side);
    let aliases = context.protocol.states.iter().enumerate().map(|(id, state)| {
        let (ty, full, parameters) =
            (&state.ty, context.state(id), without_bounds(&context.facts.parameters[id]));
        let docs = docs::alias(state, side);
        quote! {
            #[doc = #docs]
            pub type #ty #parameters = super::#endpoint<super::#full>;
        }
    });
    quote! {
        #[doc = #docs]
        pub mod #module {
            #(#aliases)*
        }
    }
}
