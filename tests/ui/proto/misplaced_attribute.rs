//! A doc comment or an attribute that stands before nothing.

pipes::proto! {
    in_a_state {
        s: send {
            m -> s,
            /// Of what was here once.
        }
        t: recv {
            #[allow(dead_code)]
            , m -> t
        }
    }

    in_a_protocol {
        s: send { m -> ! }
        /// Of what was here once.
        #[allow(dead_code)]
    }

    in_a_payload {
        s: send { m(u8, #[doc = "Of what was here once."]) -> ! }
    }

    /// Of what was here once.
}

fn main() {}
