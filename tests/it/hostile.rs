//! Destructors and wakers that panic, or call into the library.

use crate::stages::paid_in;
use futures::executor::block_on;
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Bell, Counted, Tally, caught, poll, poll_future, watched};
use std::sync::{Arc, Mutex};
use std::task::Poll;

/// Panics without a message on standard error.
fn panic() {
    std::panic::resume_unwind(Box::new("on purpose"));
}

/// One destructor among many panics: the others run, and the peer learns of the close.
#[test]
fn a_panicking_destructor_in_a_drained_stream() {
    for (total, bomb) in [(1, 0), (2, 0), (2, 1), (200, 0), (200, 61), (200, 62), (200, 100), (200, 199)] {
        for chan_first in [false, true] {
            let tally = Tally::new();
            let (mut chan, port) = pipes::stream();
            for number in 0..total {
                let payload = if number == bomb { tally.make_bomb(number) } else { tally.make(number) };
                assert!(chan.send(payload).is_ok());
            }
            let mut chan = Some(chan);
            if chan_first {
                chan = None;
            }
            let panic = caught(|| drop(port)).expect("the destructor's panic is not swallowed");
            assert_eq!(panic.downcast_ref(), Some(&bomb));
            tally.assert_all_gone();
            if let Some(mut chan) = chan {
                assert!(chan.is_closed());
                assert_eq!(chan.send(tally.make(7)).unwrap_err().into_payload().number, 7);
            }
        }
    }
}

#[test]
fn a_panicking_destructor_in_a_bounded_pipe() {
    let tally = Tally::new();
    let (client, server) = pingpong::pipe();
    let client = client.ping(tally.make_bomb(5)).unwrap();
    assert!(caught(|| drop(server)).is_some());
    assert!(client.is_closed());
    assert!(client.recv().is_err());
    tally.assert_all_gone();
}

#[test]
fn a_panicking_destructor_in_a_last_message() {
    let tally = Tally::new();
    let (client, server) = crate::stages::pinged(&tally);
    server.bye(tally.make_bomb(5)).unwrap();
    assert!(caught(|| drop(client)).is_some());
    let (chan, port) = pipes::oneshot();
    chan.send(tally.make_bomb(6)).unwrap();
    assert!(caught(|| drop(port)).is_some());
    tally.assert_all_gone();
}

#[test]
fn a_panicking_destructor_before_a_withdrawal() {
    let tally = Tally::new();
    let (client, server) = paid_in(&tally, 70);
    let client = client.deposit(tally.make_bomb(70)).unwrap();
    let mut client = client.deposit(tally.make(71)).unwrap().withdraw(3).unwrap();
    let (bell, waker) = Bell::new();
    assert!(poll(&mut client, &waker).is_pending());
    assert!(caught(|| drop(server)).is_some());
    assert_eq!(bell.rings(), 1);
    assert!(client.recv().is_err());
    tally.assert_all_gone();
}

#[test]
fn a_waker_that_panics_when_a_message_comes() {
    let (_bell, waker) = Bell::that(panic);
    let tally = Tally::new();
    let (mut chan, mut port) = pipes::stream();
    assert!(poll(&mut port, &waker).is_pending());
    assert!(caught(|| chan.send(tally.make(1))).is_some());
    assert_eq!(port.try_recv().unwrap().number, 1, "the message was sent before the waker was rung");
    assert!(chan.send(tally.make(2)).is_ok(), "the chan is still good");
    assert_eq!(port.try_recv().unwrap().number, 2);
    tally.assert_all_gone();
}

/// The endpoint that the send would have returned is lost in the panic, which closes it.
#[test]
fn a_waker_that_panics_in_a_step() {
    watched(|| {
        let (_bell, waker) = Bell::that(panic);
        let (client, mut server) = pingpong::pipe::<u64>();
        assert!(poll(&mut server, &waker).is_pending());
        assert!(caught(|| client.ping(1)).is_some());
        let Ok(Ping::Ping(1, server)) = server.recv() else { panic!("the message was sent before") };
        assert_eq!(server.pong(2).map(drop).map_err(|error| error.into_payload()), Err(2));
    });
}

#[test]
fn a_waker_that_panics_at_the_last_message() {
    let tally = Tally::new();
    let (_bell, waker) = Bell::that(panic);
    let (chan, mut port) = pipes::oneshot();
    assert!(poll(&mut port, &waker).is_pending());
    assert!(caught(|| chan.send(tally.make(4))).is_some());
    assert_eq!(port.recv().unwrap().number, 4);
    tally.assert_all_gone();
}

#[test]
fn a_waker_that_panics_at_a_close() {
    let (_bell, waker) = Bell::that(panic);
    let (chan, mut port) = pipes::stream::<u64>();
    assert!(poll(&mut port, &waker).is_pending());
    assert!(caught(|| drop(chan)).is_some());
    assert!(port.is_closed());
    assert!(port.recv().is_err());
}

