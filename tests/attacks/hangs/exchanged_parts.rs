//! The port of a duplex stream is exchanged for that of a stream of capacity 0. As a member of a set the
//! duplex stream must keep the promise to take an offer, as the port itself does.

use pipes::{DuplexStream, Member, PortSet, duplex_stream, sync_stream};
use pipes_tests::{Bell, poll_future};
use std::task::Context;

/// A set reports that a receive would not block; then the sender gives up.
fn promised_and_given_up<E: Member<Message = u32>>(of: impl FnOnce(pipes::Port<u32>) -> E) {
    let (mut chan, port) = sync_stream(0);
    let mut set = PortSet::new();
    let key = set.insert(of(port));
    let (_bell, waker) = Bell::new();
    let mut cx = Context::from_waker(&waker);
    assert!(set.poll_ready(&mut cx).is_pending());
    let mut sending = chan.send_async(7);
    assert!(poll_future(&mut sending, &waker).is_pending(), "it is offered");
    assert!(set.poll_ready(&mut cx).is_ready(), "a receive would not block");
    drop(sending);
    assert_eq!(set.try_recv(), Ok((key, Ok(7))), "the set has promised to take it");
}

#[test]
fn a_port_keeps_its_promise() {
    promised_and_given_up(|port| port);
}

#[test]
fn a_duplex_stream_keeps_its_promise() {
    promised_and_given_up(|port| {
        let (_left, mut right): (DuplexStream<u32, ()>, _) = duplex_stream();
        *right.parts_mut().1 = port;
        right
    });
}
