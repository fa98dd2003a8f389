//! The receiving verbs, on endpoints of protocols, on a oneshot's port and on a stream's.

use futures::executor::block_on;
use pipes::{Readiness, Receive, RecvError, RecvTimeoutError, TryRecvError};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Bell, poll_future, watched};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// A point in time that has passed.
fn past() -> Instant {
    let now = Instant::now();
    now.checked_sub(Duration::from_millis(1)).unwrap_or(now)
}

/// A point in time far in the future.
fn far() -> Instant {
    Instant::now() + Duration::from_secs(100_000)
}

/// All verbs of a receiver that has nothing to receive, has a message, or is closed.
fn all_verbs<E: Receive, S>(pipe: impl Fn() -> (S, E), send: impl Fn(S), check: impl Fn(E::Message)) {
    // Nothing was sent: every verb that does not wait gives the receiver back, and it still works.
    let (sender, receiver) = pipe();
    assert!(!receiver.is_ready() && !receiver.is_closed());
    let Err(TryRecvError::Empty(receiver)) = receiver.try_recv() else { panic!("nothing was sent") };
    let Err(RecvTimeoutError::Timeout(receiver)) = receiver.recv_timeout(Duration::ZERO) else {
        panic!("nothing was sent")
    };
    let Err(RecvTimeoutError::Timeout(receiver)) = receiver.recv_timeout(Duration::from_micros(50)) else {
        panic!("nothing was sent")
    };
    let Err(RecvTimeoutError::Timeout(receiver)) = receiver.recv_deadline(past()) else {
        panic!("nothing was sent")
    };
    let mut waiting = receiver.recv_async();
    assert!(poll_future(&mut waiting, Waker::noop()).is_pending());
    let mut receiver = waiting.into_inner().expect("it is not done");
    assert!(!receiver.wait(Some(past())));
    assert!(poll_future(&mut receiver.ready(), Waker::noop()).is_pending());
    send(sender);
    assert!(receiver.is_ready() && !receiver.is_closed());
    assert!(receiver.wait(Some(past())) && receiver.wait(None));
    assert!(poll_future(&mut receiver.ready(), Waker::noop()).is_ready());
    check(receiver.recv().unwrap_or_else(|_| panic!("it was sent")));

    // There is a message: every verb gives it, also those whose deadline has passed.
    let ready = || {
        let (sender, receiver) = pipe();
        send(sender);
        receiver
    };
    check(ready().try_recv().unwrap_or_else(|error| panic!("{error}")));
    check(ready().recv_timeout(Duration::ZERO).unwrap_or_else(|error| panic!("{error}")));
    check(ready().recv_timeout(Duration::MAX).unwrap_or_else(|error| panic!("{error}")));
    check(ready().recv_deadline(past()).unwrap_or_else(|error| panic!("{error}")));
    check(ready().recv_deadline(far()).unwrap_or_else(|error| panic!("{error}")));
    check(block_on(ready().recv_async()).unwrap_or_else(|error| panic!("{error}")));

    // The sender has left: every verb reports it.
    let closed = || {
        let (sender, receiver) = pipe();
        drop(sender);
        receiver
    };
    let mut receiver = closed();
    assert!(receiver.is_closed() && !receiver.is_ready());
    assert!(receiver.wait(None) && receiver.wait(Some(past())));
    block_on(receiver.ready());
    assert!(receiver.recv().is_err());
    assert!(closed().try_recv().is_err_and(|error| error.is_closed()));
    assert!(closed().recv_timeout(Duration::ZERO).is_err_and(|error| error.is_closed()));
    assert!(closed().recv_timeout(Duration::MAX).is_err_and(|error| error.is_closed()));
    assert!(closed().recv_deadline(past()).is_err_and(|error| error.is_closed()));
    assert!(closed().recv_deadline(far()).is_err_and(|error| error.is_closed()));
    assert!(block_on(closed().recv_async()).is_err());
}

