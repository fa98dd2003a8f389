//! Parameters and arguments.

/// Two parameters of one name: of a protocol and its state, in one list, of two kinds in two states.
mod duplicate_parameter {
    pipes::proto! {
        p<T> { s: send<T> { m(T) -> s<T> } }
        q<T, T> { s: send { m(T) -> s } }
        r { s: send<'a, 'a> { m(&'a u8) -> s<'a, 'a> } }
        o {
            s: send<T> { m(T) -> s2<1> }
            s2: send<const T: usize> { m([u8; T]) -> s<u8> }
        }
    }
}

/// Parameters with defaults: a type's and a constant's, on a protocol and on a state in both places.
mod parameter_default {
    pipes::proto! {
        p<T = u8, const N: usize = 1> { s: send { m([T; N]) -> s } }
        q {
            there<T = u8>: send { m(T) -> back<T> }
            back: recv<T = u8> { m(T) -> there<T> }
        }
    }
}

/// Parameters of a state after its name and after its direction.
mod parameters_twice {
    pipes::proto! {
        p { s<T>: send<T> { m(T) -> s<T> } }
        q { s<T>: send<U> { m(T) -> s<T> } }
    }
}

/// Parameters that no payload mentions: a type, a lifetime, a constant, one that is handed round for nothing.
mod unused_parameter {
    pipes::proto! {
        p<'a, T, const N: usize> {
            s: send { m -> s2<u8> }
            s2: send<U> { m -> s2<U> }
        }
    }
}

/// Arguments that do not fit the parameters: too many, too few, none, of another kind.
mod wrong_arguments {
    pipes::proto! {
        p<'x> {
            none: send { many(&'x u8) -> one<u8, u8>, for_nothing -> none<u8> }
            one: send<T> { no(T) -> one, empty -> one<>, lifetime -> one<'x>, constant -> one<3> }
        }
        q<'x> {
            all: send<'a, T, const N: usize> { few(&'a [T; N], &'x u8) -> all<T, N>, ty -> all<'x, 1, 2> }
        }
    }
}

/// Arguments that grow: in one state, on the way through two, changing places, as a projection.
mod growing_argument {
    pipes::proto! {
        p { s: send<T> { m(T) -> s<Vec<T>> } }
        q {
            there: send<T> { m(T) -> back<(T, T)> }
            back: recv<U> { m(U) -> there<U> }
        }
        r { s: send<T, U> { m(T, U) -> s<U, Option<T>> } }
        o { s: send<T: Peel> { m(T) -> s<T::Rest> } }
    }

    trait Peel {
        type Rest: Peel;
    }
}

/// Arguments that are passed on in thousands of orders, and arguments that double at each state.
mod too_many_instances {
    pipes::proto! {
        p {
            s: send<A, B, C, D, E, F, G> {
                turned(A, B, C, D, E, F, G) -> s<B, C, D, E, F, G, A>,
                swapped -> s<B, A, C, D, E, F, G>
            }
        }

        q {
            s0<A, B>: send { m(A, B) -> s1<(A, B), (B, A)> }
            s1<A, B>: send { m(A, B) -> s2<(A, B), (B, A)> }
            s2<A, B>: send { m(A, B) -> s3<(A, B), (B, A)> }
            s3<A, B>: send { m(A, B) -> s4<(A, B), (B, A)> }
            s4<A, B>: send { m(A, B) -> s5<(A, B), (B, A)> }
            s5<A, B>: send { m(A, B) -> s6<(A, B), (B, A)> }
            s6<A, B>: send { m(A, B) -> s7<(A, B), (B, A)> }
            s7<A, B>: send { m(A, B) -> s8<(A, B), (B, A)> }
            s8<A, B>: send { m(A, B) -> s9<(A, B), (B, A)> }
            s9<A, B>: send { m(A, B) -> s10<(A, B), (B, A)> }
            s10<A, B>: send { m(A, B) -> ! }
        }
    }
}

fn main() {}
