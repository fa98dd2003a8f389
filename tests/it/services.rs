//! Services: a thread for a pipe, and a listener that many clients connect to.

use futures::executor::block_on;
use futures::stream::{FusedStream, StreamExt};
use pipes::{
    Connector, Listener, ListenerClosed, Port, RecvError, SessionError, SessionErrorKind, TryConnectError,
    TryRecvError, listen, listen_with_backlog, oneshot, spawn_service,
};
use pipes_tests::greeting::{self, Hello, Reply};
use pipes_tests::pingpong::{self, Ping, Pong, Server};
use pipes_tests::{DropCounter, WakeCounter, poll, test_in, watched};
use static_assertions::assert_not_impl_any;
use std::thread;
use std::time::Duration;

type PingPong = pingpong::Protocol<u64>;

// `Listener` is a stream already, and the methods of the two traits have the same names.
assert_not_impl_any!(Listener<PingPong>: Iterator);
assert_not_impl_any!(Port<u64>: Iterator);

/// Answers until the client leaves.
fn serve(mut server: Server<Ping<u64>>) {
    while let Ok(Ping::Ping(number, answering)) = server.recv() {
        let Ok(next) = answering.pong(number + 1) else { return };
        server = next;
    }
}

/// Does this many round trips.
fn call(mut client: pingpong::Client<Ping<u64>>, rounds: u64) -> Result<u64, RecvError> {
    let mut sum = 0;
    for round in 0..rounds {
        let waiting = client.ping(round).map_err(|_| RecvError)?;
        let Pong::Pong(answer, next) = waiting.recv()? else { return Err(RecvError) };
        (client, sum) = (next, sum + answer);
    }
    Ok(sum)
}

/// The service sends first, for which 2012 had another function.
#[test_in(watched)]
fn a_service_that_sends_first() {
    let (chan, port) = oneshot();
    let client = spawn_service::<greeting::Protocol<&str>>(move |server| {
        let replied = server.hello("hello").expect("the client is there").recv();
        chan.send(matches!(replied, Ok(Reply::Thanks))).expect("it is waited for");
    });
    let Ok(Hello::Hello("hello", client)) = client.recv() else { panic!("it greets") };
    client.thanks().expect("the service waits");
    assert_eq!(port.recv(), Ok(true));
}

/// A service that panics, before its first receive and after it.
#[test_in(watched)]
fn a_service_that_dies() {
    let die = || -> ! { std::panic::resume_unwind(Box::new("on purpose")) };
    let client = spawn_service::<PingPong>(move |_server| die());
    assert_eq!(call(client, 1), Err(RecvError));
    let client = spawn_service::<PingPong>(move |server| {
        drop(server.recv());
        die()
    });
    assert_eq!(call(client, 1), Err(RecvError));
}

/// The function's captures are dropped when it ends, and the pipe's payloads with the pipe.
#[test_in(watched)]
fn a_service_leaves_nothing_behind() {
    let drops = DropCounter::new();
    let (owned, (done, is_done)) = (drops.make(1), oneshot::<()>());
    let client = spawn_service::<pingpong::Protocol<_>>(move |server: Server<Ping<_>>| {
        let (_owned, _done) = (owned, done);
        drop(server.recv());
    });
    let client = client.ping(drops.make(2)).expect("the service is there");
    assert!(client.recv().is_err());
    assert!(is_done.recv().is_err());
    while drops.dropped() < drops.made() {
        thread::yield_now();
    }
    drops.assert_all_dropped();
}

#[test_in(watched)]
fn each_client_has_a_pipe_of_its_own() {
    let (connector, listener) = listen::<PingPong>();
    let clients: Vec<_> = (0..8)
        .map(|number| {
            let connector = connector.clone();
            thread::spawn(move || call(connector.connect().expect("somebody listens"), number * 10))
        })
        .collect();
    drop(connector);
    let servers: Vec<_> = listener.into_iter().map(|server| thread::spawn(move || serve(server))).collect();
    assert_eq!(servers.len(), 8);
    for (number, client) in clients.into_iter().enumerate() {
        let rounds = number as u64 * 10;
        assert_eq!(client.join().expect("no client panics"), Ok(rounds * (rounds + 1) / 2));
    }
    servers.into_iter().for_each(|server| server.join().expect("no server panics"));
}

