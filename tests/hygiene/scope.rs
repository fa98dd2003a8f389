//! Scopes in which common names mean something else.

/// No prelude, and local items with the names of the prelude's.
mod without_prelude {
    #![no_implicit_prelude]
    #![allow(dead_code, non_camel_case_types)]

    macro_rules! names {
        ($($name:ident)*; $($a_trait:ident)*; $($module:ident)*) => {
            $(pub(super) struct $name;)*
            $(pub(super) trait $a_trait {})*
            $(pub(super) mod $module {})*
        };
    }
    names! {
        Result Option Ok Err Some None Vec Box PhantomData ManuallyDrop Endpoint Message
        bool str u8 u128 usize Context Poll Relay Remote Carries Lifted Lowered Incoming Ticket Link;
        Send Sync Sized Debug From Into Drop Fn Receive Readiness State Dial Serve Future;
        core std alloc pipes __private remote
    }
    pub(super) struct String(pub(super) ::core::primitive::u8);
    pub(super) fn drop() {}
    pub(super) fn pipe() {}
    pub(super) fn connect() {}
    pub(super) fn listen() {}
    pub(super) const BOUND: ::core::primitive::u8 = 0;
    pub(super) type Self_ = ::core::primitive::u8;

    ::pipes::proto! {
        #[derive(Debug)]
        #[remote]
        pub(super) strings {
            first: send { string(String) -> second }
            second: recv { strings(Vec, Box) -> first, end -> ! }
        }

        pub(super) borrowed<'a, T> {
            first: send { string(&'a T, String) -> second }
            second: recv { strings(T) -> first, end -> ! }
        }
    }

    ::pipes::proto! {
        #[remote]
        pub(super) bounded<T> where T: ::core::marker::Copy {
            first: send { string(String, T) -> second }
            second: recv { strings(Vec, u8) -> first, end -> ! }
        }

        #[remote(version = 1)]
        pub(super) unbounded {
            first: send { string(String, u8) -> first, turn -> second }
            second: recv { strings(Vec, Box) -> second, end -> ! }
        }
    }

    macro_rules! local {
        ($($name:ident)*) => {
            $(impl ::core::fmt::Debug for $name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.write_str("local")
                }
            })*
        };
    }
    local! { String Vec Box }
}

/// Macros with the names of those that generated code might use.
mod with_other_macros {
    #![allow(unused_macros, reason = "they are there to be in the way")]

    macro_rules! in_the_way {
        ($d:tt $($name:ident)*) => {
            $(macro_rules! $name {
                ($d($d tokens:tt)*) => { compile_error!("not this one") };
            })*
        };
    }
    in_the_way! { $ panic vec concat matches stringify format_args unreachable write proto __endpoint __receive __any }

    pipes::proto! {
        #[remote]
        pub(super) plain {
            first: send { number(u8) -> second }
            second: recv { end -> ! }
        }
    }
}

/// A trait that every type implements, with by-value methods that method lookup finds before the methods that
/// take a reference.
mod with_other_methods {
    macro_rules! methods {
        ($($name:ident)*) => {
            $(fn $name(self) {})*
        };
    }

    #[expect(dead_code, clippy::wrong_self_convention, reason = "they are there to be in the way")]
    pub(super) trait Everything: Sized {
        methods! {
            send finish map map_err map_or write_str write_fmt receiver receiver_mut try_recv poll_ready
            is_ready is_closed wait fmt from dial serve dial_async serve_async into put get lift lower state hash
            poll poll_closed shape
        }
    }

    impl<T> Everything for T {}

    pipes::proto! {
        #[remote]
        pub(super) plain {
            first: send { number(u8) -> second }
            second: recv { number(u8) -> first, end -> ! }
        }
    }
}

#[test]
fn nothing_is_needed_in_scope() {
    let (client, server) = without_prelude::strings::pipe();
    let waiting = client.string(without_prelude::String(7)).unwrap();
    take!(server, without_prelude::strings::First::String(string, server));
    assert_eq!(string.0, 7);
    let _server = server.strings(without_prelude::Vec, without_prelude::Box).unwrap();
    let message = waiting.try_recv().expect("it was sent");
    assert!(format!("{message:?}").starts_with("Strings(local, local, Client<First>"), "{message:?}");

    let (client, server) = without_prelude::borrowed::pipe();
    drop(client.string(&5, without_prelude::String(0)).unwrap());
    take!(server, without_prelude::borrowed::First::String(5, ..));
}

#[test]
fn macros_of_other_meanings_do_no_harm() {
    let (client, server) = with_other_macros::plain::pipe();
    let waiting = client.number(1).unwrap();
    take!(server, with_other_macros::plain::First::Number(1, server));
    server.end().unwrap();
    take!(waiting, with_other_macros::plain::Second::End);
}

#[test]
fn methods_of_everything_do_no_harm() {
    use with_other_methods::Everything;
    use with_other_methods::plain::{self, AnyClient, ClientMessage};
    let (client, server) = plain::pipe();
    let waiting = client.number(1).unwrap();
    take!(server, plain::First::Number(1, server));
    server.end().unwrap();
    let any = AnyClient::Second(waiting);
    assert_eq!((format!("{any:?}"), pipes::Readiness::is_ready(&any)), ("Client<Second>".to_owned(), true));
    take!(any, ClientMessage::Second(plain::Second::End));
    Everything::send(0);
}
