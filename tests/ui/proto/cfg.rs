//! Parts of a protocol that would be there for some: each kind, also in `cfg_attr`.

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

fn main() {
    let _ = p::pipe();
}
