//! Protocols in unfriendly surroundings: unusual scopes, unusual names, forbidden lints.
#![deny(warnings, unused, nonstandard_style, future_incompatible)]
#![deny(missing_docs, missing_debug_implementations, unreachable_pub)]
#![forbid(unsafe_code)]

/// Both ends of a session.
macro_rules! pipe {
    ($protocol:ident) => {
        $protocol::pipe()
    };
}

/// Receives a message of this pattern, and binds what is in it.
macro_rules! take {
    ($end:ident, $pattern:pat) => {
        let Ok($pattern) = $end.try_recv() else { panic!("something else was sent") };
    };
}

mod arguments;
mod bodies;
mod corners;
mod generics;
mod kinds;
mod lints;
mod macros;
mod names;
mod neighbours;
mod nothing;
mod paths;
mod scope;
mod shadows;
mod strict;
mod visibility;
