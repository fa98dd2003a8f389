//! Warnings. A macro cannot emit one directly.

use crate::check::Facts;
use crate::model::Protocol;
use crate::names;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// Generates, for each state that cannot be reached, the use of a deprecated item at the state's name. The
/// compiler's warning then shows the reason.
///
/// ```text
/// const _: () = {
///     #[deprecated = "the state `x` cannot be reached from `login`, in which a session begins"]
///     struct unreachable_state;
///     let _ = unreachable_state;
/// };
/// ```
///
/// `#[allow(deprecated)]` on the state or on the protocol silences it.
pub(crate) fn warnings(protocol: &Protocol, facts: &Facts) -> TokenStream {
    let start = &protocol.states[0].name;
    let warnings = facts.unreachable.iter().map(|state| {
        let state = &protocol.states[*state];
        let note =
            format!("the state `{}` cannot be reached from `{start}`, in which a session begins", state.name);
        let marker = names::unreachable_state(&state.name);
        let lints = protocol.attributes.lints.iter().chain(&state.attributes.lints);
        let lints = lints.filter(|lint| !lint.path().is_ident("expect"));
        let used = quote_spanned!(state.name.span()=> let _ = #marker;);
        quote! {
            #(#lints)*
            const _: () = {
                #[deprecated = #note]
                #[allow(non_camel_case_types)]
                struct #marker;
                #used
            };
        }
    });
    warnings.collect()
}
