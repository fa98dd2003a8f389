//! Attributes and documentation.

/// Attributes that mean nothing where they stand: on a protocol, a state, a message, a field.
mod unknown_attribute {
    pipes::proto! {
        #[repr(C)]
        p {
            #[must_use]
            #[bounded]
            s: send {
                #[inline]
                #[derive(Debug)]
                m(#[serde(skip)] u8, /** A field. */ u8) -> s,
                #[clippy::msrv]
                n -> s
            }
        }
    }
}

/// A doc comment or an attribute that stands before nothing.
mod misplaced_attribute {
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
}

/// Parts of a protocol that would be there for some: each kind, also in `cfg_attr`.
mod cfg {
    pipes::proto! {
        #[cfg(unix)]
        p {
            #[cfg(unix)]
            s: send {
                #[cfg(unix)]
                m(#[cfg(unix)] u8) -> s,
                #[cfg_attr(unix, allow(unused))]
                n -> s
            }
        }
    }
}

fn main() {}
