//! The compiler of protocols: the macro behind `pipes::proto!`.
//!
//! Use it as `pipes::proto!`, whose page documents the language. Do not use this crate directly.
//!
//! # How it works
//!
//! There are four stages, a folder each. A stage takes the result of the one before it and does not change
//! it:
//!
//! | stage | result | may fail |
//! |---|---|---|
//! | `parse` | protocols as they were written | yes |
//! | `model` | names resolved to states | yes |
//! | `check` | facts about a protocol: its bound, parameters, memory | yes |
//! | `expand` | code | no |
//!
//! All problems of a stage are reported together, each at the user's own tokens. After an error, the part of
//! the protocol that was understood is still expanded, so that one mistake gives one error and not another
//! for each use of the protocol.

mod check;
mod diag;
#[cfg(test)]
mod exhaustive;
mod expand;
#[cfg(test)]
mod golden;
mod model;
mod names;
mod parse;
#[cfg(test)]
mod pictures;
mod side;
mod text;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Generates a module for each protocol. The first tokens are the path of the crate `pipes`, and `unsafe {}`.
#[doc(hidden)]
#[proc_macro]
pub fn proto(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    compile(input.into()).into()
}

/// `at!(where => what)` expands to `what`, with spans that point to the beginning of the single token tree
/// `where`.
///
/// If a macro by example mixes its own tokens with the user's, the compiler can only point to the whole call.
/// With `at!` an error points to the user's token. Names are resolved as before.
#[doc(hidden)]
#[proc_macro]
pub fn at(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut input = TokenStream::from(input).into_iter();
    let place = input.next().map_or_else(Span::call_site, begin);
    // Skips the arrow, which is two tokens.
    located(input.skip(2).collect(), place).into()
}

/// Returns the span at which a token tree begins. An expression that a macro has matched comes in a group
/// without a span of its own, so its first token counts.
fn begin(token: TokenTree) -> Span {
    match &token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().next().map_or_else(|| token.span(), begin)
        }
        _ => token.span(),
    }
}

/// Moves tokens to another place. Each keeps its hygiene, so names mean the same.
fn located(tokens: TokenStream, place: Span) -> TokenStream {
    let each = tokens.into_iter().map(|mut token| {
        let span = token.span();
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), located(group.stream(), place)).into();
        }
        token.set_span(span.located_at(place));
        token
    });
    each.collect()
}

/// Compiles protocols, on tokens of `proc_macro2`, which unit tests can make as well.
fn compile(input: TokenStream) -> TokenStream {
    let mut problems = diag::Problems::new();
    let (library, written) = parse::invocation(input, &mut problems);
    let mut output = TokenStream::new();
    for (ast, library) in written.into_iter().filter_map(|ast| Some((ast, library.as_ref()?))) {
        let is_complete = ast.is_complete;
        let (mut unresolved, mut unsound) = (diag::Problems::new(), diag::Problems::new());
        let protocol = model::build(ast, &mut unresolved);
        let facts = check::check(&protocol, &mut unsound);
        let is_prevented = unresolved.prevent_expansion() || unsound.prevent_expansion();
        // A problem often causes others in later stages. Those are not reported.
        let mut found = unresolved.or(unsound);
        if !is_complete {
            std::mem::replace(&mut found, diag::Problems::new()).discard();
        }
        let is_sound = is_complete && found.is_empty();
        output.extend(match is_prevented {
            true => expand::nothing(&protocol),
            false => expand::expand(library, &protocol, &facts, is_sound),
        });
        if is_sound {
            output.extend(expand::warnings(&protocol, &facts));
        }
        problems.append(found);
    }
    output.extend(problems.into_compile_errors());
    output
}
