//! The sizes of ends and errors.

use pipes::{Chan, ChanOne, Port, PortOne, RecvError, RecvFuture, RecvTimeoutError, SendError, TryRecvError};
use pipes_tests::bank::{self, Account};
use pipes_tests::pingpong::{self, Ping, Pong};

const POINTER: usize = size_of::<usize>();
type Large = [u64; 100];

/// At most so many pointers; one that may be missing is no larger.
fn at_most<E>(pointers: usize) {
    let name = std::any::type_name::<E>();
    assert!(size_of::<E>() <= pointers * POINTER, "{name}");
    assert_eq!(size_of::<Option<E>>(), size_of::<E>(), "{name}");
}

#[test]
fn ends_are_a_few_pointers() {
    at_most::<pingpong::Client<Ping<Large>>>(2);
    at_most::<pingpong::Server<Pong<()>>>(2);
    at_most::<bank::Client<Account<Large>>>(2);
    at_most::<ChanOne<Large>>(2);
    at_most::<PortOne<Large>>(2);
    // An end stores which kind of stream it belongs to.
    at_most::<Chan<Large>>(3);
    at_most::<Port<Large>>(3);
}

#[test]
fn messages_futures_and_errors_are_no_larger_than_what_they_hold() {
    assert!(size_of::<Ping<u64>>() <= size_of::<u64>() + 2 * POINTER);
    assert!(size_of::<Ping<()>>() <= 2 * POINTER);
    assert!(size_of::<Pong<()>>() <= 2 * POINTER, "the end of a session needs no room of its own");
    assert!(size_of::<RecvFuture<pingpong::Server<Ping<Large>>>>() <= 2 * POINTER);
    assert!(size_of::<RecvFuture<PortOne<Large>>>() <= 2 * POINTER);
    assert_eq!(size_of::<RecvFuture<&mut Port<Large>>>(), POINTER);
    assert_eq!(size_of::<RecvError>(), 0);
    assert_eq!(size_of::<SendError<()>>(), 0);
    assert_eq!(size_of::<SendError<Large>>(), size_of::<Large>());
    assert_eq!(size_of::<TryRecvError>(), 1);
    assert_eq!(size_of::<RecvTimeoutError>(), 1);
    assert!(size_of::<TryRecvError<pingpong::Server<Ping<Large>>>>() <= 2 * POINTER);
    assert!(size_of::<RecvTimeoutError<PortOne<Large>>>() <= 2 * POINTER);
}
