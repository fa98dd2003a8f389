//! Which threads a generated type may go to, how large it is, and what it is for code that knows no protocol.

use pipes::{Protocol, Receive, RecvFuture};
use pipes_tests::watched;
use static_assertions::{assert_impl_all, assert_not_impl_any, assert_type_eq_all};
use std::cell::Cell;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;
use std::sync::MutexGuard;
use std::thread;

pipes::proto! {
    /// All states with the same parameters.
    even<T> {
        ask: send { ask(T) -> answer }
        answer: recv { answer(u8) -> ask, end -> ! }
    }

    /// The last states know nothing of the first one's parameters.
    fading<'a, T: ?Sized, U> {
        first: send { first(&'a T) -> second }
        second: recv { second(U) -> third }
        third: send { third(u8) -> third, end -> ! }
    }

    /// What is in its way is of its own.
    local {
        start: send { share(Rc<u8>) -> rest }
        rest: send { rest -> ! }
    }

    /// It carries itself.
    knot<T> {
        knot: send { knot(knot::server::Knot<T>) -> knot, value(T) -> ! }
    }
}

/// Send, not Sync.
type Single = Cell<u8>;
/// Sync, not Send.
type Guard = MutexGuard<'static, u8>;

// An endpoint may go to another thread, and be looked at from there, exactly if all payloads that may still come can go there.
assert_impl_all!(even::client::Ask<Single>: Send, Sync, Unpin, UnwindSafe, RefUnwindSafe);
assert_impl_all!(even::server::Answer<Single>: Send, Sync);
assert_impl_all!(even::AnyClient<Single>: Send, Sync);
assert_impl_all!(even::AnyServer<Single>: Send, Sync);
assert_impl_all!(RecvFuture<even::AnyServer<Single>>: Send, Sync);
assert_not_impl_any!(even::client::Ask<Guard>: Send, Sync);
assert_not_impl_any!(even::server::Answer<Rc<u8>>: Send, Sync);
assert_not_impl_any!(even::AnyServer<Rc<u8>>: Send, Sync);
assert_not_impl_any!(even::ServerMessage<Rc<u8>>: Send, Sync);

// A message is a value that holds its payload.
assert_impl_all!(even::Ask<Single>: Send);
assert_not_impl_any!(even::Ask<Single>: Sync);
assert_not_impl_any!(even::Ask<Guard>: Send);

// Payloads that are behind an endpoint no longer count.
assert_impl_all!(fading::client::First<'static, u8, Single>: Send, Sync);
assert_not_impl_any!(fading::client::First<'static, Single, u8>: Send, Sync);
assert_not_impl_any!(fading::client::First<'static, u8, Guard>: Send, Sync);
assert_not_impl_any!(fading::server::Second<Guard>: Send, Sync);
assert_impl_all!(fading::server::Second<Single>: Send, Sync);
assert_impl_all!(fading::client::Third: Send, Sync);
assert_not_impl_any!(fading::AnyClient<'static, Single, u8>: Send, Sync);
assert_impl_all!(knot::client::Knot<Single>: Send, Sync);
assert_not_impl_any!(knot::client::Knot<Guard>: Send, Sync);

// Nothing that has one use may be copied.
assert_not_impl_any!(even::client::Ask<u8>: Clone, Copy);
assert_not_impl_any!(even::Ask<u8>: Clone, Copy);
assert_not_impl_any!(even::AnyClient<u8>: Clone, Copy);

// The marker names the endpoints that a pipe begins with, and is no value: it goes everywhere.
assert_type_eq_all!(<even::Protocol<u8> as Protocol>::Client, even::client::Ask<u8>);
assert_type_eq_all!(<even::Protocol<u8> as Protocol>::Server, even::server::Ask<u8>);
assert_type_eq_all!(
    <fading::Protocol<'static, u8, u8> as Protocol>::Server,
    fading::server::First<'static, u8, u8>
);
assert_impl_all!(even::Protocol<Rc<u8>>: Send, Sync, std::fmt::Debug);

#[test]
fn sizes() {
    const TWO: usize = 2 * size_of::<usize>();
    assert!(size_of::<even::client::Ask<[u64; 100]>>() <= TWO);
    assert!(size_of::<even::server::Answer<[u64; 100]>>() <= TWO);
    assert!(size_of::<fading::server::Third>() <= TWO);
    assert!(size_of::<knot::client::Knot<String>>() <= TWO);
    assert!(size_of::<Option<fading::client::First<'static, u8, u8>>>() <= TWO);
    // And the state.
    assert!(size_of::<even::AnyClient<[u64; 100]>>() <= TWO + size_of::<usize>());
}

/// Sends whatever a protocol's server receives first through a pipe of its own.
fn first_message<P>(send: impl FnOnce(P::Client) + Send + 'static) -> Option<<P::Server as Receive>::Message>
where
    P: Protocol<Client: Send + 'static, Server: Receive> + 'static,
{
    let (client, server) = P::pipe();
    let sending = thread::spawn(move || send(client));
    let message = server.recv().ok();
    sending.join().expect("sending does not panic");
    message
}

#[test]
fn code_that_knows_no_protocol() {
    watched(|| {
        let asked = first_message::<even::Protocol<u8>>(|client| drop(client.ask(7)));
        assert!(matches!(asked, Some(even::Ask::Ask(7, _))));
        let first =
            first_message::<fading::Protocol<'static, str, u8>>(|client| drop(client.first("borrowed")));
        assert!(matches!(first, Some(fading::First::First("borrowed", _))));
        let tied = first_message::<knot::Protocol<u8>>(|client| client.value(8).expect("the server waits"));
        assert!(matches!(tied, Some(knot::Knot::Value(8))));
        assert!(first_message::<knot::Protocol<u8>>(drop).is_none());
    });
}

/// What cannot leave its thread travels within it, and what comes after it may leave.
#[test]
fn a_local_payload_and_what_comes_after_it() {
    watched(|| {
        let shared = Rc::new(5);
        let (client, server) = local::pipe();
        let client = client.share(shared.clone()).expect("the server is here");
        let Ok(local::Start::Share(received, server)) = server.recv() else { panic!("it was sent") };
        assert!(Rc::ptr_eq(&shared, &received));
        client.rest().expect("the server is here");
        assert!(matches!(server.recv(), Ok(local::Rest::Rest)));
    });
}
