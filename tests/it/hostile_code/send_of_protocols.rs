//! Endpoints of protocols whose type names mean other things in other places: parameters with the name of a
//! primitive type, payloads with the name of a state, associated types, and types that macros make. An
//! endpoint is `Send` exactly if all payloads are that the pipe can carry from its state on, and those before
//! it as far as the state can name them.

#![allow(
    non_camel_case_types,
    dead_code,
    reason = "a parameter that is called as a primitive type; types that nothing makes"
)]

use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// `IS_SEND` is true if `T` is `Send`: then the inherent constant hides the one of the trait.
struct Asked<T>(PhantomData<T>);

trait Otherwise {
    const IS_SEND: bool = false;
}

impl<T> Otherwise for Asked<T> {}

impl<T: Send> Asked<T> {
    const IS_SEND: bool = true;
}

macro_rules! assert_send {
    ($($ty:ty: $is_send:literal,)*) => {
        $(assert_eq!(Asked::<$ty>::IS_SEND, $is_send, stringify!($ty));)*
    };
}

/// Makes a type of tokens.
macro_rules! same {
    ($ty:ty) => {
        $ty
    };
}

pub trait Takes {
    type Taken: Takes;
}

impl Takes for u8 {
    type Taken = Rc<u8>;
}

impl Takes for Rc<u8> {
    type Taken = u8;
}

impl<T: Takes> Takes for Box<T> {
    type Taken = T;
}

pub trait Lends {
    type Lent<'a, const N: usize>: Sized
    where
        Self: 'a;
}

pub struct Words;
pub struct Local;

impl Lends for Words {
    type Lent<'a, const N: usize> = [&'a str; N];
}

impl Lends for Local {
    type Lent<'a, const N: usize> = Rc<[&'a str; N]>;
}

pub struct Last<T>(pub T);

/// A type with the name of a generated type.
pub struct Server(pub Rc<u8>);

pipes::proto! {
    /// Each step takes a box away.
    unboxed {
        First: send<T: Takes> { one(T) -> Second<T::Taken>, end -> ! }
        Second: recv<T: Takes> { two(T) -> Third<<T as Takes>::Taken> }
        Third: send<U> { three(U) -> ! }
    }

    /// A parameter with the name of the type that another state sends.
    primitive {
        First: send<u8> { one(u8) -> First<u8>, change -> Second<Box<u8>> }
        Second: recv<T> { two(T) -> Third }
        Third: send { three(u8) -> ! }
    }

    /// A payload with the name of a state, one with the name of an endpoint, and one that a macro makes.
    called {
        First: send<T> { one(same!(T)) -> Middle<Last<T>>, other(T) -> Secret }
        Middle: recv<T> { two(T) -> Last }
        Last: send { three(Last<same!(u8)>) -> ! }
        Secret: send { four(Option<Server>) -> ! }
    }

    /// The payload of the last state does not depend on the parameters; those of earlier states do.
    mixed<G> {
        First: send<T> { one(T) -> Second<u8>, again -> First<T> }
        Second: recv<T> { two(T) -> Third<Vec<G>> }
        Third: send<U> { three(U) -> Third<U>, end -> Fourth }
        Fourth: recv { four(u8) -> ! }
    }

    /// Sends endpoints of itself and of another protocol, which are not `Send`.
    nested {
        Open: send<T> {
            this(nested::server::Open<T>) -> Open<T>, value(T) -> Open<T>,
            other(called::client::Secret) -> Open<T>
        }
    }

    /// Sends only endpoints of itself.
    circle {
        Open: send<T> { this(circle::server::Open<T>) -> Open<T>, value(T) -> Open<T> }
    }

    /// Payloads of generic associated types.
    lending<'a> {
        First: send<L: Lends + 'a> { lend(<L as Lends>::Lent<'a, 3>) -> Second<L>, over -> ! }
        Second: recv<L: Lends + 'a> { back(<L as Lends>::Lent<'a, 5>, ()) -> First<L> }
    }
}

#[test]
fn exactly_if_the_payloads_are() {
    assert_send! {
        unboxed::Client<unboxed::First<u8>>: false,
        unboxed::Client<unboxed::First<Box<u8>>>: false,
        unboxed::Server<unboxed::Second<Box<u8>>>: true,
        unboxed::Client<unboxed::Third<u8>>: true,
        unboxed::Client<unboxed::Third<Rc<u8>>>: false,
        primitive::Client<primitive::First<u8>>: true,
        primitive::Server<primitive::First<Rc<u8>>>: false,
        primitive::Server<primitive::Second<Box<Rc<u8>>>>: false,
        called::Client<called::First<u8>>: false,
        called::Server<called::Middle<u8>>: false,
        called::Server<called::Secret>: false,
        mixed::Client<mixed::First<u8, Rc<u8>>>: false,
        mixed::Client<mixed::First<Rc<u8>, u8>>: false,
        mixed::Client<mixed::First<Arc<u8>, u8>>: true,
        mixed::Server<mixed::Second<Rc<u8>, u8>>: false,
        mixed::Server<mixed::Fourth>: true,
        nested::Client<nested::Open<u8>>: false,
        circle::Client<circle::Open<u8>>: true,
        circle::Server<circle::Open<Rc<u8>>>: false,
        lending::Client<lending::First<'static, Words>>: true,
        lending::Server<lending::Second<'static, Local>>: false,
        lending::AnyServer<'static, Local>: false,
        pipes::PortSet<circle::AnyServer<u8>, Rc<u8>>: false,
        pipes::PortSet<circle::AnyServer<u8>>: true,
        pipes::Connector<circle::Protocol<Rc<u8>>>: false,
        pipes::Listener<circle::Protocol<u8>>: true,
    }
}
