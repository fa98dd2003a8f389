//! Arguments that do not fit the parameters: too many, too few, none, of another kind.

pipes::proto! {
    p<'x> {
        none: send { many(&'x u8) -> one<u8, u8>, for_nothing -> none<u8> }
        one: send<T> { no(T) -> one, empty -> one<>, lifetime -> one<'x>, constant -> one<3> }
    }
    q<'x> {
        all: send<'a, T, const N: usize> { few(&'a [T; N], &'x u8) -> all<T, N>, ty -> all<'x, 1, 2> }
    }
}

fn main() {}
