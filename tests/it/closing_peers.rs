//! Peers that wait while the other side leaves.

use crate::stages::paid_in;
use pipes::Readiness;
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::{Bell, Tally, courier, poll, poll_future, watched};
use std::sync::{Arc, Barrier};
use std::task::Poll;
use std::thread;
use std::time::Duration;

const ROUNDS: usize = 300;

/// Runs both actions at the same time, as nearly as two threads can, many times.
fn together<W: Send + 'static, L: Send + 'static>(
    pipe: impl Fn() -> (L, W) + Send + 'static,
    wait: impl Fn(W) + Clone + Send + 'static,
    leave: impl Fn(L) + Send + 'static,
) {
    watched(move || {
        for _ in 0..ROUNDS {
            let (leaving, waiting) = pipe();
            let start = Arc::new(Barrier::new(2));
            let (go, wait) = (start.clone(), wait.clone());
            let waiter = thread::spawn(move || {
                go.wait();
                wait(waiting);
            });
            start.wait();
            leave(leaving);
            waiter.join().expect("the waiting side saw what it should");
        }
    });
}

#[test]
fn a_blocked_server_is_woken() {
    together(pingpong::pipe::<u64>, |server| assert!(server.recv().is_err()), drop);
}

#[test]
fn a_blocked_client_is_woken_by_a_server_that_did_not_read() {
    let pipe = || {
        let (client, server) = pingpong::pipe::<String>();
        (server, client.ping("unread".to_owned()).unwrap())
    };
    together(pipe, |client| assert!(client.recv().is_err()), drop);
}

#[test]
fn a_blocked_customer_is_woken_by_a_bank_that_did_not_read() {
    let tally = Tally::new();
    let counted = tally.clone();
    let pipe = move || {
        let (client, server) = paid_in(&counted, 100);
        (server, client.withdraw(7).unwrap())
    };
    together(pipe, |client| assert!(client.recv().is_err()), drop);
    tally.assert_all_gone();
}

#[test]
fn a_blocked_port_is_woken() {
    together(pipes::stream::<u64>, |mut port| assert!(port.recv().is_err()), drop);
    together(pipes::oneshot::<u64>, |port| assert!(port.recv().is_err()), drop);
}

#[test]
fn a_port_blocked_with_a_deadline_is_woken() {
    let wait = |mut port: pipes::Port<u64>| {
        assert_eq!(port.recv_timeout(Duration::MAX), Err(pipes::RecvTimeoutError::Closed));
    };
    together(pipes::stream::<u64>, wait, drop);
}

#[test]
fn a_blocked_peer_of_a_panicking_thread_is_woken() {
    let leave = |chan: pipes::ChanOne<u64>| {
        let panicking = thread::spawn(move || {
            let _chan = chan;
            std::panic::resume_unwind(Box::new("on purpose"));
        });
        assert!(panicking.join().is_err());
    };
    together(pipes::oneshot::<u64>, |port| assert!(port.recv().is_err()), leave);
}

#[test]
fn a_peer_blocked_on_an_endpoint_in_an_unread_message_is_woken() {
    let pipe = || {
        let (inner, delivered) = pingpong::pipe::<u64>();
        let (client, server) = courier::pipe();
        let client = client.deliver(delivered).unwrap();
        ((client, server), inner.ping(1).unwrap())
    };
    together(pipe, |inner| assert!(inner.recv().is_err()), |(_client, server)| drop(server));
}

#[test]
fn an_executor_blocked_on_an_await_is_woken() {
    let wait = |server: pingpong::Server<Ping<u64>>| {
        assert!(futures::executor::block_on(async { server.await }).is_err());
    };
    together(pingpong::pipe::<u64>, wait, drop);
}

#[test]
fn a_waiting_task_is_woken_once() {
    let (bell, waker) = Bell::new();
    let (client, server) = pingpong::pipe::<u64>();
    let mut receiving = server.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    drop(client);
    assert_eq!(bell.rings(), 1);
    assert!(matches!(poll_future(&mut receiving, &waker), Poll::Ready(Err(_))));
    drop(receiving);
    assert_eq!((bell.rings(), bell.wakers()), (1, 1), "nothing of the waker is left in the pipe");
}

#[test]
fn a_waiting_task_is_woken_by_a_server_that_did_not_read() {
    let (bell, waker) = Bell::new();
    let (client, server) = pingpong::pipe::<u64>();
    let mut client = client.ping(1).unwrap();
    assert!(poll(&mut client, &waker).is_pending());
    drop(server);
    assert_eq!(bell.rings(), 1);
    assert!(client.is_closed() && !client.is_ready());
    assert!(poll(&mut client, &waker).is_ready());
    assert!(client.wait(None));
    drop(client);
    assert_eq!(bell.wakers(), 1);
}

#[test]
fn a_waiting_stream_is_woken() {
    let (bell, waker) = Bell::new();
    let (chan, mut port) = pipes::stream::<u64>();
    assert!(poll(&mut port, &waker).is_pending());
    drop(chan);
    assert_eq!(bell.rings(), 1);
    assert!(port.recv().is_err());
}

/// A receiver that has registered and leaves takes its waker with it, so nothing wakes it.
#[test]
fn a_task_that_leaves_is_not_woken() {
    let (bell, waker) = Bell::new();
    let (chan, mut port) = pipes::stream::<u64>();
    assert!(poll(&mut port, &waker).is_pending());
    assert_eq!(bell.wakers(), 2);
    drop(port);
    assert_eq!(bell.wakers(), 1);
    drop(chan);

    let (chan, mut port) = pipes::oneshot();
    assert!(poll(&mut port, &waker).is_pending());
    drop(port);
    assert_eq!(chan.send(9).unwrap_err().into_payload(), 9);
    assert_eq!((bell.rings(), bell.wakers()), (0, 1));
}