/// A port that is used up like an endpoint: a receiver that is not the library's own.
struct Owned(pipes::Port<u64>);

impl Readiness for Owned {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_ready(cx)
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.0.wait(deadline)
    }

    fn is_ready(&self) -> bool {
        self.0.is_ready()
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

impl Receive for Owned {
    type Message = u64;

    fn try_recv(mut self) -> Result<u64, TryRecvError<Self>> {
        match Receive::try_recv(&mut self.0) {
            Ok(value) => Ok(value),
            Err(TryRecvError::Empty(_)) => Err(TryRecvError::Empty(self)),
            Err(TryRecvError::Closed) => Err(TryRecvError::Closed),
        }
    }
}

#[test]
fn on_an_endpoint() {
    watched(|| {
        let check = |message| assert!(matches!(message, Ping::Ping(5, _)));
        all_verbs(pingpong::pipe, |client: pingpong::Client<_>| drop(client.ping(5)), check);
    });
}

#[test]
fn on_an_endpoint_that_has_sent() {
    watched(|| {
        let pipe = || {
            let (client, server) = pingpong::pipe();
            let client = client.ping(1).unwrap();
            let Ok(Ping::Ping(1, server)) = server.recv() else { panic!("it was sent") };
            (server, client)
        };
        let check = |message| assert!(matches!(message, Pong::Bye(6)));
        all_verbs(pipe, |server: pingpong::Server<_>| server.bye(6).unwrap(), check);
    });
}

#[test]
fn on_the_port_of_a_oneshot() {
    watched(|| {
        all_verbs(
            pipes::oneshot,
            |chan: pipes::ChanOne<_>| chan.send(7).unwrap(),
            |value| assert_eq!(value, 7),
        );
    });
}

#[test]
fn on_the_port_of_a_stream() {
    watched(|| {
        let pipe = || {
            let (chan, port) = pipes::stream();
            (chan, Owned(port))
        };
        let send = |mut chan: pipes::Chan<_>| chan.send(8).unwrap();
        all_verbs(pipe, send, |value| assert_eq!(value, 8));
    });
}

#[test]
fn a_ports_own_methods() {
    watched(|| {
        let (mut chan, mut port) = pipes::stream();
        assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
        assert_eq!(port.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
        assert_eq!(port.recv_deadline(past()), Err(RecvTimeoutError::Timeout(())));
        assert!(!port.is_ready() && !port.is_closed());
        (0..6).for_each(|number| chan.send(number).unwrap());
        drop(chan);
        assert_eq!(port.recv(), Ok(0));
        assert_eq!(port.try_recv(), Ok(1));
        assert_eq!(port.recv_timeout(Duration::MAX), Ok(2));
        assert_eq!(port.recv_deadline(past()), Ok(3));
        assert_eq!(block_on(port.recv_async()), Ok(4));
        block_on(port.ready());
        assert!(port.is_ready() && !port.is_closed());
        assert_eq!(port.recv(), Ok(5));
        assert_eq!(port.recv(), Err(RecvError));
    });
}

#[test]
fn await_on_an_endpoint_receives() {
    watched(|| {
        let (client, server) = pingpong::pipe();
        let (chan, port) = pipes::oneshot();
        let sending = thread::spawn(move || {
            let client = client.ping(1).unwrap();
            chan.send(2).unwrap();
            client
        });
        block_on(async {
            let Ok(Ping::Ping(1, _)) = server.await else { panic!("it was sent") };
            assert_eq!(port.await, Ok(2));
        });
        drop(sending.join());
    });
}

#[test]
fn a_timeout_of_for_ever_waits_for_the_message() {
    watched(|| {
        let (chan, port) = pipes::oneshot();
        let sending = thread::spawn(move || chan.send(1));
        assert_eq!(port.recv_timeout(Duration::MAX).ok(), Some(1));
        assert!(sending.join().unwrap().is_ok());

        let (chan, port) = pipes::oneshot();
        let sending = thread::spawn(move || chan.send(3));
        assert_eq!(port.recv_timeout(Duration::from_secs(u64::MAX / 4)).ok(), Some(3), "as good as for ever");
        assert!(sending.join().unwrap().is_ok());

        let (mut chan, mut port) = pipes::stream();
        let sending = thread::spawn(move || chan.send(2));
        assert_eq!(port.recv_deadline(far()), Ok(2));
        assert!(sending.join().unwrap().is_ok());
    });
}

/// The endpoint in each error belongs to the same pipe, at the same step.
#[test]
fn an_endpoint_that_comes_back_again_and_again() {
    let (client, mut server) = pingpong::pipe();
    for _ in 0..100 {
        let Err(TryRecvError::Empty(back)) = server.try_recv() else { panic!("nothing was sent") };
        let Err(RecvTimeoutError::Timeout(back)) = back.recv_timeout(Duration::ZERO) else {
            panic!("nothing was sent")
        };
        server = back.recv_async().into_inner().expect("it was not polled");
    }
    let _client = client.ping(3).unwrap();
    assert!(matches!(server.recv(), Ok(Ping::Ping(3, _))));
}

#[test]
fn a_future_polled_after_it_is_done() {
    let (chan, port) = pipes::oneshot();
    let mut receiving = port.recv_async();
    chan.send(4).unwrap();
    assert_eq!(poll_future(&mut receiving, Waker::noop()), Poll::Ready(Ok(4)));
    for _ in 0..3 {
        assert_eq!(poll_future(&mut receiving, Waker::noop()), Poll::Ready(Err(RecvError)));
    }
    assert!(receiving.into_inner().is_none());
}

#[test]
fn a_future_of_a_port_gives_the_port_back() {
    let (mut chan, mut port) = pipes::stream();
    let mut receiving = port.recv_async();
    assert!(poll_future(&mut receiving, Waker::noop()).is_pending());
    chan.send(1).unwrap();
    assert_eq!(receiving.into_inner().unwrap().recv(), Ok(1));
}

/// A future borrows the port, so dropping it does not close the port.
#[test]
fn futures_of_a_port_that_are_dropped_lose_nothing() {
    let (mut chan, mut port) = pipes::stream();
    let (bell, waker) = Bell::new();
    for number in 0..100 {
        assert!(poll_future(&mut port.recv_async(), &waker).is_pending());
        chan.send(number).unwrap();
        drop(port.recv_async());
        assert_eq!(block_on(port.recv_async()), Ok(number));
    }
    assert_eq!((bell.rings(), bell.wakers()), (100, 1));
}

#[test]
fn errors_say_what_happened() {
    let (chan, port) = pipes::oneshot::<u64>();
    let error = port.try_recv().unwrap_err();
    assert_eq!(error.to_string(), "nothing was sent yet");
    assert_eq!(format!("{error:?}"), "Empty(..)");
    let TryRecvError::Empty(port) = error else { panic!("the chan is there") };
    let error = port.recv_timeout(Duration::ZERO).unwrap_err();
    assert_eq!(error.to_string(), "nothing was sent in time");
    drop(error);
    let error: Box<dyn std::error::Error> = Box::new(chan.send(1).unwrap_err());
    assert_eq!(error.to_string(), "the receiver has left");
    assert_eq!(RecvError.to_string(), "the sender has left");
}

#[test]
fn ends_can_be_printed() {
    let (client, server) = pingpong::pipe::<u64>();
    assert_eq!(format!("{client:?} {server:?}"), "Client<Ping<u64>> Server<Ping<u64>>");
    let (chan, port) = pipes::oneshot::<std::rc::Rc<()>>();
    assert!(format!("{chan:?} {port:?}").contains("PortOne"));
    let (chan, port) = pipes::stream::<std::rc::Rc<()>>();
    assert!(format!("{chan:?} {port:?} {:?}", RecvError).contains("Port"));
}
