//! The grammar of generated names. All of them are made here.
//!
//! | written | generated | example |
//! |---|---|---|
//! | protocol | module | `bank` |
//! | state | type, alias, variant of `AnyClient` and similar enums, in CamelCase | `login_response` → `LoginResponse` |
//! | message | variant, in CamelCase | `insufficient_funds` → `InsufficientFunds` |
//! | message | method, in snake_case | `GetCount` → `get_count` |
//! | field | the method's parameter, unchanged; `payload`, or `payload0`, `payload1`, … if it has no name | `user` |
//!
//! There are also the fixed names of [`ITEMS`] and [`VALUES`], and hidden names that begin with `__`. No
//! state's type begins with `__`: it begins with a letter, or with one `_` before a character that may not
//! begin a name. The names of states and parameters that would become one of the fixed names of types are
//! refused, so no two types of a module have the same name. A state may be called `DOT`, because a type and a
//! constant can have the same name. Where a bound or an argument expects a value, it does not mention such a
//! name. Methods of different states may have the same name, because they are methods of different types.

use crate::side::Side;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

/// The fixed names of a generated module's types, and what each names.
pub(crate) const ITEMS: [(&str, &str); 15] = [
    ("Client", "the client's endpoint"),
    ("Server", "the server's endpoint"),
    ("AnyClient", "the client's endpoint in any state"),
    ("AnyServer", "the server's endpoint in any state"),
    ("ClientMessage", "what a client receives in any state"),
    ("ServerMessage", "what a server receives in any state"),
    ("ReceivingClient", "the client's endpoint in any receiving state"),
    ("ReceivingServer", "the server's endpoint in any receiving state"),
    ("ClientReceived", "what a `ReceivingClient` receives"),
    ("ServerReceived", "what a `ReceivingServer` receives"),
    ("ClientState", "the client's state as a value"),
    ("ServerState", "the server's state as a value"),
    ("Protocol", "the protocol's marker"),
    ("client", "the module of the client's endpoints"),
    ("server", "the module of the server's endpoints"),
];

/// The fixed names of a generated module's values, constants and a function, and what each names.
pub(crate) const VALUES: [(&str, &str); 5] = [
    ("BOUND", "the protocol's bound"),
    ("STATES", "the descriptions of all states"),
    ("MERMAID", "the protocol's diagram for Mermaid"),
    ("DOT", "the protocol's graph for Graphviz"),
    ("pipe", "the function that makes a pipe"),
];

/// The verbs that every endpoint has, with a bound that only a receiving one satisfies. If a message has such
/// a name, they are methods of receiving endpoints only.
pub(crate) const VERBS: [&str; 6] =
    ["recv", "try_recv", "recv_timeout", "recv_deadline", "recv_async", "recv_or"];

/// The functions that a protocol with `#[remote]` has besides: what each connects, and whether it blocks.
pub(crate) const REMOTE_VALUES: [&str; 8] = [
    "connect",
    "connect_async",
    "connect_with_link",
    "connect_with_link_async",
    "listen",
    "listen_async",
    "listen_with_links",
    "listen_with_links_async",
];

/// Returns the codec of a walker, a type parameter.
pub(crate) fn codec() -> Ident {
    format_ident!("__Codec")
}

/// The variant of `ClientMessage` and `ServerMessage` for an endpoint that does not receive.
pub(crate) const NOT_RECEIVING: &str = "NotReceiving";

/// The constants of `ClientState` and `ServerState`, which have a variant for each state, and what each is.
const CONSTANTS_OF_STATES: [(&str, &str); 2] = [
    ("NAME", "the protocol's name in `ClientState` and `ServerState`"),
    ("ALL", "the list of all states in `ClientState` and `ServerState`"),
];

/// Returns [`NOT_RECEIVING`] as an identifier.
pub(crate) fn not_receiving() -> Ident {
    format_ident!("{NOT_RECEIVING}")
}

/// Describes the fixed item that already has the name of this state's type, in words; `None` if the name is
/// free.
pub(crate) fn fixed_item(ty: &Ident) -> Option<&'static str> {
    let not_receiving =
        (*ty == NOT_RECEIVING).then_some("what a receive on an endpoint that does not receive gives");
    let mut items = ITEMS.iter().chain(&CONSTANTS_OF_STATES);
    items.find(|(name, _)| ty == name).map(|(_, what)| *what).or(not_receiving)
}

/// What the library's macro `proto!` passes on besides the protocols.
pub(crate) struct Library {
    /// The path of the crate `pipes`.
    pub(crate) path: TokenStream,
    /// The word `unsafe` and braces, for the promises that a protocol makes to the library. This crate never
    /// makes these tokens: under `forbid(unsafe_code)` the compiler accepts them because the library wrote
    /// them, and it notices if another crate wrote them.
    word: Ident,
    braces: Group,
}

