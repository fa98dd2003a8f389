//! Names that cannot be.

/// A keyword as a name is reported with the raw identifier that can be one; the rest is understood.
mod keyword {
    pipes::proto! {
        type {
            match: send {
                move(u8) -> r#match,
                r#fn(self: u8, in: u8) -> loop,
                Self -> super
            }
            loop: recv { crate -> match }
            super: recv { end -> ! }
        }

        struct bank {
            s: send { m -> ! }
        }
    }

    fn expanded() {
        let (client, _server) = r#type::pipe();
        let _ = client.r#move(1);
    }
}

/// Names without a letter to make a name of.
mod no_name {
    pipes::proto! {
        p {
            __: send {
                ___ -> __
            }
        }
    }
}

/// Two states of one name, as they are written and as types.
mod duplicate_state {
    pipes::proto! {
        p {
            s: send { m -> s, n -> log_in }
            s: recv { m -> s }
            log_in: send { m -> LogIn }
            LogIn: recv { m -> log_in }
        }
    }
}

/// Two messages of one name in one state, as they are written, as methods and as variants.
mod duplicate_message {
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
}

/// Two fields of one name in one payload.
mod duplicate_field {
    pipes::proto! {
        p {
            s: send { m(x: u8, y: u8, x: u8) -> s }
        }
    }
}

/// Names that are generated already: of states, of parameters, in bounds and arguments.
mod name_collision {
    const DOT: usize = 1;
    const MERMAID: usize = 2;
    const STATES: usize = 3;

    pipes::proto! {
        p {
            client: send { m -> Server }
            Server: recv { m -> protocol }
            protocol: send { m -> any_client }
            any_client: send { m -> client_message }
            client_message: send { m -> not_receiving }
            not_receiving: send { m -> receiving_server }
            receiving_server: send { m -> client_received }
            client_received: send { m -> server_state }
            server_state: recv { m -> NAME }
            NAME: send { m -> ALL }
            ALL: send { m -> client }
        }
        q<Client> {
            s: send { m(Client) -> s }
        }
        r<Copy> {
            copy: send { m(Copy) -> copy }
        }
        o<T: Clone> where T: Iterator {
            clone: send { m(T) -> iterator }
            iterator: recv { m -> clone }
        }
        n {
            s: send<Debug> { m(Debug) -> debug }
            debug: recv { m -> ! }
        }
        /// Constants, where a bound or an argument expects a value.
        constants<T> where [T; MERMAID]: Sized {
            first: send { m([T; MERMAID]) -> second<{ DOT }>, n -> second<{ self::DOT }> }
            second: send<const N: usize> { m([u8; N]) -> second<{ STATES + 1 }> }
        }
        /// In the place of the alias for an argument, and of the union of what a state sends.
        hidden {
            first: send<__A0, __SentInLater> { m(__A0, __SentInLater) -> first<__A0, __SentInLater>, n -> later }
            later: send { m(u8) -> ! }
        }
    }
}

fn main() {}
