//! Endpoints in any receiving state: their parameters, conversions, and sizes.

use futures::executor::block_on;
use pipes::{Member, PortSet, Receive, RecvFuture, TryRecvError};
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::cell::Cell;
use std::future::IntoFuture;
use std::rc::Rc;

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

// No parameters but those of the receiving states, with no bounds but those of these states.
assert_impl_all!(trade::ReceivingClient<'static, u8, String, u8, u8>: Send);
assert_impl_all!(trade::ReceivingServer<u8, Silent, Silent>: Send);
assert_impl_all!(
    trade::AnyServer<'static, u8, String, u8, u8>: From<trade::ReceivingServer<u8, u8, u8>>
);

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
    assert_eq!(size_of::<news::ReceivingClient<[u64; 9]>>(), size_of::<news::client::Paper<[u64; 9]>>());
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
