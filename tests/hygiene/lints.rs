//! Lint attributes reach all that is generated from their item.
#![deny(deprecated)]
#![allow(missing_docs, dead_code, reason = "nothing here is used")]

/// What is used only where it is allowed.
mod old {
    /// A payload, an argument, and a bound's trait.
    #[deprecated]
    #[derive(Debug)]
    pub(super) struct Old;

    #[deprecated]
    pub(super) trait Trait {
        type Out;
    }
}

pipes::proto! {
    /// On a message: in a payload, alone and inside of another one, and as an argument of a state.
    on_a_message {
        first: send {
            #[allow(deprecated)]
            payload(old::Old) -> first,
            #[allow(deprecated)]
            payloads(old: Vec<old::Old>, u8) -> first,
            #[expect(deprecated, reason = "it is sent by old programs")]
            expected([old::Old; 2]) -> second<u8>,
            #[allow(deprecated)]
            argument -> second<old::Old>
        }
        second<T>: recv { back(T) -> ! }
    }

    /// On a state: in each message, and in the bound of a parameter.
    on_a_state {
        #[allow(deprecated)]
        first<B: old::Trait>: send { payload(old::Old) -> second<u8>, argument -> second<old::Old>, m(B::Out) -> first<B> }
        second<T>: recv { back(T) -> third<T> }
        #[expect(deprecated)]
        third<T>: send { last(T, old::Old) -> ! }
    }

    /// On the protocol: everywhere.
    #[allow(deprecated)]
    on_a_protocol<X: old::Trait, Y> where Y: old::Trait {
        first: send { payload(old::Old) -> second, bound(X) -> second }
        second: recv { back(Y) -> first, argument -> third<old::Old> }
        third<T>: recv { last(T) -> ! }
    }

    /// Between programs, where what walks the protocol mentions the payloads, too.
    #[remote]
    between_programs {
        open: send {
            number(u64) -> open,
            #[expect(deprecated, reason = "old programs send it")]
            old(Vec<old::Old>) -> open,
            done -> sum
        }
        #[expect(deprecated, reason = "old programs send it")]
        sum: recv { sum(old::Old) -> ! }
    }

    #[expect(deprecated)]
    #[remote]
    expected_on_a_protocol<X: old::Trait> {
        first: send { payload(old::Old) -> second, bound(X) -> second }
        second: recv { back(u8) -> ! }
    }

    /// A type that means something else inside of the module.
    #[remote]
    outside {
        #[allow(deprecated)]
        old: send { first(Client) -> old, second(Option<Client>) -> old }
    }
}

#[deprecated]
#[derive(Debug)]
struct Client;
