//! The hidden macro behind `proto!`, with a module of the user's in the place of the library, whose unsafe
//! function has the name of the library's: the caller has to write the word, and the compiler notices.
#![forbid(unsafe_code)]

mod fake {
    pub use pipes::{__any, __endpoint, Bound, Protocol, SendError};

    pub mod __private {
        pub use pipes::__private::{AsClient, ManuallyDrop, Only, Ring, SentBy, State, not_sent};
        pub use std::hint::unreachable_unchecked as pipe;
    }
}

pipes::__private::proto! {
    fake unsafe {} tiny { go: send { go(u64) -> ! } }
}

fn main() {
    drop(tiny::pipe());
}
