//! What `#[remote]` generates gives no cause for complaint, whatever clippy is asked to look for, and lint
//! attributes reach it.
#![deny(clippy::pedantic, clippy::nursery, clippy::cargo, clippy::restriction, deprecated)]
#![expect(clippy::blanket_clippy_restriction_lints, reason = "all of them are meant")]

/// What is used only where it is allowed.
#[expect(clippy::pub_with_shorthand, reason = "rustfmt wants it")]
mod old {
    /// A payload.
    #[deprecated]
    #[derive(Debug)]
    pub(super) struct Old;

    /// The bound of a parameter.
    #[deprecated]
    pub(super) trait Trait {}
}

pipes::proto! {
    /// On a message of an unbounded protocol, where tickets are beside the payloads.
    #[remote]
    unbounded {
        open: send {
            number(u64) -> open,
            #[expect(deprecated, reason = "old programs send it")]
            old(Vec<old::Old>) -> open,
            done -> sum
        }
        #[expect(deprecated, reason = "old programs send it")]
        sum: recv { sum(old::Old) -> ! }
    }

    /// On a whole protocol.
    #[remote(version = 2)]
    #[expect(deprecated, reason = "it is spoken with old programs")]
    bounded<T: old::Trait> {
        ask: send { ask(T, old::Old) -> answer, leave -> ! }
        answer: recv { answer(Result<T, String>) -> ask }
    }
}
