//! The grammar, with a function for each rule.
//!
//! ```text
//! protocols := protocol+
//! protocol  := attrs vis IDENT generics? where? "{" state* "}"
//! state     := attrs IDENT generics? ":" ("send" | "recv") generics? "{" (message ("," message)* ","?)? "}"
//! message   := attrs IDENT payload? "->" next
//! payload   := "(" (field ("," field)* ","?)? ")"
//! field     := (IDENT ":")? TYPE
//! next      := "!" | IDENT generic_args?
//! ```

use super::ast::{Arrow, Attributes, Field, Message, Next, Protocol, State};
use super::attributes::{On, sort};
use crate::diag::{Problem, Problems};
use crate::names::{self, Library};
use crate::text::code;
use proc_macro2::{Ident, Punct, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, GenericParam, Generics, Token, Type, braced, parenthesized, token};

/// Parses what `pipes::proto!` passes on: the path of the crate `pipes`, `unsafe {}`, and the protocols.
pub(crate) fn invocation(input: TokenStream, problems: &mut Problems) -> (Option<Library>, Vec<Protocol>) {
    let (mut library, mut read) = (None, Vec::new());
    let parser = |input: ParseStream<'_>| {
        let path = input.parse::<TokenTree>()?.into();
        let (word, braces) = (input.parse()?, input.parse()?);
        library = Library::new(path, &word, &braces);
        if library.is_none() {
            return Err(syn::Error::new(word.span(), "call `pipes::proto!`: this is what stands behind it"));
        }
        read = protocols(input, problems);
        Ok(())
    };
    let outcome = parser.parse2(input);
    // After an error, the tokens left unread are not reported as a second error.
    if let Err(error) = outcome
        && problems.is_empty()
    {
        problems.syntax(error);
    }
    (library, read)
}

fn protocols(input: ParseStream<'_>, problems: &mut Problems) -> Vec<Protocol> {
    if input.is_empty() {
        problems.report_at(Span::call_site(), Problem::NoProtocol);
    }
    let mut protocols = Vec::new();
    while !input.is_empty() {
        match protocol(input, problems) {
            Ok(protocol) => protocols.extend(protocol),
            Err(error) => {
                problems.syntax(error);
                skip_past_braces(input);
            }
        }
    }
    protocols
}

/// Parses a protocol. Returns `None` if it has no state, which has been reported then.
fn protocol(input: ParseStream<'_>, problems: &mut Problems) -> syn::Result<Option<Protocol>> {
    let before = problems.len();
    let attributes = attributes(input, On::Protocol, problems)?;
    let visibility = input.parse()?;
    if let Some(word) = input.parse::<Option<Token![mod]>>()? {
        // Goes on as if the word were not there.
        let text = "the module is made by the macro: leave `mod` out, and begin with the protocol's name";
        problems.syntax(syn::Error::new_spanned(word, text));
    }
    let name = name(input, problems)?;
    let mut generics = parameters(input, problems)?;
    generics.where_clause = input.parse()?;
    if !input.peek(token::Brace) {
        return Err(input.error(format!("expected `{{`: the states of the protocol `{name}`, in braces")));
    }
    let body;
    braced!(body in input);
    if body.is_empty() {
        problems.report(&name, Problem::NoState { protocol: name.to_string() });
    }
    let states = states(&body, problems);
    let is_complete = problems.len() == before;
    Ok((!states.is_empty()).then_some(Protocol {
        attributes,
        visibility,
        name,
        generics,
        states,
        is_complete,
    }))
}

/// Parses the states of a protocol. After a syntax error it reports the error and skips to the next state.
fn states(input: ParseStream<'_>, problems: &mut Problems) -> Vec<State> {
    let mut states: Vec<State> = Vec::new();
    while !input.is_empty() {
        if let Some(state) = states.last()
            && let Some(direction) = second_direction(input)
        {
            problems.report(direction, Problem::TwoDirections { state: state.name.to_string() });
            skip_past_braces(input);
            continue;
        }
        if let Ok(Some(comma)) = input.parse::<Option<Token![,]>>() {
            problems.syntax(syn::Error::new_spanned(comma, "states follow one another without a comma"));
            continue;
        }
        match state(input, problems) {
            Ok(state) => states.push(state),
            Err(error) => {
                problems.syntax(error);
                skip_to_state(input);
            }
        }
    }
    states
}

