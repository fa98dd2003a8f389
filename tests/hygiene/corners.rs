//! Corner cases that could break generated code.
#![deny(single_use_lifetimes, clippy::enum_variant_names, clippy::large_enum_variant)]

use std::fmt::Debug;

const COUNT: usize = 3;
const BOUND: usize = 2;
const STATES: usize = 4;
const DOT: usize = 5;
const MERMAID: usize = 6;

trait Takes<T> {
    type Out;
}

impl Takes<u8> for () {
    type Out = u16;
}

trait Area {
    type Unit;
}

impl Area for u8 {
    type Unit = u64;
}

mod inner {
    pipes::proto! {
        /// A constant of an outer scope as an argument.
        pub(super) constant {
            go: send { go -> array<{ super::COUNT }>, two -> array<2> }
            array: send<const N: usize> { array([u8; N]) -> ! }
        }
    }
}

pipes::proto! {
    /// A payload that mentions a constant with the name of a generated constant. All variants have a common
    /// prefix, which is the state's name. A lifetime is used only once.
    length<'a> { array: send { array([u8; BOUND]) -> array, array_of_states([u8; STATES]) -> array, array_lent(&'a u8) -> array, array_end -> ! } }

    /// States, messages and a parameter with the names of generated constants, and payloads with the user's
    /// own constants of these names.
    drawn<const BOUND: usize> {
        MERMAID: send { MERMAID([u8; BOUND]) -> DOT, DOT([u8; MERMAID]) -> MERMAID }
        DOT: recv { dot([u8; DOT]) -> STATES, mermaid -> bound }
        STATES: recv { bound -> bound }
        bound: send { states -> ! }
    }

    /// A derived `Debug` needs more bounds than the types around it.
    #[derive(Debug)]
    #[remote]
    derived<T> { s: send { payload(T) -> s } }

    /// A projection mentions the parameters that its bounds mention.
    #[remote]
    projection<A: Takes<B>, B> {
        x: send { x(B) -> y }
        y: recv { y(A::Out) -> ! }
    }

    /// A projection of a state's parameter, used as an argument. Its bound has the name of the state, so the
    /// path is written out.
    passed_on {
        area: send<T: self::Area> { unit(T::Unit) -> area<T>, other -> area<u8>, last -> last<T::Unit> }
        last: send<U> { last(U) -> ! }
    }

    /// A projection inside a type whose name is also a state's; and a parameter with two bounds, one of which
    /// mentions a parameter that a later state does not have.
    #[remote]
    fetched<T: Iterator + PartialEq<U>, U> {
        vec: send { vec(Vec<T::Item>, U) -> last }
        last: send { last(Option<T>) -> ! }
    }

    /// A constant that one state passes on for another state's constant of the same name.
    turned {
        first: send<const A: usize, const B: usize> { m([(); B]) -> second<A> }
        second: send<const B: usize> { n -> third<[u8; B]>, o([(); B]) -> ! }
        third: send<X> { p(X) -> ! }
    }

    /// States with the names of items that are generated for every state.
    #[remote]
    items { message: send { m(u8) -> into_future, n -> future } into_future: recv { m -> message } future: recv { n -> ! } }

    /// Only the first state knows that `T` outlives `'b`.
    outlives<'b, T> { a: send { m(&'b T) -> b } b: send { n(&'b str, T) -> c } c: recv { o(T) -> b, p -> ! } }

    /// Each state has its parameters in the order of their declaration.
    #[remote]
    ordered<T, U> { a: send { m(U) -> b } b: recv { n(T) -> a, o -> ! } }

    /// An `expect` attribute is fulfilled once, not once for each generated item.
    #[remote]
    expected {
        s: send {
            #[expect(clippy::doc_markdown)]
            /// some_thing that clippy would like to have marked.
            m -> s,
        }
    }
}

#[test]
fn constants_come_from_where_they_are_written() {
    let (client, server) = inner::constant::pipe();
    client.go().unwrap().array([1; COUNT]).unwrap();
    take!(server, inner::constant::Go::Go(server));
    take!(server, inner::constant::Array::Array(array));
    assert_eq!(array, [1; COUNT]);

    let (client, server) = length::pipe();
    drop(client.array([7; BOUND]).unwrap().array_of_states([8; STATES]));
    take!(server, length::Array::Array([7, 7], server));
    take!(server, length::Array::ArrayOfStates([8, 8, 8, 8], _));

    let (client, server) = drawn::pipe::<1>();
    let client = client.dot([1; MERMAID]).unwrap().mermaid([2]).unwrap();
    take!(server, drawn::MERMAID::DOT([1, 1, 1, 1, 1, 1], server));
    take!(server, drawn::MERMAID::MERMAID([2], server));
    drop(server.dot([3; DOT]).unwrap());
    take!(client, drawn::DOT::Dot([3, 3, 3, 3, 3], _));
    assert!(drawn::MERMAID.starts_with("stateDiagram-v2") && drawn::DOT.starts_with("digraph"));
}

#[test]
fn slots_have_room_for_what_comes_later() {
    let (client, server) = turned::pipe::<64, 1>();
    client.m([()]).unwrap().n().unwrap().p([7; 64]).unwrap();
    take!(server, turned::First::M(_, server));
    take!(server, turned::Second::N(server));
    assert!(matches!(server.try_recv(), Ok(turned::Third::P(sent)) if sent == [7; 64]));
}

#[test]
fn what_surrounds_a_derived_debug_prints_without_it() {
    struct Mute;
    let (client, server) = derived::pipe::<Mute>();
    drop(client.payload(Mute));
    let message = derived::AnyServer::from(server).try_recv().expect("it was sent");
    assert_eq!(format!("{message:?}"), "S(..)");
}

#[test]
fn projections_find_their_traits() {
    let (client, server) = projection::pipe::<(), u8>();
    let client = client.x(1).unwrap();
    take!(server, projection::X::X(1, server));
    server.y(2_u16).unwrap();
    take!(client, projection::Y::Y(2));

    let (client, server) = passed_on::pipe::<u8>();
    client.unit(1_u64).unwrap().other().unwrap().last().unwrap().last(9_u64).unwrap();
    take!(server, passed_on::Area::Unit(1, server));
    take!(server, passed_on::Area::Other(server));
    take!(server, passed_on::Area::Last(server));
    take!(server, passed_on::Last::Last(9));
    drop(fetched::pipe::<std::ops::Range<u8>, std::ops::Range<u8>>());
}

#[test]
fn parameters_are_those_of_their_states() {
    let (text, number) = (String::from("text"), 7);
    let (client, server) = outlives::pipe();
    drop(client.m(&number).unwrap().n(&text, 8).unwrap());
    take!(server, outlives::A::M(7, server));
    take!(server, outlives::B::N("text", 8, _));
    let (client, server) = ordered::pipe::<u8, u16>();
    drop(client.m(1_u16));
    let server: ordered::AnyServer<u8, u16> = server.into();
    take!(server, ordered::ServerMessage::A(_));
    drop((items::pipe(), expected::pipe()));
}
