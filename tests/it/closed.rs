//! Sending ends that wait until the receiver has left.

use futures::executor::block_on;
use pipes::{ChanOne, Closing, WaitClosed};
use pipes_tests::bank::{self, Account};
use pipes_tests::greeting::{self, Hello, Reply};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Bell, Counted, Tally, courier, poll, poll_future, watched};
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::rc::Rc;
use std::task::{Context, Waker};
use std::thread;
use std::time::{Duration, Instant};

assert_impl_all!(WaitClosed<'static, ChanOne<u64>>: Send, Sync, Unpin);
assert_impl_all!(pingpong::Client<Ping<u64>>: Closing);
assert_impl_all!(pingpong::Server<Pong<u64>>: Closing);
assert_not_impl_any!(pingpong::Client<Pong<u64>>: Closing);
assert_not_impl_any!(pingpong::Server<Ping<u64>>: Closing);
assert_not_impl_any!(WaitClosed<'static, ChanOne<Rc<u64>>>: Send);

/// Polls a watch once.
pub fn is_closed(end: &mut impl Closing, waker: &Waker) -> bool {
    end.poll_closed(&mut Context::from_waker(waker)).is_ready()
}

/// The state right after the client's first message: the server's turn.
fn pinged() -> (pingpong::Server<Pong<u64>>, pingpong::Client<Pong<u64>>) {
    let (client, server) = pingpong::pipe();
    let client = client.ping(1).unwrap();
    let Ok(Ping::Ping(1, server)) = server.recv() else { panic!("the client has pinged") };
    (server, client)
}

/// The client's turn, with `deposits` unread messages.
fn paid_in(deposits: u64) -> (bank::Client<Account<u64>>, bank::Server<Account<u64>>) {
    let (mut client, server) = bank::pipe();
    for number in 0..deposits {
        client = client.deposit(number).unwrap();
    }
    (client, server)
}

/// All verbs on an end whose peer is there, leaves, or has left.
fn all_verbs<E, R>(pipe: impl Fn() -> (E, R))
where
    E: Closing + Send + 'static,
    R: Send + 'static,
{
    let (bell, waker) = Bell::new();
    let (mut end, receiver) = pipe();
    assert!(!end.is_closed());
    assert!(!end.wait_closed_timeout(Duration::ZERO));
    assert!(!end.wait_closed_timeout(Duration::from_micros(50)));
    assert!(!end.wait_closed_until(Some(Instant::now())));
    assert!(!is_closed(&mut end, &waker));
    assert!(poll_future(&mut end.closed(), &waker).is_pending());
    assert_eq!(bell.wakers(), 2, "the same task is registered once");
    assert!(!end.wait_closed_timeout(Duration::ZERO));
    assert_eq!(bell.wakers(), 2, "a look leaves it there");
    bell.gives_way(|time| assert!(!end.wait_closed_timeout(time)));
    assert_eq!(bell.wakers(), 1);
    assert!(!is_closed(&mut end, &waker) && !end.is_closed());
    drop(receiver);
    assert_eq!(bell.rings(), 1);
    assert!(end.is_closed());
    assert!(is_closed(&mut end, &waker) && is_closed(&mut end, Waker::noop()));
    end.wait_closed();
    assert!(end.wait_closed_until(Some(Instant::now())), "it has happened, however late it is");
    assert!(end.wait_closed_timeout(Duration::ZERO) && end.wait_closed_timeout(Duration::MAX));
    block_on(end.closed());
    drop(end);
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));

    let (mut end, receiver) = pipe();
    drop(receiver);
    end.wait_closed();
    assert!(end.wait_closed_timeout(Duration::MAX));
    block_on(end.closed());

    // The peer leaves during the wait, of a thread and of a task.
    for task in [false, true] {
        let (mut end, receiver) = pipe();
        let waiting = thread::spawn(move || if task { block_on(end.closed()) } else { end.wait_closed() });
        thread::yield_now();
        drop(receiver);
        waiting.join().unwrap();
    }
}

#[test]
fn every_verb_of_a_chan() {
    watched(|| {
        all_verbs(pipes::oneshot::<u64>);
        for sent in [0, 1, 5, 100, 500] {
            all_verbs(move || {
                let (mut chan, port) = pipes::stream();
                (0..sent).for_each(|number| chan.send(number).unwrap());
                (chan, port)
            });
        }
        for room in [0, 1, 3] {
            all_verbs(move || pipes::sync_stream::<u64>(room));
            all_verbs(move || {
                let (mut chan, port) = pipes::sync_stream(room);
                (0..room).for_each(|number| chan.send(number).unwrap());
                (chan, port)
            });
        }
    });
}

