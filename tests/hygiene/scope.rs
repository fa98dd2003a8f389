//! Scopes in which common names mean something else.

/// No prelude, and local items with the names of the prelude's.
mod without_prelude {
    #![no_implicit_prelude]
    #![allow(dead_code)]

    pub(super) struct Result;
    pub(super) struct Option;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct String(pub(super) u8);
    pub(super) struct Vec;
    pub(super) struct Box;
    pub(super) struct PhantomData;
    pub(super) struct ManuallyDrop;
    pub(super) struct Endpoint;
    pub(super) struct Message;
    pub(super) trait Send {}
    pub(super) trait Sync {}
    pub(super) trait Sized {}
    pub(super) trait Debug {}
    pub(super) trait From {}
    pub(super) trait Into {}
    pub(super) trait Drop {}
    pub(super) trait Fn {}
    pub(super) trait Receive {}
    pub(super) trait Readiness {}
    pub(super) trait State {}
    pub(super) mod core {}
    pub(super) mod std {}
    pub(super) mod alloc {}
    pub(super) mod pipes {}
    pub(super) mod __private {}
    pub(super) fn drop() {}
    pub(super) fn pipe() {}
    pub(super) const BOUND: u8 = 0;
    pub(super) type Self_ = u8;

    ::pipes::proto! {
        #[derive(Debug)]
        pub(super) strings {
            first: send { string(String) -> second }
            second: recv { strings(Vec, Box) -> first, end -> ! }
        }

        pub(super) borrowed<'a, T> {
            first: send { string(&'a T, String) -> second }
            second: recv { strings(T) -> first, end -> ! }
        }
    }

    impl ::core::fmt::Debug for String {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("local")
        }
    }

    impl ::core::fmt::Debug for Vec {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("local")
        }
    }

    impl ::core::fmt::Debug for Box {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("local")
        }
    }
}

/// Macros with the names of those that generated code might use.
mod with_other_macros {
    #![allow(unused_macros, reason = "they are there to be in the way")]

    macro_rules! panic {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! matches {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! stringify {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! format_args {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! unreachable {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! write {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! proto {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! __endpoint {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! __receive {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }
    macro_rules! __any {
        ($($tokens:tt)*) => {
            compile_error!("not this one")
        };
    }

    pipes::proto! {
        pub(super) plain {
            first: send { number(u8) -> second }
            second: recv { end -> ! }
        }
    }
}

/// A trait that every type implements, with by-value methods that method lookup finds before the methods that
/// take a reference.
mod with_other_methods {
    #[expect(dead_code, clippy::wrong_self_convention, reason = "they are there to be in the way")]
    pub(super) trait Everything: Sized {
        fn send(self) {}
        fn finish(self) {}
        fn map(self) {}
        fn map_err(self) {}
        fn map_or(self) {}
        fn write_str(self) {}
        fn write_fmt(self) {}
        fn receiver(self) {}
        fn receiver_mut(self) {}
        fn try_recv(self) {}
        fn poll_ready(self) {}
        fn is_ready(self) {}
        fn is_closed(self) {}
        fn wait(self) {}
        fn fmt(self) {}
        fn from(self) {}
    }

    impl<T> Everything for T {}

    pipes::proto! {
        pub(super) plain {
            first: send { number(u8) -> second }
            second: recv { number(u8) -> first, end -> ! }
        }
    }
}

#[test]
fn nothing_is_needed_in_scope() {
    let (client, server) = without_prelude::strings::pipe();
    let waiting = client.string(without_prelude::String(7)).expect("the server is here");
    let without_prelude::strings::First::String(string, server) = server.try_recv().expect("it was sent");
    assert_eq!(string.0, 7);
    let _server = server.strings(without_prelude::Vec, without_prelude::Box).expect("the client is here");
    let message = waiting.try_recv().expect("it was sent");
    assert!(format!("{message:?}").starts_with("Strings(local, local, Client<First>"), "{message:?}");
}

#[test]
fn borrowed_payloads_need_nothing_either() {
    let number = 5;
    let (client, server) = without_prelude::borrowed::pipe();
    let waiting = client.string(&number, without_prelude::String(0)).expect("the server is here");
    let without_prelude::borrowed::First::String(borrowed, _, server) =
        server.try_recv().expect("it was sent");
    let _server = server.strings(*borrowed).expect("the client is here");
    let without_prelude::borrowed::Second::Strings(owned, _) = waiting.try_recv().expect("it was sent")
    else {
        panic!("something else was sent");
    };
    assert_eq!(owned, number);
}

#[test]
fn macros_of_other_meanings_do_no_harm() {
    let (client, server) = with_other_macros::plain::pipe();
    let waiting = client.number(1).expect("the server is here");
    let with_other_macros::plain::First::Number(1, server) = server.try_recv().expect("it was sent") else {
        panic!("another number came");
    };
    server.end().expect("the client is here");
    assert!(matches!(waiting.try_recv(), Ok(with_other_macros::plain::Second::End)));
}

#[test]
fn methods_of_everything_do_no_harm() {
    use with_other_methods::Everything;
    use with_other_methods::plain::{self, AnyClient, ClientMessage};
    let (client, server) = plain::pipe();
    let waiting = client.number(1).expect("the server is here");
    let plain::First::Number(1, server) = server.try_recv().expect("it was sent") else {
        panic!("another number came");
    };
    server.end().expect("the client is here");
    let any = AnyClient::Second(waiting);
    assert_eq!((format!("{any:?}"), pipes::Readiness::is_ready(&any)), ("Client<Second>".to_owned(), true));
    assert!(matches!(any.try_recv(), Ok(ClientMessage::Second(plain::Second::End))));
    Everything::send(0);
}
