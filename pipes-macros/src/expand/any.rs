//! An endpoint whose state is known only at run time.

use super::context::{Context, arguments, at};
use super::docs;
use crate::model::{State, StateId};
use crate::names;
use crate::side::Side;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::Generics;

/// The names and parameters that the templates for one side share.
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

/// `AnyClient` and `ClientMessage`, or the same for the server.
pub(super) fn any(context: &Context<'_>, side: Side) -> TokenStream {
    let states = context.protocol.states.iter().enumerate();
    let any = Any {
        context,
        side,
        name: names::any(side),
        message: names::any_message(side),
        endpoint: names::endpoint(side),
        generics: context.generics(&context.facts.all_parameters),
        arguments: arguments(&context.facts.all_parameters),
        receiving: states.filter(|(_, state)| state.sender != side).collect(),
    };
    [any.endpoint(), any.message(), any.behaviour(), any.conversions()].into_iter().collect()
}

impl Any<'_> {
    /// ```text
    /// pub enum AnyClient {
    ///     Login(Client<Login>),
    ///     LoginResponse(Client<LoginResponse>),
    /// }
    /// ```
    fn endpoint(&self) -> TokenStream {
        let Any { context, name, endpoint, generics, .. } = self;
        let (_, _, bounds) = generics.split_for_impl();
        let variants = context.protocol.states.iter().enumerate().map(|(id, state)| {
            let (variant, ty, docs) = (&state.ty, context.state(id), docs::in_state(state));
            quote!(#[doc = #docs] #variant(#endpoint<#ty>),)
        });
        let docs = docs::any(self.side);
        quote_spanned! {at(&context.protocol.name)=>
            #[doc = #docs]
            #[must_use = "dropping an endpoint closes it"]
            pub enum #name #generics #bounds {
                #(#variants)*
            }
        }
    }

    /// ```text
    /// pub enum ClientMessage {
    ///     LoginResponse(LoginResponse),
    ///     NotReceiving(AnyClient),
    /// }
    /// ```
    fn message(&self) -> TokenStream {
        let Any { context, name, message, generics, arguments, .. } = self;
        let (_, _, bounds) = generics.split_for_impl();
        let variants = self.receiving.iter().map(|(id, state)| {
            let (variant, ty, docs) = (&state.ty, context.state(*id), docs::received_in(state));
            quote!(#[doc = #docs] #variant(#ty),)
        });
        let (docs, not_receiving, sends) =
            (docs::any_message(self.side), names::not_receiving(), docs::NOT_RECEIVING);
        quote_spanned! {at(&context.protocol.name)=>
            #[doc = #docs]
            pub enum #message #generics #bounds {
                #(#variants)*
                #[doc = #sends]
                #not_receiving(#name #arguments),
            }
        }
    }

    /// ```text
    /// pipes::__any! {
    ///     impl [] for AnyClient, receiving ClientMessage [],
    ///     senders [Login], receivers [LoginResponse], where []
    /// }
    /// ```
    fn behaviour(&self) -> TokenStream {
        let Any { context, name, message, generics, arguments, .. } = self;
        let krate = &context.krate;
        let parameters = &generics.params;
        let bounds = generics.where_clause.as_ref().map(|clause| &clause.predicates);
        let senders = context.protocol.states.iter().filter(|state| state.sender == self.side);
        let senders = senders.map(|state| &state.ty);
        let receivers = self.receiving.iter().map(|(_, state)| &state.ty);
        quote_spanned! {at(&context.protocol.name)=>
            #krate::__any! {
                impl [#parameters] for #name #arguments, receiving #message [#arguments],
                senders [#(#senders)*], receivers [#(#receivers)*], where [#bounds]
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
        let conversions = context.protocol.states.iter().enumerate().map(|(id, state)| {
            let (variant, ty) = (&state.ty, context.state(id));
            quote_spanned! {at(&state.name)=>
                impl #parameters ::core::convert::From<#endpoint<#ty>> for #name #arguments #bounds {
                    fn from(endpoint: #endpoint<#ty>) -> Self {
                        Self::#variant(endpoint)
                    }
                }
            }
        });
        conversions.collect()
    }
}
