//! What does not fit the grammar is said in the parser's words, and costs no more than what it stands in.

pipes::proto! {
    states {
        start: send { one -> no_colon, two -> no_direction, three -> no_braces }
        no_colon send { m -> no_colon }
        no_direction: { m -> no_direction }
        type: send { m -> ! }
        no_braces: send
    }

    commas {
        start: send { m -> behind },
        behind: recv { m -> start }
    }

    messages {
        s: send {
            m(u8) -> s,
            semicolon -> s; not_read -> s,
            no_comma -> s not_read_either -> s,
            path -> s::s,
            struct -> s,
            n(u8) -> s
        }
        only_one: recv { m -> s<u8 }
    }

    payloads {
        s: send {
            two_types(u8 u16) -> s,
            keyword(type: u8) -> s,
            nameless(_: u8) -> s,
            myself(self: u8) -> s,
            no_type(x:) -> s
        }
    }

    attributes {
        s: send { m -> s, #[doc = "Of nothing."] }
        #[allow(dead_code)]
    }

    #[bounded(few)]
    limits {
        s: send { m -> ! }
    }

    mod keyword {
        s: send { m -> ! }
    }

    protocol two_names {
        s: send { m -> ! }
    }

    no_body;
}

fn main() {
    let (client, _server) = messages::pipe();
    let _ = client.m(1);
}
