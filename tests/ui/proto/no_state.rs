//! A protocol without states, beside one with a state.

pipes::proto! {
    p {}
    q { s: send { m -> ! } }
}

fn main() {
    let _ = q::pipe();
}
