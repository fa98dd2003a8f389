//! The states as data and as text.

use super::context::{Context, at};
use super::diagrams::{dot, mermaid};
use super::picture::picture;
use crate::model::{Message, State};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// ```text
/// pipes::__states! {
///     protocol "bank", mermaid "stateDiagram-v2\n…", dot "digraph \"bank\" {\n…",
///     Login "login" "client" ["login" -> "login_response"],
///     LoginResponse "login_response" "server" ["ok" -> "connected", "invalid" -> "login"],
/// }
/// ```
///
/// which declares `STATES`, `MERMAID`, `DOT`, `ClientState` and `ServerState`.
pub(super) fn states(context: &Context<'_>) -> TokenStream {
    let (krate, lints, protocol) = (&context.krate, &context.allowed, context.protocol.name.to_string());
    let states = context.protocol.states.iter().map(|state| described(context, state));
    let picture = picture(context);
    let (mermaid, dot) = (mermaid(&picture), dot(&picture));
    quote_spanned! {at(&context.protocol.name)=>
        #krate::__states! { #lints protocol #protocol, mermaid #mermaid, dot #dot, #(#states,)* }
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
