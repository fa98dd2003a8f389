//! Tests that run inside of another function.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Makes a test whose body is a closure that the named functions call, the first one outermost:
/// `#[test_in(apart, watched)]` runs the body in `apart(|| watched(|| …))`.
#[proc_macro_attribute]
pub fn test_in(functions: TokenStream, test: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = test.into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop() else { panic!("it is a function with a body") };
    let mut body = body.stream();
    let functions: Vec<_> = functions.into_iter().filter(|it| matches!(it, TokenTree::Ident(_))).collect();
    for function in functions.into_iter().rev() {
        let mut closure: TokenStream = "||".parse().expect("it is Rust");
        closure.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
        let argument = Group::new(Delimiter::Parenthesis, closure);
        body = [function, TokenTree::Group(argument)].into_iter().collect();
    }
    let mut whole: TokenStream = "#[test]".parse().expect("it is Rust");
    whole.extend(tokens);
    whole.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
    whole
}
