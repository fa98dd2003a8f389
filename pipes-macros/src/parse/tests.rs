//! Tests of the parser: what it accepts, what it refuses, and where it goes on after an error.

use super::{Next, Protocol, invocation};
use crate::diag::Problems;

/// Parses a text. Returns its protocols and the errors.
fn read(text: &str) -> (Vec<Protocol>, Vec<String>) {
    let mut problems = Problems::new();
    let tokens = format!("pipes unsafe {{}} {text}").parse().expect("it is made of tokens");
    let (_, protocols) = invocation(tokens, &mut problems);
    (protocols, problems.into_messages())
}

/// Returns the shape of a protocol, as one line of text.
fn shape(protocol: &Protocol) -> String {
    let states = protocol.states.iter().map(|state| {
        let messages = state.messages.iter().map(|message| {
            let next = match &message.next {
                Next::End => String::from("!"),
                Next::State { name, arguments } => {
                    format!("{name}/{}", arguments.as_ref().map_or(0, |arguments| arguments.args.len()))
                }
            };
            format!("{}({})->{next}", message.name, message.fields.len())
        });
        let messages: Vec<String> = messages.collect();
        let direction = if state.client_sends { "send" } else { "recv" };
        format!("{}/{}:{direction}[{}]", state.name, state.generics.params.len(), messages.join(" "))
    });
    format!("{}/{} {}", protocol.name, protocol.generics.params.len(), states.collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn reads_as(text: &str, shapes: &[&str]) {
    let (protocols, problems) = read(text);
    assert_eq!(problems, [""; 0]);
    assert_eq!(protocols.iter().map(shape).collect::<Vec<_>>(), shapes);
}

#[test]
fn the_whole_grammar() {
    reads_as("p { s: send { m -> ! } }", &["p/0 s/0:send[m(0)->!]"]);
    reads_as("p { s: recv { m() -> s, } }", &["p/0 s/0:recv[m(0)->s/0]"]);
    reads_as("p { s: send { m(u8,) -> s, n(x: u8, y: a::B) -> ! } }", &["p/0 s/0:send[m(1)->s/0 n(2)->!]"]);
    reads_as("p<'a, T: Send> where T: 'a { s: send { m(&'a T) -> s } }", &["p/2 s/0:send[m(1)->s/0]"]);
    reads_as("p { s<T>: send { m(T) -> s<Vec<T>>, } }", &["p/0 s/1:send[m(1)->s/1]"]);
    reads_as("p { s: send<T: Send, const N: usize> { m([T; N]) -> s<T, N> } }", &["p/0 s/2:send[m(1)->s/2]"]);
    reads_as(
        "a { s: send { m -> ! } } pub(crate) b { s: recv { m -> ! } }",
        &["a/0 s/0:send[m(0)->!]", "b/0 s/0:recv[m(0)->!]"],
    );
    reads_as("p { s: send { m(::std::vec::Vec<u8>, <T as A>::B) -> ! } }", &["p/0 s/0:send[m(2)->!]"]);
}

#[test]
fn attributes_are_sorted() {
    let (protocols, problems) = read(
        "#[bounded(3)] #[derive(Debug)] /** p */ p { #[allow(x)] /** s */ s: send { #[expect(y)] /** m */ m -> ! } }",
    );
    assert_eq!(problems, [""; 0]);
    let (protocol, state) = (&protocols[0], &protocols[0].states[0]);
    let counts = |of: &super::Attributes| (of.docs.len(), of.derives.len(), of.lints.len());
    assert_eq!(counts(&protocol.attributes), (1, 1, 0));
    assert_eq!(counts(&state.attributes), (1, 0, 1));
    assert_eq!(counts(&state.messages[0].attributes), (1, 0, 1));
    assert_eq!(protocol.attributes.bounded.as_ref().and_then(|bounded| bounded.limit), Some(3));
}

#[test]
fn reading_goes_on_after_a_mistake() {
    let (protocols, problems) =
        read("p { s: sends { a 7 -> s, b(u8) s, c -> 3, d => s, e, f(u8) -> s } t; u: recv { x -> ! } }");
    assert_eq!(protocols.len(), 1);
    assert_eq!(problems.len(), 7, "{problems:#?}");
    let shape = shape(&protocols[0]);
    assert!(shape.contains("b(1)->s/0 c(0)->! d(0)->s/0 e(0)->! f(1)->s/0"), "{shape}");
}

#[test]
fn what_is_not_a_protocol_is_an_error() {
    for text in [
        "",
        "p",
        "p { }",
        "p { s }",
        "p { s: send }",
        "p { s: { m -> ! } }",
        "p { s: send { -> ! } }",
        "p { s: send { m -> } }",
        "p { s: send { m(u8 u8) -> ! } }",
        "p { s: send { m -> ! n -> ! } }",
        "fn p() {}",
        "#[bounded(x)] p { s: send { m -> ! } }",
        "p { #[bounded] s: send { m -> ! } }",
    ] {
        assert!(!read(text).1.is_empty(), "{text}");
    }
}
