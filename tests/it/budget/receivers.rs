//! One rule for all receivers: a receive that completes costs one, with a message or with a close, and gives
//! way when the budget is spent.

use super::{counting, full, ready_in_a_row, spend_all};
use futures::StreamExt;
use pipes::{Eventual, Port, PortSet, RecvOrError, listen};
use pipes_tests::{Bell, poll_future, watched};
use std::future::{Future, pending, poll_fn};
use std::pin::Pin;
use std::task::{Poll, Waker};

/// A receive. It says whether it has received a message.
type Receive = Pin<Box<dyn Future<Output = bool>>>;

/// A way to receive, and what makes a receive of that kind: if told so, there is a message; otherwise the
/// sender has left.
type Way = (&'static str, fn(bool) -> Receive);

fn port(has_message: bool) -> Port<u64> {
    let (mut chan, port) = pipes::stream();
    if has_message {
        chan.send(1).expect("the port is here");
    }
    port
}

fn bounded(has_message: bool) -> Port<u64> {
    let (mut chan, port) = pipes::sync_stream(1);
    if has_message {
        chan.send(1).expect("the port is here");
    }
    port
}

fn one(has_message: bool) -> pipes::PortOne<u64> {
    let (chan, port) = pipes::oneshot();
    if has_message {
        chan.send(1).expect("the port is here");
    }
    port
}

fn set(has_message: bool) -> PortSet<Port<u64>> {
    let mut set = PortSet::new();
    set.insert(port(has_message));
    set
}

fn server(has_message: bool) -> counting::Server<counting::Counting> {
    let (client, server) = counting::pipe();
    if has_message {
        drop(client.number(1));
    }
    server
}

fn duplex(has_message: bool) -> pipes::DuplexStream<u64, u64> {
    let (mut left, right) = pipes::duplex_stream();
    if has_message {
        left.send(1).expect("the other end is here");
    }
    right
}

fn listener(has_message: bool) -> pipes::Listener<counting::Protocol> {
    let (connector, listener) = listen::<counting::Protocol>();
    if has_message {
        drop(connector.connect());
    }
    listener
}

/// Makes a way of a receiver, and of what receives from it.
macro_rules! way {
    ($name:literal, $make:ident, |$receiver:ident| $receive:expr) => {
        ($name, |has_message| {
            #[allow(unused_mut)]
            let mut $receiver = $make(has_message);
            Box::pin(async move { $receive })
        })
    };
}

const WAYS: &[Way] = &[
    way!("Port::recv_async", port, |port| port.recv_async().await.is_ok()),
    way!("Port::recv_or", port, |port| {
        !matches!(port.recv_or(pending::<()>()).await, Err(RecvOrError::Closed))
    }),
    way!("Port::recv_many_async", port, |port| port.recv_many_async(&mut Vec::new(), 10).await.is_ok()),
    way!("Port as a stream", port, |port| port.next().await.is_some()),
    way!("a bounded stream", bounded, |port| port.recv_async().await.is_ok()),
    way!("SharedPort::recv_async", port, |port| port.into_shared().recv_async().await.is_ok()),
    way!("SharedPort as a stream", port, |port| port.into_shared().next().await.is_some()),
    way!("PortOne", one, |port| port.await.is_ok()),
    way!("PortOne::recv_or", one, |port| port.recv_or(pending::<()>()).await.is_ok()),
    way!("Eventual", one, |port| Eventual::from_port(port).await.is_ok()),
    way!("Eventual::poll_get", one, |port| {
        let mut value = Eventual::from_port(port);
        poll_fn(|cx| value.poll_get(cx).map(|value| value.is_ok())).await
    }),
    way!("an endpoint", server, |server| server.await.is_ok()),
    way!("AnyServer", server, |server| counting::AnyServer::from(server).await.is_ok()),
    way!("ReceivingServer", server, |server| counting::ReceivingServer::from(server).await.is_ok()),
    way!("PortSet::recv_async", set, |set| set.recv_async().await.is_ok_and(|turn| turn.1.is_ok())),
    way!("PortSet as a stream", set, |set| set.next().await.is_some_and(|turn| turn.1.is_ok())),
    ("an empty set", |has_message| {
        let mut set = if has_message { set(true) } else { PortSet::new() };
        Box::pin(async move { set.recv_async().await.is_ok() })
    }),
    ("an empty set as a stream", |has_message| {
        let mut set = if has_message { set(true) } else { PortSet::new() };
        Box::pin(async move { set.next().await.is_some() })
    }),
    way!("DuplexStream::recv_async", duplex, |duplex| duplex.recv_async().await.is_ok()),
    way!("DuplexStream as a stream", duplex, |duplex| duplex.next().await.is_some()),
    way!("Listener::recv_async", listener, |listener| listener.recv_async().await.is_ok()),
    way!("Listener as a stream", listener, |listener| listener.next().await.is_some()),
    way!("select_async!", port, |port| {
        let (_chan, mut idle) = pipes::stream::<u64>();
        pipes::select_async! {
            received = port => received.is_ok(),
            received = idle => received.is_ok(),
        }
    }),
];

#[test]
fn each_receive_costs_one_and_gives_way() {
    for &(name, make) in WAYS {
        for has_message in [true, false] {
            // In a thread of its own, whose budget is full.
            watched(move || {
                let (bell, waker) = Bell::new();
                let mut busy = full().into_shared();
                ready_in_a_row(&mut busy, &waker);
                assert!(poll_future(&mut make(has_message), &waker).is_ready(), "{name}");
                assert_eq!(ready_in_a_row(&mut busy, &waker), 127, "{name} ({has_message}) costs one");

                spend_all(&waker);
                let (before, mut receive) = (bell.rings(), make(has_message));
                assert!(poll_future(&mut receive, &waker).is_pending(), "{name} ({has_message}) gives way");
                assert_eq!(bell.rings(), before + 1, "{name} ({has_message}) wakes its task");
                assert_eq!(poll_future(&mut receive, &waker), Poll::Ready(has_message), "{name}");
            });
        }
    }
}

/// A hundred thousand closes do not keep other tasks from running.
#[test]
fn a_set_of_closed_ports() {
    let mut set: PortSet<Port<u64>> = (0..1_000).map(|_| port(false)).collect();
    let polls = (0..).find(|_| poll_future(&mut set.next(), Waker::noop()).is_pending());
    assert_eq!(polls, Some(128));
}
