//! Two messages of one name in one state, as they are written, as methods and as variants.

pipes::proto! {
    p {
        s: send {
            m -> s,
            m(u8) -> s,
            get_it -> s,
            GetIt(u8) -> s,
            a_b -> s,
            a__b -> s
        }
    }
}

fn main() {
    let _ = p::pipe();
}
