//! The hidden macros of the library, in a crate that forbids `unsafe`.

#![forbid(unsafe_code)]

/// The hidden macro behind `proto!`, with a module of the user's in the place of the library, whose unsafe
/// function has the name of the library's: the caller has to write the word, and the compiler notices.
mod another_library {
    mod fake {
        pub use pipes::{__any, __endpoint, __states, Bound, Protocol, SendError, StateInfo};

        pub mod __private {
            pub use pipes::__private::{AsClient, ManuallyDrop, Only, Ring, SentBy, State, not_sent};
            pub use std::hint::unreachable_unchecked as pipe;
        }
    }

    pipes::__private::proto! {
        fake unsafe {} tiny { go: send { go(u64) -> ! } }
    }

    fn run() {
        drop(tiny::pipe());
    }
}

/// The hidden macro that moves code to another place takes the braces for its own, and so hides the word
/// before them.
mod another_place {
    fn run() {
        pipes::__private::at! { main => unsafe { std::hint::unreachable_unchecked() } }
    }
}

fn main() {}
