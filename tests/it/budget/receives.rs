//! Each way to receive costs one, whether with a message or with a close, and gives way when the budget is
//! spent. The table shows it of `recv_async`, for each kind of channel.

use futures::StreamExt;
use pipes::{Eventual, Listener, Port, PortOne, PortSet, RecvOrError, listen, select_async};
use pipes_tests::table::budget::{OF_TASK, fill, left, spend_all};
use pipes_tests::table::sessions::feed;
use pipes_tests::{WakeCounter, poll_future, watched};
use std::future::{Future, pending, poll_fn};
use std::pin::Pin;
use std::task::Poll;

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

fn one(has_message: bool) -> PortOne<u64> {
    let (chan, port) = pipes::oneshot();
    if has_message {
        chan.send(1).expect("the port is here");
    }
    port
}

fn set(has_message: bool) -> PortSet<Port<u64>> {
    [port(has_message)].into_iter().collect()
}

/// Empty, if there is no message.
fn empty_set(has_message: bool) -> PortSet<Port<u64>> {
    has_message.then(|| port(true)).into_iter().collect()
}

fn server(has_message: bool) -> feed::Server<feed::More<u64>> {
    let (client, server) = feed::pipe();
    if has_message {
        drop(client.item(1));
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

fn listener(has_message: bool) -> Listener<feed::Protocol<u64>> {
    let (connector, listener) = listen::<feed::Protocol<u64>>();
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
    way!("Port::recv_or", port, |port| {
        !matches!(port.recv_or(pending::<()>()).await, Err(RecvOrError::Closed))
    }),
    way!("Port::recv_many_async", port, |port| port.recv_many_async(&mut Vec::new(), 10).await.is_ok()),
    way!("Port as a stream", port, |port| port.next().await.is_some()),
    way!("SharedPort as a stream", port, |port| port.into_shared().next().await.is_some()),
    way!("PortOne::recv_or", one, |port| port.recv_or(pending::<()>()).await.is_ok()),
    way!("Eventual", one, |port| Eventual::from_port(port).await.is_ok()),
    way!("Eventual::poll_get", one, |port| {
        let mut value = Eventual::from_port(port);
        poll_fn(|cx| value.poll_get(cx).map(|value| value.is_ok())).await
    }),
    way!("an endpoint", server, |server| server.await.is_ok()),
    way!("AnyServer", server, |server| feed::AnyServer::from(server).await.is_ok()),
    way!("ReceivingServer", server, |server| feed::ReceivingServer::from(server).await.is_ok()),
    way!("PortSet::recv_async", set, |set| set.recv_async().await.is_ok_and(|turn| turn.1.is_ok())),
    way!("PortSet as a stream", set, |set| set.next().await.is_some_and(|turn| turn.1.is_ok())),
    way!("an empty set", empty_set, |set| set.recv_async().await.is_ok()),
    way!("an empty set as a stream", empty_set, |set| set.next().await.is_some()),
    way!("DuplexStream as a stream", duplex, |duplex| duplex.next().await.is_some()),
    way!("Listener::recv_async", listener, |listener| listener.recv_async().await.is_ok()),
    way!("Listener as a stream", listener, |listener| listener.next().await.is_some()),
    way!("an arm that receives", port, |port| {
        let (_chan, mut idle) = pipes::stream::<u64>();
        select_async! {
            received = port => received.is_ok(),
            received = idle => received.is_ok(),
        }
    }),
    ("an arm that sends", |is_open| {
        let (mut chan, port) = pipes::stream();
        let _port = Some(port).filter(|_| is_open);
        Box::pin(async move {
            select_async! { sent = chan.send(1) => _port.is_some() && sent.is_ok() }
        })
    }),
];

#[test]
fn each_way_costs_one_and_gives_way() {
    for (&(name, make), has_message) in WAYS.iter().flat_map(|way| [(way, true), (way, false)]) {
        // In a thread of its own, whose budget is full.
        watched(move || {
            let (wakes, waker) = WakeCounter::new();
            fill(&waker);
            assert_eq!(poll_future(&mut make(has_message), &waker), Poll::Ready(has_message), "{name}");
            assert_eq!(left(&waker), OF_TASK - 1, "{name} ({has_message}) costs one");

            spend_all(&waker);
            let (before, mut receive) = (wakes.count(), make(has_message));
            assert!(poll_future(&mut receive, &waker).is_pending(), "{name} ({has_message}) gives way");
            assert_eq!(wakes.count(), before + 1, "{name} ({has_message}) wakes its task");
            assert_eq!(poll_future(&mut receive, &waker), Poll::Ready(has_message), "{name}");
        });
    }
}
