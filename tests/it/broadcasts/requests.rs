//! Requests for room, when receivers come and go.

use futures::executor::block_on;
use pipes::{Readiness, SendRequest, broadcast, select_async};
use pipes_tests::{test_in, watched};

/// A request was found ready because there was no receiver. One comes before it sends, and another request is
/// ahead in the line: the value comes back. After that, it is a request for room for another value.
#[test_in(watched)]
fn a_receiver_comes_before_a_request_sends() {
    let (chan, port) = broadcast(1);
    let ahead = chan.request_room();
    assert!(ahead.is_ready());
    let mut request = chan.request_room();
    assert!(!request.is_ready());
    drop(port);
    assert!(request.is_ready(), "there is no receiver");
    let mut port = chan.subscribe();
    let error = request.send(1).expect_err("the room is that of the other request");
    assert_eq!(error.into_payload(), 1);
    assert!(!request.is_ready());
    drop(ahead);
    assert_eq!(request.send(2), Ok(()));
    assert_eq!(port.recv(), Ok(2));
}

/// The same in an arm of a selection: its value subscribes the receiver.
#[test_in(watched)]
fn a_receiver_comes_before_an_arm_sends() {
    let (mut chan, port) = broadcast(1);
    let other = chan.clone();
    let ahead = other.request_room();
    assert!(ahead.is_ready());
    drop(port);
    let mut port = None;
    let sent = block_on(async {
        select_async! {
            sent = chan.send({ port = Some(other.subscribe()); 1 }) => sent,
        }
    });
    assert!(sent.is_err_and(|error| error.into_payload() == 1));
    drop(ahead);
    assert_eq!(chan.try_send(2), Ok(()), "the request has left the line");
    assert_eq!(port.map(|mut port| port.recv()), Some(Ok(2)));
}

/// A receiver comes, and the request that was found ready without one is the first in the line: it sends.
#[test]
fn a_receiver_comes_and_there_is_room() {
    let (chan, port) = broadcast(1);
    drop(port);
    let mut request = chan.request_room();
    assert!(request.is_ready() && request.is_closed());
    let mut port = chan.subscribe();
    assert!(!request.is_closed());
    assert_eq!(request.send(1), Ok(()));
    assert_eq!(port.recv(), Ok(1));
}
