//! One error for the code of a whole session.

use futures::executor::block_on;
use pipes::{
    Closed, PortSet, SendTimeoutError, SessionError, SessionErrorKind, TrySendError, oneshot, stream,
    sync_stream,
};
use pipes_tests::DropCounter;
use std::error::Error;
use std::future::ready;
use std::panic::Location;
use std::time::Duration;

pipes::proto! {
    shop {
        idle: send { report(u8) -> idle, order(String) -> printing, leave -> ! }
        printing: recv { receipt(Vec<u8>) -> idle }
    }
    parcel<T> { open: send { put(T) -> open } }
}

/// Returns the error that `?` makes here.
fn error_of<T>(session: impl FnOnce() -> Result<T, SessionError>) -> SessionError {
    session().map(drop).expect_err("it cannot go on")
}

fn waiting() -> (shop::Client<shop::Printing>, shop::Server<shop::Idle>) {
    let (client, server) = shop::pipe();
    (client.order(String::from("tea")).expect("the server is kept"), server)
}

#[test]
fn a_function_returns_the_errors_of_all_its_steps() {
    fn session(client: shop::Client<shop::Idle>, wait: bool) -> Result<(), SessionError> {
        let client = client.report(1)?.order(String::new())?;
        let shop::Printing::Receipt(_, client) = if wait { client.recv()? } else { client.try_recv()? };
        client.leave()?;
        Ok(())
    }
    let (client, server) = shop::pipe();
    assert_eq!(error_of(|| session(client, false)).kind(), SessionErrorKind::WouldBlock);
    drop(server);
    let (client, server) = shop::pipe();
    drop(server);
    assert!(error_of(|| session(client, true)).is_closed());
    fn is_usual<E: Error + Send + Sync + 'static>(error: E) -> Box<dyn Error + Send + Sync> {
        error.into()
    }
    let (client, server) = waiting();
    drop(server);
    assert!(is_usual(error_of(|| Ok(client.recv()?))).downcast::<SessionError>().is_ok());
}

#[test]
fn a_receive_that_knows_its_state_says_it() {
    let (client, server) = waiting();
    let error = error_of(|| Ok(client.recv_timeout(Duration::ZERO)?));
    assert_eq!(error.to_string(), "shop: nothing was sent in time in `printing`");
    assert!(error.is_timeout() && !error.is_closed());
    let known = (error.protocol(), error.state().map(|state| state.index), error.side());
    assert_eq!(known, (Some("shop"), Some(1), Some("client")));
    assert_eq!(error.state(), Some(&shop::STATES[1]));
    let debug = format!("{error:?}");
    assert!(debug.starts_with(
        "SessionError { kind: Timeout, protocol: \"shop\", state: \"printing\", side: \"client\""
    ));
    // The endpoint was dropped with the error.
    let shop::Idle::Order(_, server) = server.recv().expect("it was sent") else { panic!("an order") };
    assert!(server.receipt(Vec::new()).is_err());

    let (client, server) = waiting();
    let error = error_of(|| Ok(block_on(client.recv_or(ready(5)))?));
    assert_eq!(error.to_string(), "shop: nothing was sent before the other future was ready in `printing`");
    assert_eq!((error.kind(), error.is_timeout()), (SessionErrorKind::Interrupted, false));
    drop(server);

    let (client, server) = waiting();
    drop(server);
    let error = error_of(|| Ok(client.try_recv()?));
    assert_eq!(error.to_string(), "shop: the server left in `printing`");
    let (client, server) = shop::pipe();
    drop(client);
    let error = error_of(|| Ok(server.recv_timeout(Duration::MAX)?));
    assert_eq!(
        (error.to_string().as_str(), error.side()),
        ("shop: the client left in `idle`", Some("server"))
    );
}

#[test]
fn an_endpoint_in_any_state_says_it_if_it_is_given_back() {
    let (client, server) = waiting();
    let error = error_of(|| Ok(shop::AnyClient::from(client).try_recv()?));
    assert_eq!(error.to_string(), "shop: nothing was sent yet in `printing`");
    let shop::Idle::Order(_, server) = server.recv().expect("it was sent") else { panic!("an order") };
    drop(server);
    let (client, server) = waiting();
    drop(server);
    let error = error_of(|| Ok(shop::ReceivingClient::from(client).try_recv()?));
    assert!(error.is_closed() && error.state().is_none() && error.protocol().is_none());
}

/// The error and the place where it was made.
fn unknown<T>(told: &str, here: u32, session: impl FnOnce() -> Result<T, SessionError>) -> SessionErrorKind {
    let error = error_of(session);
    let place = (error.location().file(), error.location().line());
    assert_eq!(place, (Location::caller().file(), here));
    assert_eq!(error.to_string(), format!("{told}, at {}", error.location()));
    assert_eq!((error.protocol(), error.state(), error.side()), (None, None, None));
    error.kind()
}

#[test]
fn an_error_that_does_not_know_its_state_says_its_place() {
    use SessionErrorKind::{Closed as Left, Timeout, WouldBlock};
    let (client, server) = shop::pipe();
    drop(server);
    assert_eq!(unknown("the receiver left", line!(), || Ok(client.report(1)?)), Left);
    let (client, server) = waiting();
    drop(server);
    assert_eq!(unknown("the sender left", line!(), || Ok(client.recv()?)), Left);
    let (client, server) = waiting();
    drop(server);
    let waits = async || Ok(client.await?);
    assert_eq!(unknown("the sender left", line!() - 1, || block_on(waits())), Left);
    assert_eq!(unknown("the sender left", line!(), || Ok(Err::<(), _>(Closed)?)), Left);

    let (_chan, mut port) = stream::<u8>();
    assert_eq!(unknown("nothing was sent yet", line!(), || Ok(port.try_recv()?)), WouldBlock);
    let (_chan, port) = oneshot::<u8>();
    assert_eq!(
        unknown("nothing was sent in time", line!(), || Ok(port.recv_timeout(Duration::ZERO)?)),
        Timeout
    );
    let (mut chan, port) = sync_stream(1);
    chan.send(1).expect("there is room");
    assert_eq!(unknown("there is no room", line!(), || Ok(chan.try_send(2)?)), WouldBlock);
    let late = chan.send_timeout(2, Duration::ZERO);
    assert_eq!(unknown("there was no room in time", line!(), || Ok(late?)), Timeout);
    drop(port);
    assert!(SessionError::from(TrySendError::Closed(1)).is_closed());
    assert!(SessionError::from(SendTimeoutError::Closed(1)).is_closed());
}

#[test]
fn a_member_of_a_set_that_has_closed() {
    let (client, server) = waiting();
    let mut set: PortSet<_> = [client].into_iter().collect();
    drop(server);
    let error = error_of(|| Ok(set.recv()?.1?));
    assert!(error.is_closed());
    assert_eq!(unknown("the set has no members", line!(), || Ok(set.recv()?)), SessionErrorKind::Closed);
}

#[test]
fn payloads_are_dropped_once_and_the_error_needs_none_of_their_bounds() {
    let drops = DropCounter::new();
    let (client, server) = parcel::pipe();
    drop(server);
    let error = error_of(|| Ok(client.put((drops.make(1), std::ptr::null::<u8>()))?));
    assert_eq!((drops.made(), drops.dropped()), (1, 1));
    std::thread::spawn(move || error.to_string()).join().expect("it can be sent");
}

#[test]
fn it_is_three_words() {
    assert!(size_of::<SessionError>() <= 3 * size_of::<usize>());
}
