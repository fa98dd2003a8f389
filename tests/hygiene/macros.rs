//! Protocols that a macro writes, with names and types from its arguments.

macro_rules! request {
    (
        $(#[$meta:meta])*
        $vis:vis $name:ident: $question:ident($asked:ty) => $answer:ident($answered:ty), $count:literal
    ) => {
        pipes::proto! {
            $(#[$meta])*
            #[bounded($count)]
            #[remote]
            $vis $name {
                asking: send { $question($asked) -> answering }
                answering: recv { $answer(value: $answered) -> asking, refuse -> ! }
            }
        }
    };
}

request! {
    /// Lengths of texts.
    #[derive(Debug)]
    pub(crate) lengths: text(&'static str) => length(usize), 1
}

// A type that the macro knows only as tokens, and that contains the name of a generated type.
struct Client;

request! { clients: client(Vec<Client>) => server(Option<Client>), 1 }

/// Expressions, literals and paths, one of them relative to the macro's definition.
macro_rules! pieces {
    ($name:ident, $count:expr, $doc:literal, $path:path) => {
        pipes::proto! {
            #[doc = concat!("One", "and another")]
            #[doc = $doc]
            $name {
                outer: send { arrays([u8; $count], $crate::macros::Client) -> inner<{ $count }, $path> }
                inner: recv<const N: usize, T> { array([T; N]) -> outer }
            }
        }
    };
}

pieces! { in_pieces, 1 + 1, "and a third", std::string::String }

/// An expression and a type that change their meaning if their invisible parentheses are lost.
macro_rules! grouped {
    ($name:ident, $count:expr, $ty:ty) => {
        pipes::proto! {
            $name<'a> {
                first: send { twice([u8; $count * 2]) -> second<{ $count * 2 }> }
                second<const N: usize>: send { again([u8; N]) -> third }
                third: send { borrowed(&'a $ty) -> ! }
            }
        }
    };
}

grouped! { in_groups, 1 + 1, dyn std::fmt::Debug + Sync }

/// A macro inside a macro: the state's name comes from the outer one, the message's name from the inner one.
macro_rules! nested {
    ($outer:ident, $state:ident) => {
        macro_rules! inner {
            ($message:ident) => {
                pipes::proto! { $outer { $state: send { $message(u8) -> $state, end -> ! } } }
            };
        }
        inner! { message }
    };
}

nested! { nest, state }

/// All names come from the macro itself.
macro_rules! own {
    () => {
        pipes::proto! { own_names { begin: send { number(first: u8, second: u8) -> begin, end -> ! } } }

        fn use_own_names() {
            drop(own_names::pipe().0.number(1, 2));
        }
    };
}

own! {}

#[test]
fn names_and_types_come_from_a_macro() {
    let (client, server) = lengths::pipe();
    let waiting = client.text("four").unwrap();
    take!(server, lengths::Asking::Text(text, server));
    let _server = server.length(text.len()).unwrap();
    take!(waiting, lengths::Answering::Length(4, _));
    let (client, server) = clients::pipe();
    let _client = client.client(vec![Client, Client]).unwrap();
    take!(server, clients::Asking::Client(some, _));
    assert_eq!(some.len(), 2);
}

#[test]
fn pieces_come_from_a_macro() {
    let (client, server) = in_pieces::pipe();
    let client = client.arrays([1, 2], Client).unwrap();
    take!(server, in_pieces::Outer::Arrays([1, 2], Client, server));
    let _server = server.array([String::new(), String::from("x")]).unwrap();
    take!(client, in_pieces::Inner::Array([_, _], _));
}

#[test]
fn an_expression_from_a_macro_is_one() {
    let (client, server) = in_groups::pipe();
    let client = client.twice([1; 4]).unwrap();
    let client = client.again([2; 4]).unwrap();
    client.borrowed(&3_u8).unwrap();
    take!(server, in_groups::First::Twice([1, 1, 1, 1], server));
    take!(server, in_groups::Second::Again([2, 2, 2, 2], server));
    take!(server, in_groups::Third::Borrowed(shown));
    assert_eq!(format!("{shown:?}"), "3");
}

#[test]
fn macros_may_be_nested() {
    let (client, server) = nest::pipe();
    let _client = client.message(3).unwrap();
    take!(server, nest::State::Message(3, _));
    use_own_names();
}