/// Unlike an endpoint, a chan still exists after the close.
#[test]
fn a_chan_that_goes_on_after_the_close() {
    let (bell, waker) = Bell::new();
    let (mut chan, port) = pipes::stream();
    for round in 1..=100 {
        assert!(!is_closed(&mut chan, &waker));
        chan.send(round).unwrap();
        assert_eq!(bell.wakers(), 1, "it has stopped watching");
    }
    assert!(!is_closed(&mut chan, &waker));
    drop(port);
    for round in 1..=100 {
        assert_eq!(chan.send(round).unwrap_err().into_payload(), round);
        assert!(is_closed(&mut chan, &waker) && chan.wait_closed_timeout(Duration::MAX));
    }
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
}

#[test]
fn every_verb_at_every_turn() {
    watched(|| {
        all_verbs(pingpong::pipe::<u64>);
        all_verbs(pinged);
        all_verbs(|| {
            let (client, server) = greeting::pipe::<u64>();
            (server, client)
        });
        all_verbs(courier::pipe::<u64>);
        for deposits in [0, 1, 5, 100, 500] {
            all_verbs(move || paid_in(deposits));
        }
    });
}

#[test]
fn a_watch_is_no_hindrance() {
    let (bell, waker) = Bell::new();
    let (ringing, receiving) = Bell::new();
    let (mut client, mut server) = pingpong::pipe();
    for round in 1..=5 {
        assert!(!is_closed(&mut client, &waker));
        assert!(poll(&mut server, &receiving).is_pending(), "both wait at one slot");
        let mut waiting = client.ping(round).unwrap();
        assert_eq!((ringing.rings(), bell.wakers()), (2 * round as usize - 1, 1));
        assert!(poll(&mut waiting, &receiving).is_pending());
        let Ok(Ping::Ping(number, mut answering)) = server.recv() else { panic!("it is sent") };
        assert!(!is_closed(&mut answering, &waker));
        server = answering.pong(number).unwrap();
        assert_eq!((ringing.rings(), bell.wakers()), (2 * round as usize, 1));
        let Ok(Pong::Pong(number, next)) = waiting.recv() else { panic!("it is sent") };
        assert_eq!(number, round);
        client = next;
    }
    assert_eq!(bell.rings(), 0, "nobody has left");
    assert_eq!(ringing.wakers(), 1);
}

/// A watch at every slot, across the edges of blocks, with a receiver that waits or does not.
#[test]
fn a_watch_at_every_slot() {
    let (bell, waker) = Bell::new();
    for waits in [false, true] {
        let (mut client, mut server) = bank::pipe();
        for round in 0..300 {
            assert!(!is_closed(&mut client, &waker));
            assert!(!waits || poll(&mut server, Waker::noop()).is_pending());
            client = client.deposit(round).unwrap();
            let Ok(Account::Deposit(number, next)) = server.recv() else { panic!("it is sent") };
            assert_eq!(number, round);
            server = next;
        }
        assert!(!is_closed(&mut client, &waker));
        client.leave().unwrap();
        assert!(matches!(server.recv(), Ok(Account::Leave)));
        assert_eq!((bell.rings(), bell.wakers()), (0, 1));
    }
}

#[test]
fn an_end_that_watches_closes_like_any_other() {
    let (bell, waker) = Bell::new();
    let (ringing, receiving) = Bell::new();
    let (mut chan, mut port) = pipes::oneshot::<u64>();
    assert!(!is_closed(&mut chan, &waker));
    assert!(poll(&mut port, &receiving).is_pending());
    drop(chan);
    assert_eq!((bell.rings(), bell.wakers()), (0, 1));
    assert_eq!((ringing.rings(), ringing.wakers()), (1, 1));
    assert!(port.recv().is_err());
}

#[test]
fn a_failed_send_after_a_watch_gives_the_payload_back() {
    let tally = Tally::new();
    let (bell, waker) = Bell::new();
    let (mut chan, port) = pipes::oneshot();
    assert!(!is_closed(&mut chan, &waker));
    drop(port);
    assert_eq!(chan.send(tally.make(1)).unwrap_err().into_payload().number, 1);
    for deposits in 0..150 {
        let (mut client, server) = bank::pipe();
        for number in 0..deposits {
            client = client.deposit(tally.make(number)).unwrap();
        }
        assert!(!is_closed(&mut client, &waker));
        drop(server);
        assert_eq!(client.deposit(tally.make(999)).unwrap_err().into_payload().number, 999);
    }
    assert_eq!((bell.rings(), bell.wakers()), (151, 1));
    tally.assert_all_gone();
}

