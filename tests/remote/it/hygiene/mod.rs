//! `#[remote]` in unfriendly surroundings: unusual scopes, unusual names, forbidden lints.
#![deny(warnings, unused, nonstandard_style, rust_2018_idioms)]
#![deny(missing_docs, missing_debug_implementations, unreachable_pub)]

mod generics;
mod names;
mod payloads;
mod places;
mod scope;
mod strict;

use pipes::Protocol;
use pipes::remote::{Dial, Link, Remote, Serve};
use std::fmt::Debug;

/// A session over memory: the client's end, the server's end, and their links.
fn meet<P>() -> ((P::Client, Link), (P::Server, Link))
where
    P: Protocol<Client: Debug, Server: Send + 'static> + Remote,
    pipes_remote::Via<pipes_remote::engine::Memory>: Dial<P> + Serve<P, (P::Server, Link)>,
{
    let via = pipes_remote::memory();
    let listener = via.serve(|server, link| (server, link));
    let mut listener = listener.unwrap_or_else(|error| panic!("{error}"));
    let client = via.dial().unwrap_or_else(|error| panic!("{error}"));
    (client, listener.accept().expect("the client was taken"))
}
