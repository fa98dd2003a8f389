//! More messages in a row than a protocol is said to have.

pipes::proto! {
    #[bounded(1)]
    p {
        s: send { m -> t }
        t: send { m -> u }
        u: recv { m -> s }
    }
    #[bounded(0)]
    q {
        s: recv { m -> ! }
    }
}

fn main() {
    let _ = p::pipe();
}
