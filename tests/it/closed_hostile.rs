//! Ends that wait for a close with wakers that panic, or that call into the library.

use crate::closed::is_closed;
use pipes::Closing;
use pipes_tests::bank::{self, Account};
use pipes_tests::{Bell, Counted, Tally, caught, poll_future};
use std::sync::{Arc, Mutex};
use std::task::Context;

/// Panics without a message on standard error.
fn panic() {
    std::panic::resume_unwind(Box::new("on purpose"));
}

#[test]
fn a_waker_that_panics_when_it_is_woken() {
    let (bell, waker) = Bell::that(panic);
    let (mut client, server) = bank::pipe::<u64>();
    assert!(!is_closed(&mut client, &waker));
    assert!(caught(|| drop(server)).is_some(), "the waker's panic is not swallowed");
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
    client.wait_closed();
    assert_eq!(client.deposit(7).unwrap_err().into_payload(), 7);
}

/// The end that was to send is used up by the step; it closes, and the payload is dropped.
#[test]
fn a_waker_that_panics_when_it_is_dropped() {
    let tally = Tally::new();
    let (mut client, server) = bank::pipe();
    assert!(!is_closed(&mut client, &Bell::at_last(panic)));
    assert!(caught(|| client.deposit(tally.make(7))).is_some());
    assert!(server.recv().is_err());

    let (mut chan, port) = pipes::oneshot();
    assert!(!is_closed(&mut chan, &Bell::at_last(panic)));
    assert!(caught(|| chan.send(tally.make(8))).is_some());
    assert!(port.recv().is_err());

    let (mut chan, port) = pipes::oneshot::<Counted>();
    assert!(!is_closed(&mut chan, &Bell::at_last(panic)));
    assert!(caught(|| drop(chan)).is_some());
    assert!(port.recv().is_err());
    tally.assert_all_gone();
}

/// The waker of the watch is woken last: it may drop the end that watches, which is then the second to leave.
#[test]
fn a_waker_that_drops_its_own_end() {
    let tally = Tally::new();
    let kept = Arc::new(Mutex::new(None));
    let (bell, waker) = Bell::that({
        let kept = kept.clone();
        move || drop(kept.lock().unwrap().take())
    });
    let (client, server) = bank::pipe();
    let mut client = client.deposit(tally.make(1)).unwrap();
    assert!(!is_closed(&mut client, &waker));
    *kept.lock().unwrap() = Some(client);
    drop(server);
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
    assert!(kept.lock().unwrap().is_none());
    tally.assert_all_gone();
}

/// A send unregisters the watch before it sends anything. The waker that it drops then is the last owner of
/// the port, so the send finds the pipe closed.
#[test]
fn a_waker_that_drops_the_other_end() {
    let tally = Tally::new();
    let (mut chan, port) = pipes::oneshot();
    assert!(!is_closed(&mut chan, &Bell::at_last(move || drop(port))));
    assert_eq!(chan.send(tally.make(1)).unwrap_err().into_payload().number, 1);

    let (mut client, server) = bank::pipe();
    assert!(!is_closed(&mut client, &Bell::at_last(move || drop(server))));
    assert_eq!(client.deposit(tally.make(2)).unwrap_err().into_payload().number, 2);

    let (mut chan, port) = pipes::stream();
    assert!(!is_closed(&mut chan, &Bell::at_last(move || drop(port))));
    assert_eq!(chan.send(tally.make(3)).unwrap_err().into_payload().number, 3);
    tally.assert_all_gone();
}

/// A waker that receives on the other end while it is being dropped: the message is not there yet, but it
/// comes later.
#[test]
fn a_waker_that_receives_on_the_other_end() {
    let (client, server) = bank::pipe();
    let (mut client, kept) = (client, Arc::new(Mutex::new(None)));
    let keep = kept.clone();
    let waker = Bell::at_last(move || {
        let Err(pipes::TryRecvError::Empty(server)) = server.try_recv() else {
            panic!("nothing was sent yet")
        };
        *keep.lock().unwrap() = Some(server);
    });
    assert!(!is_closed(&mut client, &waker));
    drop(waker);
    let _client = client.deposit(7).unwrap();
    let server = kept.lock().unwrap().take().expect("the waker is gone");
    assert!(matches!(server.recv(), Ok(Account::Deposit(7, _))));
}

/// The old waker is dropped before the message is sent: neither is lost.
#[test]
fn a_waker_whose_destructor_panics_in_a_send_without_room() {
    for capacity in [0, 1] {
        let (tally, (mut chan, port)) = (Tally::new(), pipes::sync_stream(capacity));
        let waker = Bell::at_last(panic);
        assert!(chan.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        drop(waker);
        // At capacity 0 nothing can be sent, so the waker stays registered until the chan leaves.
        let panic = caught(|| {
            drop(chan.try_send(tally.make(1)));
            drop(chan);
        });
        assert!(panic.is_some());
        drop(port);
        tally.assert_all_gone();
    }
}

#[test]
fn a_waker_whose_destructor_panics_in_a_withdrawal() {
    let (tally, (mut chan, port)) = (Tally::new(), pipes::sync_stream(0));
    let mut sending = chan.send_async(tally.make(1));
    let waker = Bell::at_last(panic);
    assert!(poll_future(&mut sending, &waker).is_pending());
    drop(waker);
    assert!(caught(|| drop(sending.into_inner())).is_some());
    drop((chan, port));
    tally.assert_all_gone();
}
