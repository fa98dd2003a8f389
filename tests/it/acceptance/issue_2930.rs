//! A message that is never received.
//!
//! `run-pass/issue-2930.rs`, Rust 0.5. That its memory is freed is one of the tests of memory.

use pipes_tests::Tally;

pipes::proto! {
    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// The payload's type is inferred from the send alone.
#[test]
fn both_ends_go_without_a_receive() {
    let (client, server) = stream::pipe();
    let client = client.send("meeple".to_owned()).expect("the server is there");
    drop(client);
    assert!(server.is_ready());
}

#[test]
fn the_unread_message_is_dropped() {
    for client_first in [false, true] {
        let tally = Tally::new();
        let (client, server) = stream::pipe();
        let client = client.send(tally.make(1)).expect("the server is there");
        if client_first {
            drop(client);
            drop(server);
        } else {
            drop(server);
            assert_eq!(tally.gone(), 1, "at once, though the client is still there");
            drop(client);
        }
        tally.assert_all_gone();
    }
}
