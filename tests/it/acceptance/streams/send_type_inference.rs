//! Chans of chans, whose types are inferred from their use.
//!
//! `run-pass/send-type-inference.rs`, Rust 0.5, which was only compiled.

use pipes::{Chan, stream};

#[derive(Debug, PartialEq)]
struct Command<K, V> {
    key: K,
    value: V,
}

/// Sends the sending end of a fresh stream, and returns what comes through it.
fn cache_server<K: Send, V: Send>(
    mut chan: Chan<Chan<Command<K, V>>>,
) -> impl FnOnce() -> Option<Command<K, V>> {
    let (commands, mut port) = stream();
    let sent = chan.send(commands).is_ok();
    move || sent.then(|| port.recv().ok()).flatten()
}

#[test]
fn through_two_levels() {
    let (chan, mut port) = stream();
    let answer = cache_server(chan);
    port.recv().expect("it was sent").send(Command { key: 1_u8, value: "one" }).expect("it is heard");
    assert_eq!(answer(), Some(Command { key: 1, value: "one" }));
}