/// The received payload is dropped by the panic, once; its slot is free, and later messages still come.
#[test]
fn a_waker_that_panics_when_there_is_room() {
    type Receive = fn(&mut pipes::Port<Counted>) -> Option<u64>;
    let receives: [Receive; 4] = [
        |port| Some(port.recv().ok()?.number),
        |port| Some(port.try_recv().ok()?.number),
        |port| Some(block_on(port.recv_async()).ok()?.number),
        |port| Some(port.iter().next()?.number),
    ];
    for capacity in [0, 1, 3] {
        for receive in receives {
            let tally = Tally::new();
            let (mut chan, mut port) = pipes::sync_stream(capacity);
            (0..capacity as u64).for_each(|number| chan.send(tally.make(number)).expect("there is room"));
            let (bell, waker) = Bell::that(panic);
            let mut sending = chan.send_async(tally.make(7));
            assert!(poll_future(&mut sending, &waker).is_pending());
            assert!(caught(|| receive(&mut port)).is_some(), "the panic is not swallowed");
            assert_eq!((tally.gone(), bell.rings()), (1, 1));
            assert!(matches!(poll_future(&mut sending, &waker), Poll::Ready(Ok(()))), "there is room now");
            drop(sending);
            drop(chan);
            let expected = (1..capacity as u64).chain((capacity > 0).then_some(7));
            assert_eq!(
                port.iter().map(|payload| payload.number).collect::<Vec<_>>(),
                expected.collect::<Vec<_>>()
            );
            tally.assert_all_gone();
        }
    }
}

/// The last clone of the waker is the one in the pipe, and its destructor panics while the endpoint leaves.
#[test]
fn a_waker_whose_destructor_panics_while_its_endpoint_closes() {
    watched(|| {
        let (client, mut server) = pingpong::pipe::<u64>();
        let waker = Bell::at_last(panic);
        assert!(poll(&mut server, &waker).is_pending());
        drop(waker);
        assert!(caught(|| drop(server)).is_some(), "the panic is not swallowed");
        match client.ping(1) {
            Err(error) => assert_eq!(error.into_payload(), 1),
            Ok(client) => panic!("sent to nobody; {client:?} would wait for ever"),
        }
    });
}

#[test]
fn a_waker_whose_destructor_panics_while_its_stream_closes() {
    let (mut chan, mut port) = pipes::stream::<u64>();
    let waker = Bell::at_last(panic);
    assert!(poll(&mut port, &waker).is_pending());
    drop(waker);
    assert!(caught(|| drop(port)).is_some());
    assert!(chan.is_closed());
    assert_eq!(chan.send(1).unwrap_err().into_payload(), 1);
}

#[test]
fn a_waker_whose_destructor_panics_when_it_is_replaced() {
    let (chan, mut port) = pipes::oneshot::<u64>();
    let first = Bell::at_last(panic);
    assert!(poll(&mut port, &first).is_pending());
    drop(first);
    let (bell, second) = Bell::new();
    assert!(caught(|| poll(&mut port, &second)).is_some());
    assert_eq!(bell.wakers(), 1, "the second one was not registered");
    assert!(poll(&mut port, &second).is_pending());
    chan.send(3).unwrap();
    assert_eq!(bell.rings(), 1);
    assert_eq!(port.recv(), Ok(3));
}

#[test]
fn a_waker_whose_destructor_panics_when_a_thread_takes_over() {
    watched(|| {
        let (chan, mut port) = pipes::oneshot::<u64>();
        let waker = Bell::at_last(panic);
        assert!(poll(&mut port, &waker).is_pending());
        drop(waker);
        assert!(caught(|| port.recv()).is_some());
        assert!(chan.send(3).is_err(), "the port was lost in the panic");
    });
}

/// A waker that sends on another pipe and closes it.
#[test]
fn a_waker_that_sends_and_drops_elsewhere() {
    let (mut other_chan, mut other_port) = pipes::stream();
    let (_bell, waker) = Bell::that(move || other_chan.send("rung").unwrap());
    let (chan, mut port) = pipes::oneshot();
    assert!(poll(&mut port, &waker).is_pending());
    chan.send(1).unwrap();
    assert_eq!(other_port.recv(), Ok("rung"));
    assert!(other_port.recv().is_err(), "the waker has dropped its chan");
    assert_eq!(port.recv(), Ok(1));
}

/// A waker that receives the message inside of the send that wakes it, and drops the receiver.
#[test]
fn a_waker_that_receives_at_once() {
    watched(|| {
        let (client, mut server) = pingpong::pipe::<u64>();
        let place = Arc::new(Mutex::new(None));
        let taken = place.clone();
        let (_bell, waker) = Bell::that(move || {
            let server: Option<pingpong::Server<Ping<u64>>> = taken.lock().unwrap().take();
            let Ok(Ping::Ping(1, server)) = server.unwrap().recv() else { panic!("it was sent") };
            server.bye(2).unwrap();
        });
        assert!(poll(&mut server, &waker).is_pending());
        *place.lock().unwrap() = Some(server);
        let client = client.ping(1).unwrap();
        assert!(matches!(client.recv(), Ok(Pong::Bye(2))));
    });
}

