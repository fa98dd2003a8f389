//! The bound of a protocol: how many messages can be on their way.

use pipes::Bound;

pipes::proto! {
    once { s: send { m -> ! } }
    thrice { a: send { m -> b } b: send { m -> c } c: send { m -> ! } }
    /// Two requests and one answer, and one request and two answers.
    uneven {
        a: send { m -> b } b: send { m -> c }
        c: recv { m -> d } d: recv { m -> e } e: recv { m -> a, back -> c_again }
        c_again: send { m -> c }
    }
    /// Two paths, one short and one long.
    detour { a: send { short -> d, long -> b } b: send { m -> c } c: send { m -> d } d: recv { m -> a, end -> ! } }
    endless { s: send { m -> s } }
    /// The client may go round two states without an answer from the server.
    around { a: send { m -> b, ask -> c } b: send { m -> a } c: recv { m -> a } }
    /// Only the server's side is unbounded.
    news { subscribe: send { m -> item } item: recv { item(u8) -> item, end -> subscribe } }
    /// A state that no session reaches counts as well.
    spoilt {
        a: send { m -> b } b: recv { m -> a }
        #[allow(deprecated)]
        x: recv { m -> x }
    }
    /// An unreachable state without an effect on the bound.
    unreached {
        a: send { m -> ! }
        #[allow(deprecated)]
        b: send { m -> c }
        #[allow(deprecated)]
        c: recv { m -> b }
    }
    generic<'a, T, const N: usize> { there: send { m(&'a [T; N]) -> back } back: recv { n(T) -> there } }
}

#[test]
fn bounds() {
    let messages = Bound::Messages;
    assert_eq!(once::BOUND, messages(1));
    assert_eq!(thrice::BOUND, messages(3));
    assert_eq!(uneven::BOUND, messages(3));
    assert_eq!(detour::BOUND, messages(3));
    assert_eq!(unreached::BOUND, messages(1));
    assert_eq!(generic::BOUND, messages(1));
    assert_eq!(endless::BOUND, Bound::Unbounded { cycle: &["s"] });
    assert_eq!(around::BOUND, Bound::Unbounded { cycle: &["a", "b"] });
    assert_eq!(news::BOUND, Bound::Unbounded { cycle: &["item"] });
    assert_eq!(spoilt::BOUND, Bound::Unbounded { cycle: &["x"] });
}

/// Bounds are constants, so that a program can refuse to compile with a protocol that has another bound.
#[test]
fn bounds_are_known_to_the_compiler() {
    const { assert!(detour::BOUND.is_bounded() && !news::BOUND.is_bounded()) };
    const LIMIT: usize = match uneven::BOUND {
        Bound::Messages(limit) => limit,
        Bound::Unbounded { .. } => 0,
    };
    assert_eq!([0; LIMIT].len(), 3);
}
