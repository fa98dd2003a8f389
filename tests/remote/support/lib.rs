//! What the tests share: protocols, an engine with evil connections, frames and peers by hand, and sizes.

pub mod cable;
pub mod children;
pub mod engines;
pub mod fuzzed;
pub mod net;
pub mod patience;
pub mod payloads;
mod protocols;
pub mod raw;
pub mod scripts;
mod sizes;
pub mod stranger;
mod unchecked;

pub use cable::{Cable, Cut, DOWN, Plan, UP, Wire};
pub use net::Net;
pub use patience::{at_rest, rest, runtime, tasks, virtually, within};
pub use payloads::{Bomb, Counted, Counts, Trap};
pub use protocols::{bombs, feed, letter, loads, numbers, talk, traps};
pub use sizes::size;
pub use unchecked::Unchecked;

/// A session in virtual time, over one place or over a client's and a server's view of it: the listener, and
/// each end with its link.
#[macro_export]
macro_rules! session {
    ($protocol:ident, $via:expr) => {
        $crate::session!($protocol, $via, $via)
    };
    ($protocol:ident, $there:expr, $here:expr) => {{
        let mut listener = $protocol::listen_with_links_async($here).await.expect("it is free");
        let client = $protocol::connect_with_link_async($there).await.expect("it listens");
        let server = $crate::within(listener.recv_async()).await.expect("a client comes");
        (listener, client, server)
    }};
}

/// A session of a client by hand: the listener, the client's stream, and the server's end with its link.
#[macro_export]
macro_rules! by_hand {
    ($protocol:ident, $net:expr) => {
        $crate::by_hand!($protocol, $net, $crate::raw::Hello::of::<$protocol::Protocol>())
    };
    ($protocol:ident, $net:expr, $hello:expr) => {{
        let net: &$crate::Net = $net;
        let mut listener = $protocol::listen_with_links_async(&net.via()).await.expect("it is free");
        let mut wire = net.dial().expect("it listens");
        $crate::raw::say_hello(&mut wire, &$hello).await;
        let server = $crate::within(listener.recv_async()).await.expect("a client comes");
        (listener, wire, server)
    }};
}