fn state(input: ParseStream<'_>, problems: &mut Problems) -> syn::Result<State> {
    let attributes = attributes(input, On::State, problems)?;
    let name = name(input, problems)?;
    let after_name = parameters(input, problems)?;
    input.parse::<Token![:]>()?;
    if !input.peek(Ident::peek_any) {
        return Err(
            input.error("expected `send` or `recv`: who sends in this state, the client or the server")
        );
    }
    let direction = input.call(Ident::parse_any)?;
    if direction != "send" && direction != "recv" {
        problems.report(&direction, Problem::UnknownDirection { word: direction.to_string() });
    }
    let after_direction = parameters(input, problems)?;
    if !after_name.params.is_empty() && !after_direction.params.is_empty() {
        problems.report(&after_direction, Problem::ParametersTwice { state: name.to_string() });
    }
    let generics = if after_name.params.is_empty() { after_direction } else { after_name };
    if let Some(second) = second_direction(input) {
        problems.report(second, Problem::TwoDirections { state: name.to_string() });
    }
    let body;
    braced!(body in input);
    let messages = messages(&body, problems);
    Ok(State { attributes, name, generics, client_sends: direction != "recv", messages })
}

/// Parses a second direction of a state and what connects it with the first, such as a comma, up to its
/// braces. Otherwise parses nothing.
fn second_direction(input: ParseStream<'_>) -> Option<Ident> {
    let ahead = input.fork();
    if !ahead.peek(Ident::peek_any) {
        ahead.parse::<Punct>().ok()?;
    }
    let direction = ahead.call(Ident::parse_any).ok()?;
    let is_second = (direction == "send" || direction == "recv") && ahead.peek(token::Brace);
    is_second.then(|| {
        input.advance_to(&ahead);
        direction
    })
}

/// Parses `<'a, T: Send, const N: usize>`, or nothing.
fn parameters(input: ParseStream<'_>, problems: &mut Problems) -> syn::Result<Generics> {
    let mut generics: Generics = input.parse()?;
    for parameter in &mut generics.params {
        let default = match parameter {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type(ty) => ty.default.take().is_some(),
            GenericParam::Const(value) => value.default.take().is_some(),
        };
        if default {
            problems.report(&*parameter, Problem::ParameterDefault);
        }
    }
    Ok(generics)
}

fn messages(input: ParseStream<'_>, problems: &mut Problems) -> Vec<Message> {
    let mut messages = Vec::new();
    while !input.is_empty() {
        let read = message(input, problems).and_then(|message| {
            messages.push(message);
            if input.is_empty() { Ok(()) } else { input.parse::<Token![,]>().map(drop) }
        });
        if let Err(error) = read {
            problems.syntax(error);
            skip_to_message(input);
        }
    }
    messages
}

fn message(input: ParseStream<'_>, problems: &mut Problems) -> syn::Result<Message> {
    let attributes = attributes(input, On::Message, problems)?;
    let name = name(input, problems)?;
    if input.peek(token::Brace) || input.peek(token::Bracket) {
        return Err(input.error("expected parentheses around the payload"));
    }
    let fields = if input.peek(token::Paren) {
        let payload;
        parenthesized!(payload in input);
        fields(&payload, problems)?
    } else {
        Vec::new()
    };
    let next = next(input, &name, problems)?;
    Ok(Message { attributes, name, fields, next })
}

