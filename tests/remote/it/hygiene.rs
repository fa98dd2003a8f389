//! Protocols with unusual names, which are those of sessions inside one program, and payloads of nothing.
//!
//! The other unfriendly surroundings of `tests/hygiene` have `#[remote]`, too, and are only compiled.
#![deny(warnings, unused, nonstandard_style, rust_2018_idioms)]
#![deny(missing_docs, missing_debug_implementations, unreachable_pub)]

use pipes::remote::{Dial, Serve};
use pipes::{Protocol, remote::Remote};
use pipes_remote::Via;
use pipes_remote::engine::Memory;
use std::fmt::Debug;

/// Both ends of a session over memory.
fn meet<P>() -> (P::Client, P::Server)
where
    P: Protocol<Client: Debug, Server: Send + 'static> + Remote,
    Via<Memory>: Dial<P> + Serve<P, P::Server>,
{
    let via = pipes_remote::memory();
    let listener = via.serve(|server, _| server);
    let mut listener = listener.unwrap_or_else(|error| panic!("{error}"));
    let (client, _) = via.dial().unwrap_or_else(|error| panic!("{error}"));
    (client, listener.accept().expect("the client was taken"))
}

macro_rules! pipe {
    ($protocol:ident) => {
        super::meet::<$protocol::Protocol>()
    };
}

macro_rules! take {
    ($end:expr, $pattern:pat) => {
        let Ok($pattern) = $end.recv() else { panic!("something else was sent") };
    };
}

#[path = "../../hygiene/nothing.rs"]
mod nothing;
#[path = "../../hygiene/shadows.rs"]
mod shadows;

pipes::proto! {
    #[remote]
    generic<T: Send + 'static, U> where U: Debug, { ask: send { ask(T) -> answer } answer: recv { answer(U) -> ask } }
}

/// A function that knows no more of the types than their protocol does.
fn listen<T, U, V>(via: &V) -> Result<pipes::Listener<generic::Protocol<T, U>>, V::Error>
where
    T: Send + 'static,
    U: Debug,
    V: Serve<generic::Protocol<T, U>, generic::Server<generic::Ask<T, U>>>,
{
    generic::listen(via)
}

#[test]
fn in_generic_functions() {
    let via = pipes_remote::memory();
    let mut listener = listen::<u8, String, _>(&via).unwrap();
    let client = generic::connect::<u8, String, _>(&via).unwrap().ask(7).unwrap();
    take!(listener.accept().unwrap(), generic::Ask::Ask(7, server));
    let _server = server.answer("seven".to_owned()).unwrap();
    take!(client, generic::Answer::Answer(_, _));
}
