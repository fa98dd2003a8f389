//! Parameters that no payload mentions: a type, a lifetime, a constant, one that is handed round for nothing.

pipes::proto! {
    p<'a, T, const N: usize> {
        s: send { m -> s2<u8> }
        s2: send<U> { m -> s2<U> }
    }
}

fn main() {
    let _ = p::pipe();
}
