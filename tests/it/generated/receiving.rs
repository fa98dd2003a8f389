//! Endpoints in any receiving state: their parameters, conversions, `Debug` output, and sets of them.

use futures::executor::block_on;
use pipes::{Closed, Member, PortSet, Receive, RecvFuture, TryRecvError};
use pipes_tests::{Tally, watched};
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::cell::Cell;
use std::future::IntoFuture;
use std::rc::Rc;
use std::thread;

pipes::proto! {
    /// The sides receive different parameters, and what bounds them is not the same in each state.
    trade<'a, B: Ord, S> where S: From<&'a str> {
        offer: recv { offer(&'a str, S) -> reply }
        reply: send { reply(B) -> more<B, u8>, no -> ! }
        more: recv<T: Ord, U: Clone> { more(Vec<T>) -> last<T, U>, other(U) -> ! }
        last: send<T, U> { last(T) -> !, other(U) -> ! }
    }

    /// The server never receives.
    news<T> {
        paper: recv { paper(T) -> paper, end -> ! }
    }

    /// A philosopher and a waiter.
    dinner {
        thinking: send { may_i_eat -> hungry, home -> ! }
        hungry: recv { fork(u8) -> eating }
        eating: send { thanks(u8) -> thinking }
    }
}

/// `Send`, not `Sync`.
type Single = Cell<u8>;

/// A type without any trait.
struct Silent;

assert_impl_all!(news::ReceivingClient<Single>: Send, Sync, Member, Receive, IntoFuture);
assert_impl_all!(RecvFuture<news::ReceivingClient<Single>>: Send, Sync);
assert_impl_all!(PortSet<news::ReceivingClient<Single>>: Send);
assert_impl_all!(news::ClientReceived<Single>: Send);
assert_not_impl_any!(news::ReceivingClient<Rc<u8>>: Send, Sync);
assert_not_impl_any!(news::ClientReceived<Rc<u8>>: Send, Sync);
assert_not_impl_any!(news::ReceivingClient<u8>: Clone, Copy);
assert_not_impl_any!(dinner::ReceivingServer: From<dinner::Server<dinner::Hungry>>, From<dinner::AnyServer>);

// No parameters but those of the receiving states, with no bounds but those of these states.
assert_impl_all!(trade::ReceivingClient<'static, u8, String, u8, u8>: Send);
assert_impl_all!(trade::ReceivingServer<u8, Silent, Silent>: Send);
assert_impl_all!(dinner::AnyServer: From<dinner::ReceivingServer>);
assert_impl_all!(
    trade::AnyServer<'static, u8, String, u8, u8>: From<trade::ReceivingServer<u8, u8, u8>>
);

#[test]
fn sizes() {
    assert_eq!(size_of::<dinner::ReceivingServer>(), size_of::<dinner::AnyServer>());
    assert_eq!(size_of::<news::ReceivingClient<[u64; 9]>>(), size_of::<news::client::Paper<[u64; 9]>>());
}

/// A side that never receives has no such type: the names are still those of the items around it.
#[test]
fn a_side_that_never_receives() {
    struct ReceivingServer;
    struct ServerReceived;
    fn these() -> (ReceivingServer, ServerReceived) {
        use news::*;
        let (client, server) = pipe::<u8>();
        drop((ReceivingClient::from(client), AnyServer::from(server)));
        (ReceivingServer, ServerReceived)
    }
    let _ = these();
}

#[test]
fn what_is_printed() {
    let (client, server) = dinner::pipe();
    let server = dinner::ReceivingServer::from(server);
    assert_eq!(format!("{server:?}"), "Server<Thinking>");
    let hungry = client.may_i_eat().expect("the waiter is here");
    let message = server.recv();
    assert_eq!(format!("{message:?}"), "Ok(Thinking(..))");
    let empty = dinner::ReceivingClient::from(hungry).try_recv();
    assert_eq!(format!("{empty:?}"), "Err(Empty(..))");
}

/// The other side's endpoint leaves the receiving states and comes back to them.
#[test]
fn a_session_with_parameters() {
    let text = String::from("tea");
    let (client, server) = trade::pipe::<u8, String>();
    let server = server.offer(&text, String::from("green")).expect("the client is here");
    let client = trade::ReceivingClient::<'_, _, _, u8, u8>::from(client);
    let Ok(trade::ClientReceived::Offer(trade::Offer::Offer("tea", kind, client))) = client.recv() else {
        panic!("it was sent")
    };
    assert_eq!(kind, "green");
    let client = client.reply(3).expect("the server is here");
    let server = trade::ReceivingServer::<u8, u8, u8>::from(server);
    let Ok(trade::ServerReceived::Reply(trade::Reply::Reply(3, server))) = block_on(async { server.await })
    else {
        panic!("it was sent")
    };
    let server = server.more(vec![1, 2]).expect("the client is here");
    let client = trade::ReceivingClient::<'_, u8, String, u8, u8>::from(client);
    let Ok(trade::ClientReceived::More(trade::More::More(numbers, client))) = client.try_recv() else {
        panic!("it was sent")
    };
    let server = trade::ReceivingServer::<u8, _, _>::from(server);
    let Err(TryRecvError::Empty(server)) = server.try_recv() else { panic!("nothing was sent") };
    client.last(numbers[1]).expect("the server is here");
    let any = trade::AnyServer::<'_, u8, String, u8, u8>::from(server);
    assert!(matches!(any.recv(), Ok(trade::ServerMessage::Last(trade::Last::Last(2)))));
}

/// All members are in states in which the server receives, so there is no other case to handle.
#[test]
fn a_set_of_receiving_servers() {
    watched(|| {
        let mut set = PortSet::new();
        let mut guests = Vec::new();
        for seat in 0..4 {
            let (mut client, server) = dinner::pipe();
            assert!(set.insert_at(seat, dinner::ReceivingServer::from(server)).is_none());
            guests.push(thread::spawn(move || {
                for _ in 0..100 {
                    let hungry = client.may_i_eat().expect("the waiter is there");
                    let Ok(dinner::Hungry::Fork(fork, eating)) = hungry.recv() else {
                        panic!("the waiter has forks")
                    };
                    client = eating.thanks(fork + 1).expect("the waiter is there");
                }
                // Some leave without a word.
                if seat % 2 == 0 {
                    client.home().expect("the waiter is there");
                }
            }));
        }
        let (mut meals, mut goodbyes, mut closes) = ([0; 4], 0, 0);
        while let Ok((seat, message)) = set.recv() {
            let next: dinner::ReceivingServer = match message {
                Ok(dinner::ServerReceived::Thinking(dinner::Thinking::MayIEat(guest))) => {
                    guest.fork(6).expect("the guest waits").into()
                }
                Ok(dinner::ServerReceived::Thinking(dinner::Thinking::Home)) => {
                    goodbyes += 1;
                    continue;
                }
                Ok(dinner::ServerReceived::Eating(dinner::Eating::Thanks(fork, guest))) => {
                    assert_eq!(fork, 7);
                    meals[seat] += 1;
                    guest.into()
                }
                Err(Closed) => {
                    closes += 1;
                    continue;
                }
            };
            assert!(set.insert_at(seat, next).is_none());
        }
        assert_eq!((meals, goodbyes, closes), ([100; 4], 2, 2));
        for guest in guests {
            guest.join().expect("no guest panics");
        }
    });
}

/// A member that is removed, and a set that is dropped, close what they hold and drop what is unread.
#[test]
fn members_that_leave() {
    let tally = Tally::new();
    let mut set = PortSet::new();
    let ((one, first), (two, second)) = (news::pipe(), news::pipe());
    let at_first = set.insert(news::ReceivingClient::from(one));
    set.insert(news::ReceivingClient::from(two));
    assert!(!set.is_ready());
    let first = first.paper(tally.make(1)).expect("the reader is here");
    let _second = second.paper(tally.make(2)).expect("the reader is here");
    let reader = set.remove(&at_first).expect("it is a member");
    assert!(reader.is_ready());
    let Ok(news::ClientReceived::Paper(news::Paper::Paper(paper, _reader))) = reader.recv() else {
        panic!("it was sent")
    };
    assert_eq!(paper.number, 1);
    drop((paper, set));
    assert_eq!(tally.gone(), 2);
    first.end().expect("the reader has not left");
    tally.assert_all_gone();
}
