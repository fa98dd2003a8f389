//! Payloads of later states that may not go to another thread, each behind something that hides it from the
//! first state.

use std::rc::Rc;

/// It has the name of a parameter of another state.
pub struct T(#[allow(dead_code)] Rc<()>);

pub trait Select {
    type Out;
}
pub trait Convert<X> {
    type Out;
}
pub struct Shared;
pub struct Plain;
pub struct ByTheOther;
impl Select for Shared {
    type Out = Rc<()>;
}
impl Select for Plain {
    type Out = u64;
}
impl<X: Select> Convert<X> for ByTheOther {
    type Out = X::Out;
}

macro_rules! id {
    ($t:ty) => { $t };
}

pipes::proto! {
    by_name {
        a<T>: send { m(T) -> b }
        b: send { n -> c<T> }
        c<W>: send { o(W) -> ! }
    }

    by_bound {
        first<A: Select, B: Select>: send { m(B, A) -> second<A, ByTheOther> }
        second<B: Select, V: Convert<B>>: send { n(B) -> third<V::Out> }
        third<W>: send { o(W) -> ! }
    }

    by_macro {
        first<A, B>: send { m(B) -> second<A> }
        second<B>: send { n -> third<id!(B)> }
        third<W>: send { o(W) -> ! }
    }

    before<P> {
        first: send { m(Rc<()>, u8) -> second, p(P) -> second }
        second: send { n(u8) -> ! }
    }
}

fn go_elsewhere<E: Send>(_: E) {}

fn main() {
    go_elsewhere(by_name::pipe::<u64>());
    go_elsewhere(by_bound::pipe::<Shared, Plain>());
    go_elsewhere(by_macro::pipe::<Rc<()>, u64>());
    let (client, server) = before::pipe::<u8>();
    drop(server);
    go_elsewhere(client.p(1).expect("the server has left"));
}
