//! The states as data.

use super::context::{Context, at};
use crate::model::{Message, State};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// ```text
/// pipes::__states! {
///     protocol "bank",
///     Login "login" "client" ["login" -> "login_response"],
///     LoginResponse "login_response" "server" ["ok" -> "connected", "invalid" -> "login"],
/// }
/// ```
///
/// which declares `STATES`, `ClientState` and `ServerState`.
pub(super) fn states(context: &Context<'_>) -> TokenStream {
    let (krate, lints, protocol) = (&context.krate, &context.allowed, context.protocol.name.to_string());
    let states = context.protocol.states.iter().map(|state| described(context, state));
    quote_spanned! {at(&context.protocol.name)=>
        #krate::__states! { #lints protocol #protocol, #(#states,)* }
    }
}

/// `LoginResponse "login_response" "server" ["ok" -> "connected", "invalid" -> "login"]`
fn described(context: &Context<'_>, state: &State) -> TokenStream {
    let (ty, name, sender) = (&state.ty, state.name.to_string(), state.sender.word());
    let messages = state.messages.iter().map(|message: &Message| {
        let name = message.name.to_string();
        let next = message.step.as_ref().map(|step| context.protocol.states[step.to].name.to_string());
        let next = next.into_iter();
        quote!(#name #(-> #next)*)
    });
    quote!(#ty #name #sender [#(#messages),*])
}
