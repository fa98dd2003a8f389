//! States and steps.

/// Nothing was written.
mod no_protocol {
    pipes::proto! {}
}

/// A protocol without states, beside one with a state.
mod no_state {
    pipes::proto! {
        p {}
        q { s: send { m -> ! } }
    }
}

/// A state in which nothing can be sent, and which is no end therefore.
mod empty_state {
    pipes::proto! {
        p {
            s: send { m -> s2 }
            s2: recv {}
        }
    }
}

/// A state in which neither side sends: another word, a keyword.
mod unknown_direction {
    pipes::proto! {
        p {
            s: sends { m -> s2 }
            s2: move { m -> s }
        }
    }
}

/// A state in which both sides send: with two lists of messages, or with one.
mod two_directions {
    pipes::proto! {
        lists {
            s: send { m -> s } recv { n -> s }
            s2: recv { m -> s2 }, send { n -> s }
        }
        one {
            s: send recv { m -> s2 }
            s2: recv, send { m -> s3 }
            s3: send | recv { m -> s }
        }
    }
}

/// A step to a state that is not there: with a similar one and without, with arguments, in another case.
mod undefined_state {
    pipes::proto! {
        p {
            start: send {
                similar -> conected,
                dissimilar -> nowhere,
                arguments -> elsewhere<u8>,
                another_case -> Start
            }
            connected: recv { end -> ! }
        }
    }

    fn expanded() {
        let (client, _server) = p::pipe();
        let _ = client.similar();
    }
}

/// A message that does not say what follows it: a state, the end, another arrow, nothing.
mod missing_arrow {
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
}

/// A message that steps to what is neither a state nor the end: a number, a type, a keyword, nothing.
mod missing_step {
    pipes::proto! {
        p {
            s: send {
                number -> 3,
                tuple(u8) -> (u8, u8),
                keyword -> self,
                nothing ->,
                last ->
            }
        }
    }
}

fn main() {}
