//! A message that does not say what follows it: a state, the end, another arrow, nothing.

pipes::proto! {
    p {
        s: send {
            to_a_state(u8) s,
            to_the_end !,
            another_arrow => s,
            nothing,
            nothing_with_a_payload(u8),
            last
        }
    }
}

fn main() {
    let _ = p::pipe();
}
