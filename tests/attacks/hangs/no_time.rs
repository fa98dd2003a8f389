//! A task registers its waker, and then looks with a time limit of zero. The documentation says that a
//! receive with a limit of zero is a `try_recv`, and that a wait for a close with a limit of zero only
//! checks. After either the task must still be woken.

use futures::{Sink, Stream};
use pipes::{
    Chan, Closing, Port, PortSet, Readiness, Receive, SharedPort, duplex_stream, oneshot, select,
    shared_stream, stream, sync_stream,
};
use pipes_tests::{Bell, pingpong, poll};
use std::pin::Pin;
use std::task::Context;
use std::time::{Duration, Instant};

/// Polls, looks with a limit of zero, and asserts that the task is woken when something comes.
fn is_still_woken<R: Readiness>(kind: &str, mut receiver: R, look: impl FnOnce(R) -> R, come: impl FnOnce()) {
    let (bell, waker) = Bell::new();
    assert!(poll(&mut receiver, &waker).is_pending());
    let _receiver = look(receiver);
    come();
    assert!(bell.rings() > 0, "{kind}: the task sleeps for ever");
}

/// The kind of a port, the port, and a function that makes something come.
type Named = (&'static str, Port<u32>, Box<dyn FnOnce()>);

fn ports() -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    let (mut chan, port) = stream();
    all.push(("a stream", port, Box::new(move || chan.send(1).expect("it is here"))));
    let (chan, port) = shared_stream();
    all.push(("a stream of many", port, Box::new(move || chan.send(1).expect("it is here"))));
    let (mut chan, port) = sync_stream(1);
    all.push(("a stream with a limit", port, Box::new(move || chan.send(1).expect("it is here"))));
    let (chan, port) = sync_stream(0);
    all.push(("a stream without room", port, Box::new(move || drop(chan))));
    all
}

#[test]
fn a_try_recv() {
    for (kind, port, come) in ports() {
        let look = |mut port: Port<u32>| {
            assert!(port.try_recv().is_err());
            port
        };
        is_still_woken(kind, port, look, come);
    }
}

#[test]
fn a_receive_without_time() {
    for (kind, port, come) in ports() {
        let look = |mut port: Port<u32>| {
            assert!(port.recv_timeout(Duration::ZERO).is_err());
            port
        };
        is_still_woken(kind, port, look, come);
    }
}

#[test]
fn a_receive_whose_moment_has_passed() {
    for (kind, port, come) in ports() {
        let look = |mut port: Port<u32>| {
            assert!(port.recv_deadline(Instant::now()).is_err());
            port
        };
        is_still_woken(kind, port, look, come);
    }
}

#[test]
fn a_selection_without_time() {
    for (kind, port, come) in ports() {
        let look = |mut port: Port<u32>| {
            select! {
                number = port => panic!("nothing was sent: {number:?}"),
                timeout(Duration::ZERO) => {}
            }
            port
        };
        is_still_woken(kind, port, look, come);
    }
}

#[test]
fn a_receive_once() {
    let (chan, port) = oneshot::<u32>();
    let look = |port: pipes::PortOne<u32>| match Receive::recv_timeout(port, Duration::ZERO) {
        Err(pipes::RecvTimeoutError::Timeout(port)) => port,
        other => panic!("nothing was sent: {other:?}"),
    };
    is_still_woken("a oneshot", port, look, move || chan.send(1).expect("it is here"));
}

#[test]
fn a_receive_of_a_protocol() {
    let (client, server) = pingpong::pipe::<u32>();
    let look = |server: pingpong::server::Ping<u32>| match server.recv_timeout(Duration::ZERO) {
        Err(pipes::RecvTimeoutError::Timeout(server)) => server,
        _ => panic!("nothing was sent"),
    };
    is_still_woken("a protocol", server, look, move || drop(client));
}

#[test]
fn a_receive_from_both_ways() {
    let (left, mut right) = duplex_stream::<u32, u32>();
    let look = |mut left: pipes::DuplexStream<u32, u32>| {
        assert!(left.recv_timeout(Duration::ZERO).is_err());
        left
    };
    is_still_woken("a duplex stream", left, look, move || right.send(1).expect("it is here"));
}

#[test]
fn a_receive_from_a_set() {
    let mut set = PortSet::new();
    let mut chan = set.chan();
    let look = |mut set: PortSet<Port<u32>>| {
        assert!(set.recv_timeout(Duration::ZERO).is_err());
        set
    };
    is_still_woken("a set", set, look, move || chan.send(1).expect("it is here"));
}

#[test]
fn a_receive_from_a_shared_port() {
    let (mut chan, port) = stream::<u32>();
    let mut port: SharedPort<u32> = port.into_shared();
    let (bell, waker) = Bell::new();
    assert!(Pin::new(&mut port).poll_next(&mut Context::from_waker(&waker)).is_pending());
    assert!(port.recv_timeout(Duration::ZERO).is_err());
    chan.send(1).expect("it is here");
    assert!(bell.rings() > 0, "a shared port: the task sleeps for ever");
}

/// Watches for the close, checks with a limit of zero, and asserts that the task is woken when the receiver
/// leaves.
fn is_still_told<E: Closing, R>(kind: &str, mut end: E, receiver: R) {
    let (bell, waker) = Bell::new();
    assert!(end.poll_closed(&mut Context::from_waker(&waker)).is_pending());
    assert!(!end.is_closed());
    assert!(!end.wait_closed_timeout(Duration::ZERO));
    drop(receiver);
    assert!(bell.rings() > 0, "{kind}: the task sleeps for ever");
}

#[test]
fn a_check_of_a_stream() {
    let (chan, port) = stream::<u32>();
    is_still_told("a stream", chan, port);
}

#[test]
fn a_check_of_a_stream_of_many() {
    let (chan, port) = shared_stream::<u32>();
    is_still_told("a stream of many", chan, port);
}

#[test]
fn a_check_of_a_stream_with_a_limit() {
    let (chan, port) = sync_stream::<u32>(1);
    is_still_told("a stream with a limit", chan, port);
}

#[test]
fn a_check_of_a_oneshot() {
    let (chan, port) = oneshot::<u32>();
    is_still_told("a oneshot", chan, port);
}

/// A task waits for room, or at capacity 0 for its offer to be taken, and a send finds no room. Nothing may
/// have been sent, and the task must still be woken.
fn still_knows_of_room(capacity: usize, send: impl FnOnce(&mut Chan<u32>)) {
    let (mut chan, mut port) = sync_stream::<u32>(capacity);
    let (bell, waker) = Bell::new();
    let mut cx = Context::from_waker(&waker);
    assert!(Pin::new(&mut chan).poll_ready(&mut cx).is_ready());
    assert!(Pin::new(&mut chan).start_send(1).is_ok());
    assert!(Pin::new(&mut chan).poll_ready(&mut cx).is_pending());
    send(&mut chan);
    assert_eq!(port.try_recv(), Ok(1));
    assert!(bell.rings() > 0, "the task sleeps for ever");
}

#[test]
fn a_send_that_finds_no_room() {
    still_knows_of_room(1, |chan| assert!(chan.try_send(2).is_err()));
}

#[test]
fn a_send_that_finds_no_receiver() {
    still_knows_of_room(0, |chan| assert!(chan.try_send(2).is_err()));
}

#[test]
fn a_send_without_time() {
    still_knows_of_room(1, |chan| assert!(chan.send_timeout(2, Duration::ZERO).is_err()));
}

#[test]
fn a_send_without_time_that_finds_no_receiver() {
    still_knows_of_room(0, |chan| assert!(chan.send_timeout(2, Duration::ZERO).is_err()));
}
