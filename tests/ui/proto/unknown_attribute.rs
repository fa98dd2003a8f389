//! Attributes that mean nothing where they stand: on a protocol, a state, a message, a field.

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

fn main() {
    let _ = p::pipe();
}
