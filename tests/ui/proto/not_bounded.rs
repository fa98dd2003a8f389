//! Protocols said to be bounded in which one side can send for ever: in one state, in two, the server.

pipes::proto! {
    #[bounded]
    one {
        s: send { m -> s }
    }
    #[bounded(3)]
    two {
        s: send { m -> t }
        t: send { m -> u }
        u: send { m -> t, n -> v }
        v: recv { m -> s }
    }
    #[bounded]
    server {
        s: send { m -> t }
        t: recv { m -> t, n -> s }
    }
}

fn main() {
    let _ = one::pipe();
}
