//! Two states of one name, as they are written and as types.

pipes::proto! {
    p {
        s: send { m -> s, n -> log_in }
        s: recv { m -> s }
        log_in: send { m -> LogIn }
        LogIn: recv { m -> log_in }
    }
}

fn main() {
    let _ = p::pipe();
}