/// At the last send, the pipe is freed inside of the waker.
#[test]
fn a_waker_that_receives_the_last_message_at_once() {
    let tally = Tally::new();
    let place = Arc::new(Mutex::new(None));
    let taken = place.clone();
    let (_bell, waker) = Bell::that(move || {
        let port: pipes::PortOne<Counted> = taken.lock().unwrap().take().unwrap();
        assert_eq!(port.recv().unwrap().number, 8);
    });
    let (chan, mut port) = pipes::oneshot();
    assert!(poll(&mut port, &waker).is_pending());
    *place.lock().unwrap() = Some(port);
    chan.send(tally.make(8)).unwrap();
    tally.assert_all_gone();
}

#[test]
fn a_waker_that_drops_its_endpoint_when_the_other_side_leaves() {
    let place = Arc::new(Mutex::new(None));
    let taken = place.clone();
    let (bell, waker) = Bell::that(move || drop(taken.lock().unwrap().take()));
    let (chan, mut port) = pipes::stream::<u64>();
    assert!(poll(&mut port, &waker).is_pending());
    *place.lock().unwrap() = Some(port);
    drop(chan);
    assert_eq!(bell.rings(), 1);
    assert!(place.lock().unwrap().is_none());
}

/// The waker owns the other end of its own pipe: leaving drops the waker, so that the other end leaves too.
#[test]
fn a_waker_that_owns_the_other_end() {
    for message in [false, true] {
        let tally = Tally::new();
        let (mut chan, mut port) = pipes::stream();
        let payload = tally.make(1);
        let waker = Bell::at_last(move || {
            if message {
                let _ = chan.send(payload);
            }
            drop(chan);
        });
        assert!(poll(&mut port, &waker).is_pending());
        drop(waker);
        drop(port);
        tally.assert_all_gone();
    }
}

/// The replaced waker sends while it is dropped: the poll that replaces it must not miss the message.
#[test]
fn a_replaced_waker_that_sends_while_it_is_dropped() {
    let (chan, mut port) = pipes::oneshot();
    let first = Bell::at_last(move || chan.send(6).unwrap());
    assert!(poll(&mut port, &first).is_pending());
    drop(first);
    let (bell, second) = Bell::new();
    assert!(poll(&mut port, &second).is_ready());
    assert_eq!((port.try_recv().ok(), bell.wakers()), (Some(6), 1));
}

#[test]
fn a_waker_that_wakes_a_chain_of_pipes() {
    let (first, mut port) = pipes::oneshot();
    let mut links = Vec::new();
    let mut ports = Vec::new();
    for _ in 0..50 {
        let (chan, next) = pipes::oneshot::<u64>();
        let (bell, waker) = Bell::that(move || chan.send(1).unwrap());
        assert!(poll(&mut port, &waker).is_pending());
        ports.push(std::mem::replace(&mut port, next));
        links.push(bell);
    }
    first.send(1).unwrap();
    assert!(links.iter().all(|bell| bell.rings() == 1));
    assert!(ports.into_iter().all(|port| port.recv() == Ok(1)));
    assert_eq!(block_on(port.recv_async()), Ok(1));
}

/// A payload that owns the sender of its own stream: draining the stream closes it.
#[test]
fn a_message_that_owns_its_own_chan() {
    #[allow(dead_code)]
    struct Loop(Option<pipes::Chan<Loop>>, Counted);
    let tally = Tally::new();
    let (mut chan, port) = pipes::stream();
    for number in 0..100 {
        assert!(chan.send(Loop(None, tally.make(number))).is_ok());
    }
    let (mut outer, outer_port) = pipes::stream();
    assert!(outer.send(Loop(Some(chan), tally.make(100))).is_ok());
    let mut future = outer_port.into_iter();
    let Loop(chan, _) = future.next().unwrap();
    drop(port);
    drop(chan);
    tally.assert_all_gone();
}

#[test]
fn a_future_whose_poll_panics_keeps_its_endpoint() {
    let (chan, port) = pipes::oneshot::<u64>();
    let mut receiving = port.recv_async();
    let first = Bell::at_last(panic);
    assert!(poll_future(&mut receiving, &first).is_pending());
    drop(first);
    let (_bell, second) = Bell::new();
    assert!(caught(|| poll_future(&mut receiving, &second)).is_some());
    chan.send(5).unwrap();
    assert_eq!(poll_future(&mut receiving, &second), Poll::Ready(Ok(5)));
}
