//! Endpoints of protocols whose type names mean other things in other places: parameters with the name of a
//! primitive type, payloads with the name of a state, associated types, macros, and arguments that change
//! from step to step. An endpoint must be `Send` exactly if all payloads are that the pipe can carry from its
//! state on, and those before it as far as the state can name them.

#![allow(
    non_camel_case_types,
    dead_code,
    reason = "a parameter that is called as a primitive type; types that nothing makes"
)]

use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// `MAY` is true if `T` is `Send`: then the inherent constant hides the one of the trait.
struct Travels<T>(PhantomData<T>);

trait Stays {
    const MAY: bool = false;
}

impl<T> Stays for Travels<T> {}

impl<T: Send> Travels<T> {
    const MAY: bool = true;
}

macro_rules! may {
    ($($ty:ty: $may:literal,)*) => {
        $(assert_eq!(Travels::<$ty>::MAY, $may, stringify!($ty));)*
    };
}

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

    /// Sends endpoints of itself, of other protocols, and endpoints that are not `Send`.
    nested {
        Open: send<T> { this(nested::server::Open<T>) -> Open<T>, value(T) -> Open<T>, other(called::client::Secret) -> Open<T> }
    }

    /// Sends only endpoints of itself.
    circle {
        Open: send<T> { this(circle::server::Open<T>) -> Open<T>, value(T) -> Open<T> }
    }
}

#[test]
fn what_can_come_decides() {
    may! {
        unboxed::Client<unboxed::First<u8>>: false,
        unboxed::Server<unboxed::First<Rc<u8>>>: false,
        unboxed::Client<unboxed::First<Box<u8>>>: false,
        unboxed::Server<unboxed::Second<Box<u8>>>: true,
        unboxed::Client<unboxed::Third<u8>>: true,
        unboxed::Client<unboxed::Third<Rc<u8>>>: false,
        primitive::Client<primitive::First<u8>>: true,
        primitive::Server<primitive::First<Rc<u8>>>: false,
        primitive::Server<primitive::Second<Box<Rc<u8>>>>: false,
        primitive::Server<primitive::Third>: true,
        called::Client<called::First<u8>>: false,
        called::Server<called::Middle<u8>>: false,
        called::Server<called::Middle<Rc<u8>>>: false,
        called::Server<called::Secret>: false,
        mixed::Client<mixed::First<u8, Rc<u8>>>: false,
        mixed::Client<mixed::First<Rc<u8>, u8>>: false,
        mixed::Client<mixed::First<Arc<u8>, u8>>: true,
        mixed::Server<mixed::Second<Rc<u8>, u8>>: false,
        mixed::Server<mixed::Third<Rc<u8>>>: false,
        mixed::Server<mixed::Fourth>: true,
        nested::Client<nested::Open<u8>>: false,
        circle::Client<circle::Open<u8>>: true,
        circle::Server<circle::Open<Rc<u8>>>: false,
        circle::AnyServer<Rc<u8>>: false,
        circle::ServerMessage<u8>: true,
    }
}

/// Futures, sets and other types that contain endpoints travel as the endpoints do.
#[test]
fn what_waits_travels_as_they_do() {
    may! {
        pipes::RecvFuture<circle::Server<circle::Open<Rc<u8>>>>: false,
        pipes::RecvFuture<circle::Server<circle::Open<u8>>>: true,
        pipes::PortSet<circle::Server<circle::Open<Rc<u8>>>>: false,
        pipes::PortSet<circle::AnyServer<u8>, Rc<u8>>: false,
        pipes::PortSet<circle::AnyServer<u8>>: true,
        pipes::Ready<'static, circle::Server<circle::Open<Rc<u8>>>>: false,
        pipes::WaitClosed<'static, pipes::SharedChan<Rc<u8>>>: false,
        pipes::SendFuture<'static, Rc<u8>>: false,
        pipes::SendFuture<'static, u8>: true,
        pipes::SharedPort<Rc<u8>>: false,
        &'static pipes::SharedPort<u8>: true,
        &'static pipes::Port<Rc<u8>>: false,
        &'static pipes::PortOne<std::cell::Cell<u8>>: true,
        &'static pipes::Eventual<std::cell::Cell<u8>>: false,
        pipes::RecvShared<'static, Rc<u8>>: false,
        pipes::RecvFromSet<'static, pipes::Port<Rc<u8>>, usize>: false,
        pipes::Connector<circle::Protocol<Rc<u8>>>: false,
        pipes::Listener<circle::Protocol<u8>>: true,
        pipes::DuplexStream<Rc<u8>, u8>: false,
        pipes::Either<pipes::Port<u8>, pipes::PortOne<Rc<u8>>>: false,
    }
}