impl Library {
    /// Returns `None` if these tokens are not `unsafe` and a group.
    pub(crate) fn new(path: TokenStream, word: &TokenTree, braces: &TokenTree) -> Option<Self> {
        let (TokenTree::Ident(word), TokenTree::Group(braces)) = (word, braces) else { return None };
        (*word == "unsafe").then(|| Library { path, word: word.clone(), braces: braces.clone() })
    }

    /// Writes `unsafe`, then `between`, then the body in braces.
    pub(crate) fn promise(&self, place: Span, between: &TokenStream, body: TokenStream) -> TokenStream {
        let (mut word, mut block) = (self.word.clone(), Group::new(Delimiter::Brace, body));
        word.set_span(place.resolved_at(self.word.span()));
        block.set_span(place.resolved_at(self.braces.span()));
        quote!(#word #between #block)
    }
}

/// Returns a free name beside a taken one, with which the expansion goes on after an error.
pub(crate) fn beside(taken: &Ident) -> Ident {
    format_ident!("{taken}_")
}

/// Returns the type of a state, or the variant of a message; `None` if the written name has only underscores.
pub(crate) fn type_name(written: &Ident) -> Option<Ident> {
    let camel = camel_case(&written.unraw().to_string())?;
    // Not every letter may begin a name.
    let names = [camel.clone(), format!("_{camel}")];
    let name = names.into_iter().find(|name| syn::parse_str::<Ident>(name).is_ok())?;
    Some(Ident::new(&name, written.span()))
}

/// Returns the method of a message; `None` if the written name has only underscores.
pub(crate) fn method_name(written: &Ident) -> Option<Ident> {
    let plain = written.unraw().to_string();
    let snake = snake_case(&plain)?;
    if snake == plain {
        return Some(written.clone());
    }
    // A message `Move` has a method `r#move`. For `self`, `super` and `crate` there is no raw identifier.
    Some(match syn::parse_str::<Ident>(&snake) {
        // `gen` is a keyword since edition 2024, but `syn` accepts it as a name. A raw identifier works in
        // every edition.
        Ok(_) if snake == "gen" => Ident::new_raw(&snake, written.span()),
        Ok(_) => Ident::new(&snake, written.span()),
        Err(_) if ["self", "super", "crate"].contains(&snake.as_str()) => {
            format_ident!("{snake}_", span = written.span())
        }
        Err(_) => Ident::new_raw(&snake, written.span()),
    })
}

/// Returns a name for what was called by this keyword: the raw identifier, if there is one.
pub(crate) fn instead_of(keyword: &Ident) -> Ident {
    match keyword.to_string().as_str() {
        word @ ("self" | "super" | "crate" | "Self") => format_ident!("{word}_", span = keyword.span()),
        word => Ident::new_raw(word, keyword.span()),
    }
}

/// Returns the method's parameter for a payload's field that has no name: field `index` of `count`.
pub(crate) fn field_name(index: usize, count: usize) -> Ident {
    match count {
        1 => Ident::new("payload", Span::mixed_site()),
        _ => format_ident!("payload{index}", span = Span::mixed_site()),
    }
}

/// Returns `Client` or `Server`.
pub(crate) fn endpoint(side: Side) -> Ident {
    match side {
        Side::Client => format_ident!("Client"),
        Side::Server => format_ident!("Server"),
    }
}

/// Returns the marker type of a side in the runtime.
pub(crate) fn role(side: Side) -> Ident {
    match side {
        Side::Client => format_ident!("AsClient"),
        Side::Server => format_ident!("AsServer"),
    }
}

/// Returns the module of one side's endpoints.
pub(crate) fn aliases(side: Side) -> Ident {
    format_ident!("{}", side.word())
}

/// Returns the enum of one side's endpoints in any state.
pub(crate) fn any(side: Side) -> Ident {
    match side {
        Side::Client => format_ident!("AnyClient"),
        Side::Server => format_ident!("AnyServer"),
    }
}

/// Returns the enum of the messages that one side receives in any state.
pub(crate) fn any_message(side: Side) -> Ident {
    match side {
        Side::Client => format_ident!("ClientMessage"),
        Side::Server => format_ident!("ServerMessage"),
    }
}

/// Returns the enum of one side's endpoints in the states in which it receives.
pub(crate) fn receiving(side: Side) -> Ident {
    match side {
        Side::Client => format_ident!("ReceivingClient"),
        Side::Server => format_ident!("ReceivingServer"),
    }
}

/// Returns the enum of what such an endpoint receives.
pub(crate) fn received(side: Side) -> Ident {
    match side {
        Side::Client => format_ident!("ClientReceived"),
        Side::Server => format_ident!("ServerReceived"),
    }
}

/// Returns the enum of the states that one side can be in, as values.
pub(crate) fn states(side: Side) -> Ident {
    match side {
        Side::Client => format_ident!("ClientState"),
        Side::Server => format_ident!("ServerState"),
    }
}

/// Returns the hidden union with room for any payload: of the whole protocol, or from one state on.
pub(crate) fn payloads(state: Option<&Ident>) -> Ident {
    match state {
        None => format_ident!("__Payloads"),
        Some(state) => format_ident!("__PayloadsFrom{state}"),
    }
}

/// Returns the hidden union with room for any payload that is sent in one state.
pub(crate) fn sent(state: &Ident) -> Ident {
    format_ident!("__SentIn{state}")
}

/// Returns a field of such a union.
pub(crate) fn payload_field(index: usize) -> Ident {
    format_ident!("_{index}")
}

/// Returns the field of such a union for messages without a payload.
pub(crate) fn nothing_field() -> Ident {
    format_ident!("_nothing")
}

/// Returns the hidden module for types whose text would mean something else inside the generated module.
pub(crate) fn outside() -> Ident {
    format_ident!("__outside")
}

/// Returns a type in the module [`outside`].
pub(crate) fn outside_type(index: usize) -> Ident {
    format_ident!("__T{index}")
}

/// Returns the hidden alias or constant for an argument of a step.
pub(crate) fn argument(place: usize) -> Ident {
    format_ident!("__A{place}")
}

/// Returns the item that the compiler names when it warns of a state that cannot be reached.
pub(crate) fn unreachable_state(state: &Ident) -> Ident {
    format_ident!("unreachable_state", span = state.span())
}

/// Makes `LoginResponse` of `login_response`, `loginResponse` and `LoginResponse`.
fn camel_case(written: &str) -> Option<String> {
    let mut camel = String::new();
    for part in written.split('_').filter(|part| !part.is_empty()) {
        let digits_meet =
            camel.ends_with(|c: char| c.is_numeric()) && part.starts_with(|c: char| c.is_numeric());
        if digits_meet || camel.is_empty() && part.starts_with(|c: char| c.is_numeric()) {
            camel.push('_');
        }
        let mut letters = part.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    match camel.as_str() {
        "" => None,
        "Self" => Some(String::from("Self_")),
        _ => Some(camel),
    }
}

/// Makes `get_count` of `GetCount` and `get_count`, and `http_get` of `HTTPGet`.
fn snake_case(written: &str) -> Option<String> {
    let letters: Vec<char> = written.chars().collect();
    let mut snake = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1);
        let begins_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || before.is_uppercase() && after.is_some_and(|after| after.is_lowercase())
            });
        if begins_word {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    letters.iter().any(|letter| *letter != '_').then_some(snake)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_become_camel_case() {
        for (written, camel) in [
            ("login_response", "LoginResponse"),
            ("LoginResponse", "LoginResponse"),
            ("loginResponse", "LoginResponse"),
            ("OPEN", "OPEN"),
            ("a__b_", "AB"),
            ("v1_2", "V1_2"),
            ("_1", "_1"),
            ("self_", "Self_"),
            ("ärger", "Ärger"),
        ] {
            assert_eq!(camel_case(written).as_deref(), Some(camel), "{written}");
        }
        assert_eq!(camel_case("__"), None);
    }

    #[test]
    fn messages_become_snake_case() {
        for (written, snake) in [
            ("get_count", "get_count"),
            ("GetCount", "get_count"),
            ("HTTPGet", "http_get"),
            ("ok", "ok"),
            ("V2Ok", "v2_ok"),
            ("_x", "_x"),
        ] {
            assert_eq!(snake_case(written).as_deref(), Some(snake), "{written}");
        }
        assert_eq!(snake_case("__"), None);
    }

    #[test]
    fn methods_are_never_keywords() {
        let method =
            |written: &str| method_name(&Ident::new(written, Span::call_site())).map(|name| name.to_string());
        assert_eq!(method("Move").as_deref(), Some("r#move"));
        assert_eq!(method("Super").as_deref(), Some("super_"));
        assert_eq!(method("Gen").as_deref(), Some("r#gen"));
        assert_eq!(method("Ok").as_deref(), Some("ok"));
    }

    #[test]
    fn a_camel_case_name_stays_as_it_is() {
        for written in ["login_response", "v1_2", "_1", "a__b_", "X", "tokenOK"] {
            let once = camel_case(written).expect("there are letters");
            assert_eq!(camel_case(&once), Some(once));
        }
    }
}
