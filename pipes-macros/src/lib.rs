//! The compiler of protocols: the macro behind `pipes::proto!`.
//!
//! Use it as [`pipes::proto!`](https://docs.rs/pipes), which also documents the language. This crate is not for direct use.
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
mod expand;
#[cfg(test)]
mod golden;
mod model;
mod names;
mod parse;
mod side;
#[cfg(test)]
mod small;
mod text;

use proc_macro2::TokenStream;

/// Generates a module for each protocol. The first token is the path of the crate `pipes`.
#[doc(hidden)]
#[proc_macro]
pub fn proto(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    compile(input.into()).into()
}

/// The compiler, on tokens that tests can make as well.
fn compile(input: TokenStream) -> TokenStream {
    let mut problems = diag::Problems::new();
    let (krate, written) = parse::invocation(input, &mut problems);
    let mut output = TokenStream::new();
    for ast in written {
        let whole = ast.whole;
        let (mut unresolved, mut unsound) = (diag::Problems::new(), diag::Problems::new());
        let protocol = model::build(ast, &mut unresolved);
        let facts = check::check(&protocol, &mut unsound);
        let tangled = unresolved.tangle() || unsound.tangle();
        // One problem makes others in the stages behind it: those are not told.
        let mut told = unresolved.or(unsound);
        if !whole {
            std::mem::replace(&mut told, diag::Problems::new()).discard();
        }
        output.extend(match tangled {
            true => expand::nothing(&protocol),
            false => expand::expand(&krate, &protocol, &facts),
        });
        if whole && told.is_empty() {
            output.extend(expand::warnings(&protocol, &facts));
        }
        problems.append(told);
    }
    output.extend(problems.into_compile_errors());
    output
}
