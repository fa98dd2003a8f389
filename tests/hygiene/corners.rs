//! Corner cases that could break generated code.
#![deny(single_use_lifetimes, clippy::enum_variant_names, clippy::large_enum_variant)]

use std::fmt::Debug;

const COUNT: usize = 3;
const BOUND: usize = 2;

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
    /// A message whose name became a keyword, and one with the name of a verb.
    keyword { s: send { Gen -> s, Recv -> s } }

    /// A payload that mentions a constant with the name of a generated constant.
    length { s: send { array([u8; BOUND]) -> s } }

    /// All variants have a common prefix, which is the state's name.
    prefixed { login: send { login -> login, login_again -> login, login_late(u8) -> ! } }

    /// A lifetime that is used only once.
    once<'a> { s: send { borrowed(&'a u8) -> s } }

    /// A derived `Debug` needs more bounds than the types around it.
    #[derive(Debug)]
    derived<T> { s: send { payload(T) -> s } }

    /// A projection mentions the parameters that its bounds mention.
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
    items { message: send { m(u8) -> into_future, n -> future } into_future: recv { m -> message } future: recv { n -> ! } }

    /// Only the first state knows that `T` outlives `'b`.
    outlives<'b, T> { a: send { m(&'b T) -> b } b: send { n(&'b str, T) -> c } c: recv { o(T) -> b, p -> ! } }

    /// Each state has its parameters in the order of their declaration.
    ordered<T, U> { a: send { m(U) -> b } b: recv { n(T) -> a, o -> ! } }

    /// An `expect` attribute is fulfilled once, not once for each generated item.
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
    client.go().expect("open").array([1; COUNT]).expect("open");
    let Ok(inner::constant::Go::Go(server)) = server.try_recv() else { panic!("it was sent") };
    let Ok(inner::constant::Array::Array(array)) = server.try_recv() else { panic!("it was sent") };
    assert_eq!(array, [1; COUNT]);

    let (client, server) = length::pipe();
    drop(client.array([7; BOUND]));
    let Ok(length::S::Array(array, _)) = server.try_recv() else { panic!("it was sent") };
    assert_eq!(array, [7; BOUND]);
}

#[test]
fn slots_have_room_for_what_comes_later() {
    let (client, server) = turned::pipe::<64, 1>();
    client.m([()]).expect("open").n().expect("open").p([7; 64]).expect("open");
    let Ok(turned::First::M(_, server)) = server.try_recv() else { panic!("it was sent") };
    let Ok(turned::Second::N(server)) = server.try_recv() else { panic!("it was sent") };
    assert!(matches!(server.try_recv(), Ok(turned::Third::P(sent)) if sent == [7; 64]));
}

#[test]
fn keywords_and_verbs_are_messages() {
    let (client, server) = keyword::pipe();
    drop(client.r#gen().expect("open").recv());
    let Ok(keyword::S::Gen(server)) = server.try_recv() else { panic!("it was sent") };
    assert!(matches!(server.try_recv(), Ok(keyword::S::Recv(_))));
}

#[test]
fn what_surrounds_a_derived_debug_prints_without_it() {
    struct Mute;
    fn print(value: impl Debug) -> String {
        format!("{value:?}")
    }
    let (client, server) = derived::pipe::<Mute>();
    drop(client.payload(Mute));
    let message = derived::AnyServer::from(server).try_recv().expect("it was sent");
    assert_eq!(print(message), "S(..)");
    let (client, server) = derived::pipe::<u8>();
    drop(client.payload(7));
    assert_eq!(print(server.try_recv().expect("it was sent")), "Payload(7, Server<S<u8>>)");
}

#[test]
fn projections_find_their_traits() {
    let (client, server) = projection::pipe::<(), u8>();
    let client = client.x(1).expect("open");
    let Ok(projection::X::X(1, server)) = server.try_recv() else { panic!("it was sent") };
    server.y(2_u16).expect("open");
    assert!(matches!(client.try_recv(), Ok(projection::Y::Y(2))));

    let (client, server) = fetched::pipe::<std::ops::Range<u8>, std::ops::Range<u8>>();
    client.vec(vec![1], 0..1).expect("open").last(Some(0..2)).expect("open");
    let Ok(fetched::Vec::Vec(items, _, server)) = server.try_recv() else { panic!("it was sent") };
    assert_eq!(items, [1]);
    assert!(matches!(server.try_recv(), Ok(fetched::Last::Last(Some(_)))));

    let (client, server) = passed_on::pipe::<u8>();
    client.unit(1_u64).expect("open").other().expect("open").last().expect("open").last(9_u64).expect("open");
    let Ok(passed_on::Area::Unit(1, server)) = server.try_recv() else { panic!("it was sent") };
    let Ok(passed_on::Area::Other(server)) = server.try_recv() else { panic!("it was sent") };
    let Ok(passed_on::Area::Last(server)) = server.try_recv() else { panic!("it was sent") };
    assert!(matches!(server.try_recv(), Ok(passed_on::Last::Last(9))));
}

#[test]
fn the_other_protocols_work_too() {
    let (client, server) = prefixed::pipe();
    drop(client.login().and_then(prefixed::client::Login::login_again));
    assert!(matches!(server.try_recv(), Ok(prefixed::Login::Login(_))));
    let (number, (client, server)) = (5, once::pipe());
    drop(client.borrowed(&number));
    assert!(matches!(server.try_recv(), Ok(once::S::Borrowed(5, _))));
    let (text, number) = (String::from("text"), 7);
    let (client, server) = outlives::pipe();
    drop(client.m(&number).expect("open").n(&text, 8).expect("open"));
    let Ok(outlives::A::M(7, server)) = server.try_recv() else { panic!("it was sent") };
    assert!(matches!(server.try_recv(), Ok(outlives::B::N("text", 8, _))));
    let (client, server) = ordered::pipe::<u8, u16>();
    drop(client.m(1_u16));
    let server: ordered::AnyServer<u8, u16> = server.into();
    assert!(matches!(server.try_recv(), Ok(ordered::ServerMessage::A(_))));
    let (client, server) = items::pipe();
    drop(client.n());
    assert!(matches!(items::AnyServer::from(server).try_recv(), Ok(items::ServerMessage::Message(_))));
    let (client, server) = expected::pipe();
    drop(client.m());
    assert!(matches!(server.try_recv(), Ok(expected::S::M(_))));
}
