//! The compiler of protocols: the macro behind `pipes::proto!`.
//!
//! Use it as `pipes::proto!`, whose page documents the language. This crate is not for direct use.
//!
//! # How it works
//!
//! Four stages, a folder each. A stage takes what the one before it gives, and does not change it:
//!
//! | stage | gives | may fail |
//! |---|---|---|
//! | `parse` | protocols as they were written | yes |
//! | `model` | names resolved to states | yes |
//! | `check` | what is known of a protocol: its bound, parameters, memory | yes |
//! | `expand` | code | no |
//!
//! All problems of a stage are reported together, each where the user wrote it. What was understood is expanded even so:
//! then one mistake gives one error, not one for each use of the protocol.

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
mod side;
mod text;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Generates a module for each protocol. The first tokens are the path of the crate `pipes`, and `unsafe {}`.
#[doc(hidden)]
#[proc_macro]
pub fn proto(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    compile(input.into()).into()
}

/// `at!(where => what)`: the same as `what`, except that the compiler's words about it point to where the one token tree `where`
/// begins.
///
/// What a macro by example makes of its own tokens and the user's has no place but the whole call. Names mean what they meant.
#[doc(hidden)]
#[proc_macro]
pub fn at(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut input = TokenStream::from(input).into_iter();
    let place = input.next().map_or_else(Span::call_site, begin);
    // Behind the arrow, which is two tokens.
    located(input.skip(2).collect(), place).into()
}

/// Where it begins; an expression that a macro has matched comes in a group without a place of its own.
fn begin(token: TokenTree) -> Span {
    match &token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().next().map_or_else(|| token.span(), begin)
        }
        _ => token.span(),
    }
}

/// The same tokens, with the same meaning, at another place.
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

/// The compiler, on tokens that tests can make as well.
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
        // One problem makes others in the stages behind it: those are not reported.
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
