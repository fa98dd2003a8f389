//! Scopes in which common names mean something else.

use super::meet;

/// No prelude, and local items with the names of the prelude's and of what walkers use.
mod without_prelude {
    #![no_implicit_prelude]
    #![allow(dead_code, non_camel_case_types)]

    #[derive(::core::fmt::Debug, ::serde::Serialize, ::serde::Deserialize)]
    pub(super) struct Vec(pub(super) ::core::primitive::u8);
    #[derive(::core::fmt::Debug, ::serde::Serialize, ::serde::Deserialize)]
    pub(super) struct u32(pub(super) ::core::primitive::u8);
    pub(super) struct Result;
    pub(super) struct Option;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct bool;
    pub(super) struct str;
    pub(super) struct u8;
    pub(super) struct u128;
    pub(super) struct usize;
    pub(super) struct Context;
    pub(super) struct Poll;
    pub(super) struct Relay;
    pub(super) struct Remote;
    pub(super) struct Carries;
    pub(super) struct Lifted;
    pub(super) struct Lowered;
    pub(super) struct Incoming;
    pub(super) struct Ticket;
    pub(super) struct Link;
    pub(super) trait Into {}
    pub(super) trait From {}
    pub(super) trait Send {}
    pub(super) trait Sized {}
    pub(super) trait Dial {}
    pub(super) trait Serve {}
    pub(super) trait Future {}
    pub(super) mod core {}
    pub(super) mod std {}
    pub(super) mod alloc {}
    pub(super) mod pipes {}
    pub(super) mod remote {}
    pub(super) mod __private {}
    pub(super) fn drop() {}
    pub(super) fn connect() {}
    pub(super) fn listen() {}
    pub(super) const BOUND: ::core::primitive::u8 = 0;

    ::pipes::proto! {
        #[remote]
        pub(super) bounded {
            first: send { numbers(Vec, u32) -> second }
            second: recv { number(u32) -> first, end -> ! }
        }

        #[remote]
        pub(super) unbounded {
            first: send { numbers(Vec, u32) -> first, turn -> second }
            second: recv { number(u32) -> second, end -> ! }
        }

        #[remote(version = 1)]
        pub(super) generic<T> where T: ::core::marker::Copy {
            first: send { numbers(Vec, T) -> first, turn(u32) -> second }
            second: recv { number(T) -> second, end -> ! }
        }
    }
}

/// Macros with the names of those that generated code might use.
mod with_other_macros {
    #![allow(unused_macros, reason = "they are there to be in the way")]

    macro_rules! others {
        ($dollar:tt $($name:ident)*) => {
            $(macro_rules! $name {
                ($dollar($dollar tokens:tt)*) => {
                    compile_error!("not this one")
                };
            })*
        };
    }

    others! { $ matches panic unreachable vec concat stringify }

    pipes::proto! {
        #[remote]
        pub(super) plain {
            first: send { number(u8) -> first, turn -> second }
            second: recv { end -> ! }
        }
    }
}

/// A trait that every type implements, with by-value methods that method lookup finds before the methods
/// that take a reference.
mod with_other_methods {
    #[expect(dead_code, reason = "they are there to be in the way")]
    pub(super) trait Everything: Sized {
        fn dial(self) {}
        fn serve(self) {}
        fn dial_async(self) {}
        fn serve_async(self) {}
        fn map(self) {}
        fn into(self) {}
        fn put(self) {}
        fn get(self) {}
        fn lift(self) {}
        fn lower(self) {}
        fn state(self) {}
        fn hash(self) {}
        fn poll(self) {}
        fn poll_closed(self) {}
        fn poll_ready(self) {}
        fn send(self) {}
        fn finish(self) {}
        fn from(self) {}
        fn shape(self) {}
    }

    impl<T> Everything for T {}

    pipes::proto! {
        #[remote]
        pub(super) plain {
            first: send { number(u8) -> first, turn -> second }
            second: recv { number(u8) -> first, end -> ! }
        }

        #[remote]
        pub(super) bounded {
            first: send { number(u8) -> second }
            second: recv { number(u8) -> first, end -> ! }
        }
    }
}

#[test]
fn nothing_is_needed_in_scope() {
    use without_prelude::{Vec, bounded, generic, u32, unbounded};
    let ((client, _), (server, _)) = meet::<bounded::Protocol>();
    let client = client.numbers(Vec(1), u32(2)).unwrap();
    let Ok(bounded::First::Numbers(Vec(1), u32(2), server)) = server.recv() else { panic!("it was sent") };
    server.end().unwrap();
    assert!(matches!(client.recv(), Ok(bounded::Second::End)));
    let ((client, _), (server, _)) = meet::<unbounded::Protocol>();
    let client = client.numbers(Vec(1), u32(2)).unwrap().turn().unwrap();
    let Ok(unbounded::First::Numbers(Vec(1), u32(2), server)) = server.recv() else { panic!("it was sent") };
    let Ok(unbounded::First::Turn(server)) = server.recv() else { panic!("it was sent") };
    server.number(u32(3)).unwrap().end().unwrap();
    let Ok(unbounded::Second::Number(u32(3), client)) = client.recv() else { panic!("it was sent") };
    assert!(matches!(client.recv(), Ok(unbounded::Second::End)));
    let ((client, _), (server, _)) = meet::<generic::Protocol<i32>>();
    let _client = client.numbers(Vec(1), 2).unwrap();
    assert!(matches!(server.recv(), Ok(generic::First::Numbers(Vec(1), 2, _))));
}

#[test]
fn macros_and_methods_of_other_meanings_do_no_harm() {
    let ((client, _), (server, _)) = meet::<with_other_macros::plain::Protocol>();
    let _client = client.number(1).unwrap();
    assert!(matches!(server.recv(), Ok(with_other_macros::plain::First::Number(1, _))));
    let ((client, _), (server, _)) = meet::<with_other_methods::plain::Protocol>();
    let _client = client.number(1).unwrap();
    assert!(matches!(server.recv(), Ok(with_other_methods::plain::First::Number(1, _))));
    drop(meet::<with_other_methods::bounded::Protocol>());
}