/// The listener's verbs are those of a port.
#[test_in(watched)]
fn a_listener_waits_like_a_port() {
    let (connector, mut listener) = listen::<PingPong>();
    assert!(matches!(listener.try_recv(), Err(TryRecvError::Empty(()))));
    assert!(listener.recv_timeout(Duration::ZERO).is_err_and(|error| !error.is_closed()));
    let (wakes, waker) = WakeCounter::new();
    assert!(poll(&mut listener, &waker).is_pending());
    let client = connector.connect().expect("somebody listens");
    assert!(wakes.count() == 1 && listener.is_ready());
    let server = listener.try_recv().expect("somebody has connected");
    let _client = client.ping(5).expect("it was accepted");
    assert!(matches!(server.recv(), Ok(Ping::Ping(5, _))));

    let waiting = thread::spawn(move || (listener.accept().is_ok(), listener));
    let _client = connector.connect().expect("somebody listens");
    let (accepted, mut listener) = waiting.join().expect("it does not panic");
    assert!(accepted);
    block_on(async {
        let _client = connector.connect().expect("somebody listens");
        assert!(listener.recv_async().await.is_ok());
        let _client = connector.connect().expect("somebody listens");
        assert!(listener.next().await.is_some());
        let _clients = [(); 3].map(|()| connector.connect().expect("somebody listens"));
        assert_eq!(listener.iter().take(2).count(), 2);
        assert!(IntoIterator::into_iter(&mut listener).next().is_some());
        drop(connector);
        assert!(listener.next().await.is_none() && listener.is_terminated());
    });
    assert!(matches!(listener.accept(), Err(RecvError)) && listener.is_closed());
}

/// A client may send before it is accepted, and leave as well.
#[test]
fn a_client_does_not_wait_to_be_accepted() {
    let (connector, mut listener) = listen::<PingPong>();
    let client = connector.connect().expect("somebody listens");
    let waiting = client.ping(1).expect("the pipe is there");
    drop(connector.connect().expect("somebody listens"));
    let server = listener.accept().expect("somebody has connected");
    let gone = listener.accept().expect("somebody has connected");
    assert!(gone.is_closed());
    let Ok(Ping::Ping(1, answering)) = server.recv() else { panic!("it was sent") };
    answering.bye(2).expect("the client waits");
    assert!(matches!(waiting.recv(), Ok(Pong::Bye(2))));
}

/// A client that has connected and was not accepted finds the pipe closed, and later connects fail.
#[test_in(watched)]
fn a_service_that_ends() {
    let (connector, listener) = listen::<PingPong>();
    let others: [Connector<PingPong>; 2] = [connector.clone(), connector.clone()];
    let client = connector.connect().expect("somebody listens");
    let waiting = connector.connect().expect("somebody listens").ping(1).expect("the pipe is there");
    assert!(!connector.is_closed());
    drop(listener);
    assert_eq!(call(client, 1), Err(RecvError));
    assert!(waiting.recv().is_err());
    for connector in others {
        assert!(connector.is_closed());
        assert!(matches!(connector.connect(), Err(ListenerClosed)));
    }
    assert_eq!(ListenerClosed.to_string(), "the service has ended");
}

/// A service with a limit on the clients that wait: they connect as others are accepted, in order.
#[test_in(watched)]
fn a_full_backlog() {
    let (connector, mut listener) = listen_with_backlog::<PingPong>(2);
    let first = connector.connect().expect("there is room");
    let second = connector.connect_timeout(Duration::ZERO).expect("there is room");
    assert_eq!(connector.try_connect().map(drop), Err(TryConnectError::Full));
    assert_eq!(connector.connect_timeout(Duration::from_micros(1)).map(drop), Err(TryConnectError::Full));
    let waiting = {
        let connector = connector.clone();
        thread::spawn(move || call(connector.connect().expect("the service is there"), 3))
    };
    for client in [first, second] {
        let server = listener.accept().expect("a client waits");
        let client = thread::spawn(move || call(client, 2));
        serve(server);
        assert_eq!(client.join().expect("it does not panic"), Ok(3));
    }
    serve(listener.accept().expect("a client waits"));
    assert_eq!(waiting.join().expect("it does not panic"), Ok(6));

    let client = block_on(connector.connect_async()).expect("there is room");
    drop(listener);
    assert_eq!(call(client, 1), Err(RecvError), "it was never accepted");
    assert_eq!(connector.connect().map(drop), Err(ListenerClosed));
    assert_eq!(connector.try_connect().map(drop), Err(TryConnectError::Closed));
    assert_eq!(connector.connect_timeout(Duration::MAX).map(drop), Err(TryConnectError::Closed));
    let late = block_on(connector.connect_async());
    assert_eq!(late.map(drop), Err(ListenerClosed));
    let session = || connector.connect().map(drop).map_err(SessionError::from);
    assert_eq!(session().map_err(|error| error.kind()), Err(SessionErrorKind::Closed));
    let (connector, _listener) = listen_with_backlog::<PingPong>(1);
    let _client = connector.connect().expect("there is room");
    let session = || connector.try_connect().map(drop).map_err(SessionError::from);
    assert_eq!(session().map_err(|error| error.kind()), Err(SessionErrorKind::WouldBlock));
}
