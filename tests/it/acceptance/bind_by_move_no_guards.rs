//! A receive in a pattern's arm, and a check for readiness in its guard.
//!
//! `compile-fail/bind-by-move-no-guards.rs`, Rust 0.5. That a guard cannot receive by value is shown by a
//! program that must not compile.

use stream::Open;

pipes::proto! {
    stream {
        open: send<T: Send> { send(T) -> open<T> }
    }
}

/// Returns the message if there is one, and otherwise the endpoint.
fn look(port: Option<stream::server::Open<bool>>) -> Result<bool, Option<stream::server::Open<bool>>> {
    match port {
        // The guard borrows the endpoint that the arm then moves.
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

/// An arm that moves the endpoint out of the `Option` leaves nothing behind.
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
