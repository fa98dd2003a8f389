//! Sending ends that wait until the receiver has left: what the table does not show.

use pipes::{ChanOne, ClosedFuture, Closing};
use pipes_tests::bank::{self, Account};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{DropCounter, WakeCounter, poll, poll_closed, poll_future};
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::rc::Rc;
use std::task::Waker;
use std::time::Duration;

assert_impl_all!(ClosedFuture<'static, ChanOne<u64>>: Send, Sync, Unpin);
assert_impl_all!(pingpong::Client<Ping<u64>>: Closing);
assert_impl_all!(pingpong::Server<Pong<u64>>: Closing);
assert_not_impl_any!(pingpong::Client<Pong<u64>>: Closing);
assert_not_impl_any!(pingpong::Server<Ping<u64>>: Closing);
assert_not_impl_any!(ClosedFuture<'static, ChanOne<Rc<u64>>>: Send);

/// A wait at every slot, across the edges of blocks, with a receiver that waits or does not.
#[test]
fn a_wait_at_every_slot() {
    let drops = DropCounter::new();
    let (wakes, waker) = WakeCounter::new();
    for waits in [false, true] {
        let (mut client, mut server) = bank::pipe();
        for round in 0..300 {
            assert!(!poll_closed(&mut client, &waker));
            assert!(!waits || poll(&mut server, Waker::noop()).is_pending());
            client = client.deposit(drops.make(round)).unwrap();
            let Ok(Account::Deposit(payload, next)) = server.recv() else { panic!("it is sent") };
            assert_eq!(payload.number, round);
            server = next;
            // Another session ends here, with a message unread.
            let (mut client, server) = crate::closing::paid_in(&drops, round % 100 + 1);
            assert!(!poll_closed(&mut client, &waker));
            drop(server);
            assert_eq!(client.deposit(drops.make(999)).unwrap_err().into_payload().number, 999);
        }
        client.leave().unwrap();
        assert!(matches!(server.recv(), Ok(Account::Leave)));
    }
    assert_eq!((wakes.count(), wakes.wakers()), (600, 1));
    drops.assert_all_dropped();
}

pipes::proto! {
    /// Messages with the names of verbs.
    alike {
        sending: send { closed(u8) -> sending, wait_closed -> sending, poll_closed -> closed }
        closed: recv { closed -> sending, is_closed -> sending }
    }
}

/// A call by value sends the message; a call by reference, or one that names the trait, is the verb.
#[test]
fn messages_called_like_the_verbs() {
    let (client, server) = alike::pipe();
    let mut client = client.closed(1).unwrap().wait_closed().unwrap();
    assert!(!Closing::wait_closed_timeout(&mut client, Duration::ZERO));
    assert!(poll_future(&mut Closing::closed(&mut client), Waker::noop()).is_pending());
    let client = client.poll_closed().unwrap();
    let Ok(alike::Sending::Closed(1, server)) = server.recv() else { panic!("it was sent") };
    let Ok(alike::Sending::WaitClosed(server)) = server.recv() else { panic!("it was sent") };
    let Ok(alike::Sending::PollClosed(mut server)) = server.recv() else { panic!("it was sent") };
    let borrowed = &mut server;
    assert!(poll_future(&mut borrowed.closed(), Waker::noop()).is_pending());
    let server = server.closed().unwrap();
    let Ok(alike::Closed::Closed(mut client)) = client.recv() else { panic!("it was sent") };
    drop(server);
    Closing::wait_closed(&mut client);
}
