//! Receiving in a pattern's arm, looking in its guard.
//!
//! `compile-fail/bind-by-move-no-guards.rs`, Rust 0.5. That a guard cannot receive by value is among the programs that must not
//! compile.

use stream::Open;

pipes::proto! {
    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// The message, if one is there; the endpoint, if there is none.
fn look(port: Option<stream::server::Open<bool>>) -> Result<bool, Option<stream::server::Open<bool>>> {
    match port {
        // The guard borrows what the arm then takes.
        Some(port) if port.is_ready() => match port.recv() {
            Ok(Open::Send(value, _)) => Ok(value),
            Err(_) => Err(None),
        },
        rest => Err(rest),
    }
}

#[test]
fn a_look_in_a_guard_and_a_receive_in_its_arm() {
    let (client, server) = stream::pipe();
    let Err(Some(server)) = look(Some(server)) else { panic!("nothing was sent") };
    let _client = client.send(true).expect("the server is here");
    assert!(matches!(look(Some(server)), Ok(true)));
    assert!(matches!(look(None), Err(None)));
}

/// An arm that takes the endpoint leaves nothing behind: the `Option` has moved with it.
#[test]
fn an_arm_may_move_the_endpoint() {
    let (client, server) = stream::pipe();
    let mut place = Some(server);
    drop(client.send(false).expect("the server is here"));
    if let Some(port) = place.take() {
        assert!(matches!(port.recv(), Ok(Open::Send(false, next)) if next.is_closed()));
    }
    assert!(place.is_none());
}
