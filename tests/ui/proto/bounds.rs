//! How many messages can be on their way.

/// More messages in a row than a protocol is said to have.
mod bound_exceeded {
    pipes::proto! {
        #[bounded(1)]
        p {
            s: send { m -> t }
            t: send { m -> u }
            u: recv { m -> s }
        }
        #[bounded(0)]
        q { s: recv { m -> ! } }
    }
}

/// Protocols said to be bounded in which one side can send for ever: in one state, in two, the server.
mod not_bounded {
    pipes::proto! {
        #[bounded]
        one { s: send { m -> s } }
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
}

fn main() {}
