//! An endpoint whose state is known only at run time: in any state, or in any of those in which it receives.

use super::context::{Context, arguments, at};
use super::docs;
use crate::model::{Parameter, State, StateId};
use crate::names;
use crate::side::Side;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::Generics;

/// The names and parameters that the templates for one pair of enums share: one for the endpoints, one for
/// what they receive.
struct Any<'a> {
    context: &'a Context<'a>,
    /// `AnyClient`
    name: Ident,
    /// `ClientMessage`
    message: Ident,
    /// `ClientState`
    values: Ident,
    /// The documentation of each.
    docs: [String; 2],
    /// `Client`
    endpoint: Ident,
    /// The parameters of all states that the endpoint may be in.
    generics: Generics,
    arguments: Option<TokenStream>,
    /// The states that the endpoint may be in and does not receive in.
    sending: Vec<(StateId, &'a State)>,
    /// The states that the endpoint may be in and receives in.
    receiving: Vec<(StateId, &'a State)>,
    /// The message's variant for an endpoint that does not receive.
    not_receiving: Option<Ident>,
}

/// Generates `AnyClient` and `ClientMessage`, then `ReceivingClient` and `ClientReceived`, or their
/// counterparts for the server. A side that never receives has only the first pair.
pub(super) fn any(context: &Context<'_>, side: Side) -> TokenStream {
    let any = Any::in_all_states(context, side);
    let receiving = Any::in_receiving_states(context, side);
    if receiving.receiving.is_empty() {
        return any.items();
    }
    let (any_items, receiving_items, widening) = (any.items(), receiving.items(), receiving.widening(&any));
    quote!(#any_items #receiving_items #widening)
}

impl<'a> Any<'a> {
    fn in_all_states(context: &'a Context<'a>, side: Side) -> Self {
        let parameters = &context.facts.all_parameters;
        Any {
            name: names::any(side),
            message: names::any_message(side),
            docs: [docs::any(side), docs::any_message(side)],
            sending: states(context, |sender| sender == side),
            not_receiving: Some(names::not_receiving()),
            ..Any::with_parameters(context, side, parameters)
        }
    }

    fn in_receiving_states(context: &'a Context<'a>, side: Side) -> Self {
        let parameters = &context.facts.receiving_parameters[side as usize];
        Any::with_parameters(context, side, parameters)
    }

    /// Describes the enums for the states in which this side receives, declared with these parameters.
    fn with_parameters(context: &'a Context<'a>, side: Side, parameters: &[Parameter]) -> Self {
        Any {
            context,
            name: names::receiving(side),
            message: names::received(side),
            values: names::states(side),
            docs: [docs::receiving(side), docs::received(side)],
            endpoint: names::endpoint(side),
            generics: context.generics(parameters),
            arguments: arguments(parameters),
            sending: Vec::new(),
            receiving: states(context, |sender| sender != side),
            not_receiving: None,
        }
    }

    fn items(&self) -> TokenStream {
        [self.endpoint(), self.message(), self.behaviour(), self.conversions()].into_iter().collect()
    }

    /// Returns the states that the endpoint may be in, in the order in which they are written.
    fn states(&self) -> Vec<(StateId, &'a State)> {
        let mut states = [self.sending.as_slice(), &self.receiving].concat();
        states.sort_by_key(|(id, _)| *id);
        states
    }

    /// ```text
    /// pub enum AnyClient {
    ///     Login(Client<Login>),
    ///     LoginResponse(Client<LoginResponse>),
    /// }
    /// ```
    fn endpoint(&self) -> TokenStream {
        let Any { context, name, endpoint, generics, docs: [docs, _], .. } = self;
        let lints = &context.allowed;
        let (_, _, bounds) = generics.split_for_impl();
        let variants = self.states().into_iter().map(|(id, state)| {
            let (variant, ty, docs) = (&state.ty, context.state(id), docs::in_state(state));
            quote!(#[doc = #docs] #variant(#endpoint<#ty>),)
        });
        quote_spanned! {at(&context.protocol.name)=>
            #[doc = #docs]
            #lints
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
        let Any { context, name, message, generics, arguments, docs: [_, docs], .. } = self;
        let (_, _, bounds) = generics.split_for_impl();
        let variants = self.receiving.iter().map(|(id, state)| {
            let (variant, ty, docs) = (&state.ty, context.state(*id), docs::received_in(state));
            quote!(#[doc = #docs] #variant(#ty),)
        });
        let (sends, lints) = (docs::NOT_RECEIVING, &context.allowed);
        let not_receiving = self.not_receiving.iter();
        quote_spanned! {at(&context.protocol.name)=>
            #[doc = #docs]
            #lints
            pub enum #message #generics #bounds {
                #(#variants)*
                #(#[doc = #sends] #not_receiving(#name #arguments),)*
            }
        }
    }

    /// ```text
    /// pipes::__any! {
    ///     impl [] for AnyClient, in ClientState, receiving ClientMessage [] [NotReceiving],
    ///     senders [Login], receivers [LoginResponse], where []
    /// }
    /// ```
    fn behaviour(&self) -> TokenStream {
        let Any { context, name, message, values, generics, arguments, not_receiving, .. } = self;
        let krate = &context.krate;
        let parameters = &generics.params;
        let bounds = generics.where_clause.as_ref().map(|clause| &clause.predicates);
        let [senders, receivers] = [&self.sending, &self.receiving].map(|states| variants(states));
        let lints = &context.allowed;
        quote_spanned! {at(&context.protocol.name)=>
            #krate::__any! {
                #lints impl [#parameters] for #name #arguments, in #values,
                receiving #message [#arguments] [#not_receiving],
                senders [#(#senders)*], receivers [#(#receivers)*], where [#bounds]
            }
        }
    }

    /// ```text
    /// impl ::core::convert::From<Client<Login>> for AnyClient {
    ///     #[inline]
    ///     fn from(endpoint: Client<Login>) -> Self {
    ///         Self::Login(endpoint)
    ///     }
    /// }
    /// ```
    fn conversions(&self) -> TokenStream {
        let Any { context, name, endpoint, generics, arguments, .. } = self;
        let (parameters, _, bounds) = generics.split_for_impl();
        let lints = &context.allowed;
        let conversions = self.states().into_iter().map(|(id, state)| {
            let (variant, ty) = (&state.ty, context.state(id));
            quote_spanned! {at(&state.name)=>
                #lints
                impl #parameters ::core::convert::From<#endpoint<#ty>> for #name #arguments #bounds {
                    #[inline]
                    fn from(endpoint: #endpoint<#ty>) -> Self {
                        Self::#variant(endpoint)
                    }
                }
            }
        });
        conversions.collect()
    }

    /// ```text
    /// impl ::core::convert::From<ReceivingClient> for AnyClient {
    ///     #[inline]
    ///     fn from(endpoint: ReceivingClient) -> Self {
    ///         match endpoint {
    ///             ReceivingClient::LoginResponse(endpoint) => Self::LoginResponse(endpoint),
    ///         }
    ///     }
    /// }
    /// ```
    fn widening(&self, any: &Any<'_>) -> TokenStream {
        let Any { context, name, arguments, .. } = self;
        let lints = &context.allowed;
        let (parameters, _, bounds) = any.generics.split_for_impl();
        let (any, any_arguments, receivers) = (&any.name, &any.arguments, variants(&self.receiving));
        quote_spanned! {at(&context.protocol.name)=>
            #lints
            impl #parameters ::core::convert::From<#name #arguments> for #any #any_arguments #bounds {
                #[inline]
                fn from(endpoint: #name #arguments) -> Self {
                    match endpoint {
                        #(#name::#receivers(endpoint) => Self::#receivers(endpoint),)*
                    }
                }
            }
        }
    }
}

/// Returns the states whose sender is such a side.
fn states<'a>(context: &'a Context<'_>, wanted: impl Fn(Side) -> bool) -> Vec<(StateId, &'a State)> {
    context.protocol.states.iter().enumerate().filter(|(_, state)| wanted(state.sender)).collect()
}

/// Returns the variants for these states.
fn variants<'a>(states: &[(StateId, &'a State)]) -> Vec<&'a Ident> {
    states.iter().map(|(_, state)| &state.ty).collect()
}
