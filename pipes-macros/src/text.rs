//! Tokens as text: as a person would write them, and as keys that tell types apart.

use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// Returns tokens with spaces only where a person would put them.
pub(crate) fn code(tokens: TokenStream) -> String {
    let mut text = String::new();
    write(tokens, &mut text);
    text
}

fn write(tokens: TokenStream, text: &mut String) {
    // Whether the last token ended a word, so that a space must precede another word.
    let mut word = false;
    let mut joint = false;
    for token in tokens {
        match token {
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                space_if(word, text);
                text.push_str(&token.to_string());
                word = true;
                joint = false;
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                // `Fn(u8)`, but `mut [u8]` and `mut (u8, u8)`.
                let keyword = ["mut", "const", "dyn", "as"].iter().any(|keyword| text.ends_with(keyword));
                space_if(word && (keyword || group.delimiter() != Delimiter::Parenthesis), text);
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
                word = true;
                joint = false;
            }
            TokenTree::Punct(punct) => {
                word = write_punct(&punct, word, joint, text);
                joint = punct.spacing() == Spacing::Joint;
            }
        }
    }
}

/// Writes a punctuation mark. Returns whether it ends a word.
fn write_punct(punct: &Punct, word: bool, joint: bool, text: &mut String) -> bool {
    let (mark, joins_next) = (punct.as_char(), punct.spacing() == Spacing::Joint);
    // `->` and `=>` have a space on both sides, as do `+` and `=`. `&` and `<` belong to the next token, the
    // others to the last.
    let stands_alone = matches!(mark, '+' | '=') || mark == '-' && joins_next;
    space_if(!joint && (stands_alone || word && matches!(mark, '&' | '*' | '\'')), text);
    text.push(mark);
    let ends_arrow = mark == '>' && joint && text.ends_with("->");
    let ends_path = mark == ':' && text.ends_with("::");
    if !joins_next && (matches!(mark, ',' | ';' | '+' | '=') || ends_arrow || mark == ':' && !ends_path) {
        text.push(' ');
    }
    mark == '>' && !ends_arrow
}

fn space_if(wanted: bool, text: &mut String) {
    if wanted && !text.is_empty() && !text.ends_with([' ', '(', '[', '<', '&']) {
        text.push(' ');
    }
}

/// Returns a key that identifies a type or a parameter: its text, and if a macro's `$crate` stands in it,
/// also where each token stands. In two macros `$crate` may mean two crates.
pub(crate) fn key(tokens: &impl ToTokens) -> String {
    let tokens = tokens.to_token_stream();
    let text = tokens.to_string();
    if !text.contains('$') {
        return text;
    }
    text + &places(tokens)
}

/// Returns the spans of all these tokens.
fn places(tokens: TokenStream) -> String {
    let place = |token: TokenTree| match &token {
        TokenTree::Group(group) => format!("{:?}{}", token.span(), places(group.stream())),
        _ => format!("{:?}", token.span()),
    };
    tokens.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_look_as_they_are_written() {
        for written in [
            "u8",
            "Vec<Option<&'a mut [T]>>",
            "(String, [u8; 4])",
            "Box<dyn Fn(u8, &str) -> Result<(), E> + Send + 'static>",
            "<T as Iterator>::Item",
            "std::sync::Arc<bank::client::Login>",
            "*const u8",
            "impl Iterator<Item = u8>",
            "for<'a> fn(&'a u8)",
            "&'static str",
            "[u8; N]",
            "HashMap<K, V>",
            "fn() -> (u8, u8)",
            "Option<fn(u8) -> [u8; 2]>",
        ] {
            let tokens: TokenStream = written.parse().expect("it is Rust");
            assert_eq!(code(tokens), written);
        }
    }
}
