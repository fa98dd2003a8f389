//! Endpoints of a polymorphic protocol, kept and printed.
//!
//! `run-pass/issue-2834.rs`, Rust 0.5.

use stream::Open;

pipes::proto! {
    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

#[test]
fn an_alias_at_a_concrete_type_is_a_type_like_any_other() {
    let (client, _server) = stream::pipe();
    let clients: Vec<stream::client::Open<i32>> = vec![client];
    for _ in 0..2 {
        assert_eq!(format!("{clients:?}"), "[Client<Open<i32>>]");
    }
    // Printing it does not use it up.
    let client = clients.into_iter().next().expect("it is there");
    assert!(client.send(7).is_ok());
}

#[test]
fn the_payload_is_inferred_from_its_use() {
    let (client, server) = stream::pipe();
    let _client = client.send("inferred").expect("the server is there");
    assert!(matches!(server.recv(), Ok(Open::Send("inferred", _))));
}