/// When the wait is over, what was sent and not received has been dropped.
#[test]
fn unread_payloads_are_gone_when_the_wait_is_over() {
    watched(|| {
        for deposits in [0, 1, 70, 300] {
            let tally = Tally::new();
            let (mut client, server) = bank::pipe::<Counted>();
            for number in 0..deposits {
                client = client.deposit(tally.make(number)).unwrap();
            }
            let leaving = thread::spawn(move || drop(server));
            client.wait_closed();
            tally.assert_all_gone();
            leaving.join().unwrap();
        }
    });
}

#[test]
fn the_last_of_several_wakers_is_woken() {
    let (mut chan, port) = pipes::oneshot::<u64>();
    let bells: Vec<_> = (0..5).map(|_| Bell::new()).collect();
    for (_, waker) in &bells {
        assert!(!is_closed(&mut chan, waker));
    }
    drop(port);
    for (bell, _) in &bells[..4] {
        assert_eq!((bell.rings(), bell.wakers()), (0, 1), "it was replaced, and nothing of it is kept");
    }
    assert_eq!((bells[4].0.rings(), bells[4].0.wakers()), (1, 1));
}

#[test]
fn a_dropped_wait_loses_nothing() {
    let (bell, waker) = Bell::new();
    let (mut client, server) = pingpong::pipe();
    for _ in 0..3 {
        assert!(poll_future(&mut client.closed(), &waker).is_pending());
        assert_eq!(format!("{:?}", client.closed()), "WaitClosed");
    }
    let mut waiting = client.ping(7).unwrap();
    assert!(poll(&mut waiting, &waker).is_pending());
    let Ok(Ping::Ping(7, server)) = server.recv() else { panic!("it is sent") };
    server.bye(8).unwrap();
    assert_eq!(bell.rings(), 1);
    assert!(matches!(waiting.recv(), Ok(Pong::Bye(8))));
    assert_eq!(bell.wakers(), 1);
}

/// Both sides of one session watch whenever it is their turn, in threads and in tasks.
#[test]
fn a_whole_session_of_watches() {
    watched(|| {
        let (bell, waker) = Bell::new();
        let (client, mut server) = greeting::pipe::<u64>();
        let other = waker.clone();
        let replying = thread::spawn(move || {
            let mut client = client;
            loop {
                let Ok(Hello::Hello(number, mut reply)) = client.recv() else { panic!("the server greets") };
                assert!(!is_closed(&mut reply, &other) && !reply.wait_closed_timeout(Duration::ZERO));
                if number == 200 {
                    return reply.thanks().unwrap();
                }
                assert!(poll_future(&mut reply.closed(), &other).is_pending());
                client = reply.again(number).unwrap();
            }
        });
        for number in 0..=200 {
            assert!(!is_closed(&mut server, &waker));
            let waiting = server.hello(number).unwrap();
            server = match waiting.recv().expect("the client replies") {
                Reply::Again(same, server) => {
                    assert_eq!(same, number);
                    server
                }
                Reply::Thanks => break,
            };
        }
        replying.join().unwrap();
        assert_eq!((bell.rings(), bell.wakers()), (0, 1));
    });
}

pipes::proto! {
    /// Messages with the names of verbs.
    alike {
        sending: send {
            closed(u8) -> sending,
            wait_closed -> sending,
            wait_closed_timeout(u8) -> sending,
            wait_closed_until -> sending,
            poll_closed -> closed
        }
        closed: recv { closed -> sending, is_closed -> sending }
    }
}

#[test]
fn messages_called_like_the_verbs() {
    let (client, server) = alike::pipe();
    let mut client = client.closed(1).unwrap().wait_closed().unwrap().wait_closed_timeout(2).unwrap();
    assert!(!Closing::wait_closed_timeout(&mut client, Duration::ZERO));
    assert!(poll_future(&mut Closing::closed(&mut client), Waker::noop()).is_pending());
    let client = client.wait_closed_until().unwrap().poll_closed().unwrap();
    let mut server = Some(server);
    for _ in 0..4 {
        server = match server.take().map(alike::Server::recv) {
            Some(Ok(
                alike::Sending::Closed(1, next)
                | alike::Sending::WaitClosed(next)
                | alike::Sending::WaitClosedTimeout(2, next)
                | alike::Sending::WaitClosedUntil(next),
            )) => Some(next),
            _ => panic!("something else was sent"),
        };
    }
    let Some(Ok(alike::Sending::PollClosed(mut server))) = server.map(alike::Server::recv) else {
        panic!("something else was sent")
    };
    // A call by reference is the verb: the message's method would use up the end.
    let borrowed = &mut server;
    assert!(!borrowed.wait_closed_timeout(Duration::ZERO));
    assert!(poll_future(&mut borrowed.closed(), Waker::noop()).is_pending());
    let _server = server.closed().unwrap();
    let Ok(alike::Closed::Closed(mut client)) = client.recv() else { panic!("something else was sent") };
    drop(_server);
    Closing::wait_closed(&mut client);
}
