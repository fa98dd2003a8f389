//! The code that `proto!` generates contains `unsafe`, because it makes promises to the library. It compiles
//! in a crate that forbids `unsafe`, as this one does. These are the protocols of `pipes-macros/golden`,
//! which cover all kinds of generated items.
#![allow(missing_docs, deprecated, dead_code, reason = "they are written to be read beside what they become")]

/// The types of some of their payloads.
mod around {
    #[derive(Debug)]
    pub(super) struct Client;
    #[derive(Debug)]
    pub(super) struct Key;
}

use around::Key;

include!(concat!(env!("OUT_DIR"), "/golden.rs"));

/// A user's macro that writes two protocols; the first takes its names and its payload from the call.
macro_rules! protocols {
    ($name:ident, $message:ident, $payload:ty) => {
        pipes::proto! {
            $name { start: send { $message($payload) -> answer } answer: recv { done -> ! } }
            own<T> { start: send { own(T) -> start, last -> ! } }
        }
    };
}

protocols!(written, count, u32);

#[test]
fn in_a_macro_of_the_users() {
    let (client, server) = written::pipe();
    let waiting = client.count(7).unwrap();
    let Ok(written::Start::Count(7, server)) = server.recv() else { panic!("it was sent") };
    server.done().unwrap();
    assert!(matches!(waiting.recv(), Ok(written::Answer::Done)));
    let (client, server) = own::pipe();
    client.own("twice").unwrap().last().unwrap();
    assert!(matches!(server.recv(), Ok(own::Start::Own("twice", _))));
}

#[test]
fn as_golden_protocols() {
    let (client, server) = g01_ping_pong::pingpong::pipe();
    let waiting = client.ping(7).unwrap();
    let Ok(g01_ping_pong::pingpong::Ping::Ping(7, server)) = server.recv() else { panic!("it was sent") };
    drop(server.pong(8));
    assert!(matches!(waiting.recv(), Ok(g01_ping_pong::pingpong::Pong::Pong(8, _))));
}
