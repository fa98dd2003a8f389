//! An endpoint whose state is known only at run time.

use super::context::{Context, arguments, endpoint_type};
use super::docs;
use crate::model::{State, StateId};
use crate::names;
use crate::side::Side;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Generics;

/// What the templates for one side share.
struct Any<'a> {
    context: &'a Context<'a>,
    side: Side,
    /// `AnyClient`
    name: Ident,
    /// `ClientMessage`
    message: Ident,
    /// `Client`
    endpoint: Ident,
    /// The parameters of all states.
    generics: Generics,
    arguments: Option<TokenStream>,
    /// The states that this side receives in.
    receiving: Vec<(StateId, &'a State)>,
}

/// `AnyClient` and `ClientMessage`, or the server's.
pub(super) fn any(context: &Context<'_>, side: Side) -> TokenStream {
    let states = context.protocol.states.iter().enumerate();
    let any = Any {
        context,
        side,
        name: names::any(side),
        message: names::any_message(side),
        endpoint: endpoint_type(side),
        generics: context.generics(&context.facts.all_parameters),
        arguments: arguments(&context.facts.all_parameters),
        receiving: states.filter(|(_, state)| state.sender != side).collect(),
    };
    let (endpoint, conversions, message) = (any.endpoint(), any.conversions(), any.message());
    let (receive, receiver) = (any.receive(), any.receiver());
    quote!(#endpoint #conversions #message #receive #receiver)
}

impl Any<'_> {
    /// ```text
    /// pub enum AnyClient {
    ///     Login(Client<Login>),
    ///     LoginResponse(Client<LoginResponse>),
    /// }
    /// ```
    fn endpoint(&self) -> TokenStream {
        let Any { context, name, endpoint, generics, arguments, .. } = self;
        let (parameters, _, bounds) = generics.split_for_impl();
        let states = context.protocol.states.iter().enumerate();
        let variants = states.clone().map(|(id, state)| {
            let (variant, ty, docs) = (&state.ty, context.state(id), docs::in_state(state));
            quote!(#[doc = #docs] #variant(#endpoint<#ty>),)
        });
        let printed = states.map(|(_, state)| {
            let variant = &state.ty;
            quote!(Self::#variant(endpoint) => ::core::fmt::Debug::fmt(endpoint, f),)
        });
        let docs = docs::any(self.side);
        quote! {
            #[doc = #docs]
            #[must_use = "dropping an endpoint closes it"]
            pub enum #name #generics #bounds {
                #(#variants)*
            }

            impl #parameters ::core::fmt::Debug for #name #arguments #bounds {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match self { #(#printed)* }
                }
            }
        }
    }

    /// ```text
    /// impl ::core::convert::From<Client<Login>> for AnyClient {
    ///     fn from(endpoint: Client<Login>) -> Self {
    ///         Self::Login(endpoint)
    ///     }
    /// }
    /// ```
    fn conversions(&self) -> TokenStream {
        let Any { context, name, endpoint, generics, arguments, .. } = self;
        let (parameters, _, bounds) = generics.split_for_impl();
        let states = context.protocol.states.iter().enumerate();
        states
            .map(|(id, state)| {
                let (variant, ty) = (&state.ty, context.state(id));
                quote! {
                    impl #parameters ::core::convert::From<#endpoint<#ty>> for #name #arguments #bounds {
                        fn from(endpoint: #endpoint<#ty>) -> Self {
                            Self::#variant(endpoint)
                        }
                    }
                }
            })
            .collect()
    }

    /// ```text
    /// #[derive(Debug)]
    /// pub enum ClientMessage {
    ///     LoginResponse(LoginResponse),
    ///     NotReceiving(AnyClient),
    /// }
    /// ```
    fn message(&self) -> TokenStream {
        let Any { context, name, message, generics, arguments, .. } = self;
        let (parameters, _, bounds) = generics.split_for_impl();
        let not_receiving = format_ident!("{}", names::NOT_RECEIVING);
        let variants = self.receiving.iter().map(|(id, state)| {
            let (variant, ty, docs) = (&state.ty, context.state(*id), docs::received_in(state));
            quote!(#[doc = #docs] #variant(#ty),)
        });
        let printed = self.receiving.iter().map(|(_, state)| &state.ty).chain([&not_receiving]);
        let (docs, sends) = (docs::any_message(self.side), docs::NOT_RECEIVING);
        quote! {
            #[doc = #docs]
            pub enum #message #generics #bounds {
                #(#variants)*
                #[doc = #sends]
                #not_receiving(#name #arguments),
            }

            impl #parameters ::core::fmt::Debug for #message #arguments #bounds {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match self { #(Self::#printed(message) => ::core::fmt::Debug::fmt(message, f),)* }
                }
            }
        }
    }

    /// ```text
    /// impl pipes::Receive for AnyClient {
    ///     type Message = ClientMessage;
    ///     fn try_recv(self) -> ::core::result::Result<ClientMessage, pipes::TryRecvError<Self>> { … }
    /// }
    /// pipes::__any! { impl [] for AnyClient, message ClientMessage, where [] }
    /// ```
    fn receive(&self) -> TokenStream {
        let Any { context, name, message, generics, arguments, .. } = self;
        let (krate, not_receiving) = (context.krate, format_ident!("{}", names::NOT_RECEIVING));
        let (parameters, _, bounds) = generics.split_for_impl();
        let arms = self.receiving.iter().map(|(_, state)| {
            let ty = &state.ty;
            quote! {
                Self::#ty(endpoint) => #krate::__private::receive_any(endpoint, #message::#ty, Self::#ty),
            }
        });
        let rest = (self.receiving.len() < context.protocol.states.len())
            .then(|| quote!(endpoint => ::core::result::Result::Ok(#message::#not_receiving(endpoint)),));
        let (inside, predicates) =
            (&generics.params, generics.where_clause.as_ref().map(|clause| &clause.predicates));
        quote! {
            impl #parameters #krate::Receive for #name #arguments #bounds {
                type Message = #message #arguments;

                fn try_recv(self) -> ::core::result::Result<Self::Message, #krate::TryRecvError<Self>> {
                    match self {
                        #(#arms)*
                        #rest
                    }
                }
            }

            #krate::__any! {
                impl [#inside] for #name #arguments, message #message #arguments, where [#predicates]
            }
        }
    }

    /// ```text
    /// impl AnyClient {
    ///     fn receiver(&self) -> ::core::option::Option<&dyn pipes::Readiness> { … }
    ///     fn receiver_mut(&mut self) -> ::core::option::Option<&mut dyn pipes::Readiness> { … }
    /// }
    /// ```
    fn receiver(&self) -> TokenStream {
        let Any { context, name, generics, arguments, .. } = self;
        let krate = context.krate;
        let (parameters, _, bounds) = generics.split_for_impl();
        let arms = self.receiving.iter().map(|(_, state)| {
            let ty = &state.ty;
            quote!(Self::#ty(endpoint) => ::core::option::Option::Some(endpoint),)
        });
        let rest = (self.receiving.len() < context.protocol.states.len())
            .then(|| quote!(_ => ::core::option::Option::None,));
        let arms = quote!(#(#arms)* #rest);
        quote! {
            impl #parameters #name #arguments #bounds {
                fn receiver(&self) -> ::core::option::Option<&dyn #krate::Readiness> {
                    match self { #arms }
                }

                fn receiver_mut(&mut self) -> ::core::option::Option<&mut dyn #krate::Readiness> {
                    match self { #arms }
                }
            }
        }
    }
}
