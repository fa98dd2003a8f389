//! A state in which neither side sends: another word, a keyword.

pipes::proto! {
    p {
        s: sends { m -> s2 }
        s2: move { m -> s }
    }
}

fn main() {
    let _ = p::pipe();
}
