//! The sizes of ends and errors.

use pipes::{Chan, ChanOne, Port, PortOne, RecvError, RecvFuture, RecvTimeoutError, SendError, TryRecvError};
use pipes_tests::bank::{self, Account};
use pipes_tests::pingpong::{self, Ping, Pong};

const POINTER: usize = size_of::<usize>();
type Large = [u64; 100];

#[test]
fn an_endpoint_is_at_most_two_pointers() {
    assert!(size_of::<pingpong::Client<Ping<Large>>>() <= 2 * POINTER);
    assert!(size_of::<pingpong::Server<Pong<()>>>() <= 2 * POINTER);
    assert!(size_of::<bank::Client<Account<Large>>>() <= 2 * POINTER);
    assert!(size_of::<ChanOne<Large>>() <= 2 * POINTER);
    assert!(size_of::<PortOne<Large>>() <= 2 * POINTER);
}

/// An end stores which kind of stream it belongs to.
#[test]
fn an_end_of_a_stream_is_at_most_three_pointers() {
    assert!(size_of::<Chan<Large>>() <= 3 * POINTER);
    assert!(size_of::<Port<Large>>() <= 3 * POINTER);
}

#[test]
fn an_endpoint_that_may_be_missing_is_no_larger() {
    fn same<E>() {
        assert_eq!(size_of::<Option<E>>(), size_of::<E>(), "{}", std::any::type_name::<E>());
    }
    same::<pingpong::Client<Ping<u64>>>();
    same::<pingpong::Server<Ping<u64>>>();
    same::<bank::Client<Account<u64>>>();
    same::<ChanOne<u64>>();
    same::<PortOne<u64>>();
}

#[test]
fn a_message_is_its_payload_and_an_endpoint() {
    assert!(size_of::<Ping<u64>>() <= size_of::<u64>() + 2 * POINTER);
    assert!(size_of::<Ping<()>>() <= 2 * POINTER);
    assert!(size_of::<Pong<()>>() <= 2 * POINTER, "the end of a session needs no room of its own");
}

#[test]
fn errors_are_small() {
    assert_eq!(size_of::<RecvError>(), 0);
    assert_eq!(size_of::<SendError<()>>(), 0);
    assert_eq!(size_of::<SendError<Large>>(), size_of::<Large>(), "the payload and nothing else");
    assert_eq!(size_of::<TryRecvError>(), 1);
    assert_eq!(size_of::<RecvTimeoutError>(), 1);
    assert!(size_of::<TryRecvError<pingpong::Server<Ping<Large>>>>() <= 2 * POINTER);
    assert!(size_of::<RecvTimeoutError<PortOne<Large>>>() <= 2 * POINTER);
}

#[test]
fn a_future_is_no_larger_than_its_endpoint() {
    assert!(size_of::<RecvFuture<pingpong::Server<Ping<Large>>>>() <= 2 * POINTER);
    assert!(size_of::<RecvFuture<PortOne<Large>>>() <= 2 * POINTER);
    assert_eq!(size_of::<RecvFuture<&mut Port<Large>>>(), POINTER);
}