fn fields(input: ParseStream<'_>, problems: &mut Problems) -> syn::Result<Vec<Field>> {
    let mut fields = Vec::new();
    while !input.is_empty() {
        attributes(input, On::Field, problems)?;
        if input.is_empty() {
            break;
        }
        let has_name = input.peek(Ident::peek_any) && input.peek2(Token![:]) && !input.peek2(Token![::]);
        let name = if has_name { Some(name(input, problems)?) } else { None };
        if has_name {
            input.parse::<Token![:]>()?;
        }
        let mut ty = input.parse()?;
        make_sized(&mut ty, problems);
        fields.push(Field { name, ty });
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(fields)
}

/// Reports each type without a known size, and goes on with a reference to it. Inside of other types, the
/// compiler reports it at the right place.
fn make_sized(ty: &mut Type, problems: &mut Problems) {
    let text = code(ty.to_token_stream());
    let instead = match ty {
        Type::Group(group) => return make_sized(&mut group.elem, problems),
        Type::Paren(parens) => return make_sized(&mut parens.elem, problems),
        Type::Tuple(tuple) => return tuple.elems.iter_mut().for_each(|part| make_sized(part, problems)),
        Type::Slice(slice) => format!("Vec<{}>", code(slice.elem.to_token_stream())),
        Type::TraitObject(_) => format!("Box<{text}>"),
        Type::Path(path) if path.path.is_ident("str") => String::from("String"),
        _ => return,
    };
    problems.report(&*ty, Problem::Unsized { ty: text, instead });
    *ty = syn::parse_quote!(&'static (#ty));
}

/// Parses attributes, which must stand before something.
fn attributes(input: ParseStream<'_>, on: On, problems: &mut Problems) -> syn::Result<Attributes> {
    let written = input.call(Attribute::parse_outer)?;
    // A field has none, which is said anyway.
    let stands_before_nothing = on != On::Field && (input.is_empty() || input.peek(Token![,]));
    if let (Some(last), true) = (written.last(), stands_before_nothing) {
        return Err(syn::Error::new_spanned(last, Problem::MisplacedAttribute { of: on.word() }));
    }
    Ok(sort(written, on, problems))
}

/// Parses a name. Reports a keyword, and goes on with a name for it.
fn name(input: ParseStream<'_>, problems: &mut Problems) -> syn::Result<Ident> {
    let is_keyword = input.peek(Ident::peek_any) && !input.peek(syn::Ident) && !input.peek(Token![_]);
    // `struct bank { … }` has a name, and something before it that does not belong there.
    if !is_keyword || input.peek2(Ident::peek_any) {
        return input.parse();
    }
    let word = input.call(Ident::parse_any)?;
    let name = names::instead_of(&word);
    problems.report(&word, Problem::Keyword { word: word.to_string(), instead: name.to_string() });
    Ok(name)
}

/// Parses the arrow and what follows it. If the arrow is missing, reports that and still parses the rest.
fn next(input: ParseStream<'_>, message: &Ident, problems: &mut Problems) -> syn::Result<Next> {
    if input.parse::<Option<Arrow>>()?.is_none() {
        let problem = Problem::MissingArrow { message: message.to_string() };
        match input.cursor().token_tree() {
            Some((token, _)) if !input.peek(Token![,]) => problems.report(token, problem),
            _ => problems.report(message, problem),
        }
        input.parse::<Option<Token![=>]>>()?;
        if !input.peek(syn::Ident) && !input.peek(Token![!]) {
            skip_to_comma(input);
            return Ok(Next::End);
        }
    }
    if input.parse::<Option<Token![!]>>()?.is_some() {
        return Ok(Next::End);
    }
    if !input.peek(Ident::peek_any) {
        let problem = Problem::MissingStep { message: message.to_string() };
        match input.cursor().token_tree() {
            Some((token, _)) if !input.peek(Token![,]) => problems.report(token, problem),
            _ => problems.report(message, problem),
        }
        skip_to_comma(input);
        return Ok(Next::End);
    }
    let name = name(input, problems)?;
    let arguments = if input.peek(Token![<]) { Some(input.parse()?) } else { None };
    Ok(Next::State { name, arguments })
}

/// Skips everything up to and including the next pair of braces.
fn skip_past_braces(input: ParseStream<'_>) {
    while !input.is_empty() {
        let braces = input.peek(token::Brace);
        skip(input);
        if braces {
            return;
        }
    }
}

/// Skips to what looks like the beginning of a state: a name, a colon, a direction.
fn skip_to_state(input: ParseStream<'_>) {
    let is_state = |ahead: ParseStream<'_>| -> syn::Result<bool> {
        ahead.parse::<Ident>()?;
        ahead.parse::<Generics>()?;
        ahead.parse::<Token![:]>()?;
        let direction = ahead.call(Ident::parse_any)?;
        Ok(direction == "send" || direction == "recv")
    };
    while !input.is_empty() && !is_state(&input.fork()).unwrap_or(false) {
        skip(input);
    }
}

/// Skips to what looks like the beginning of a message, after a comma.
fn skip_to_message(input: ParseStream<'_>) {
    while !input.is_empty() {
        let comma = input.peek(Token![,]);
        skip(input);
        let named = input.peek(syn::Ident) && (input.peek2(token::Paren) || input.peek2(Token![->]));
        if comma && (named || input.peek(Token![#])) {
            return;
        }
    }
}

/// Skips to the next comma.
fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        skip(input);
    }
}

/// Skips one token. The callers have checked that there is one.
fn skip(input: ParseStream<'_>) {
    let _ = input.parse::<TokenTree>();
}
