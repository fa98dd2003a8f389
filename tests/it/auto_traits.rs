//! Which ends of pipes may go to other threads: exactly those whose payloads may.

use pipes::{
    Chan, ChanOne, DuplexStream, Eventual, IntoIter, Permit, Port, PortOne, PortSet, Ready, RecvFromSet,
    RecvFuture, RecvShared, ReserveFuture, SendError, SendFuture, SharedChan, SharedPort, SharedSendFuture,
    TryRecvError, WaitClosed,
};
use pipes_tests::bank::{self, Account, Answer};
use pipes_tests::courier::{self, Offer};
use pipes_tests::pingpong::{self, Ping, Pong};
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::cell::Cell;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;
use std::sync::MutexGuard;

/// `Send`, not `Sync`.
type Single = Cell<u64>;
/// `Sync`, not `Send`.
type Guard = MutexGuard<'static, u64>;
/// Neither.
type Local = Rc<u64>;

macro_rules! ends_of {
    ($check:ident, $payload:ty, $($traits:path),+) => {
        $check!(pingpong::Client<Ping<$payload>>: $($traits),+);
        $check!(pingpong::Client<Pong<$payload>>: $($traits),+);
        $check!(pingpong::Server<Ping<$payload>>: $($traits),+);
        $check!(pingpong::Server<Pong<$payload>>: $($traits),+);
        $check!(bank::Client<Account<$payload>>: $($traits),+);
        $check!(bank::Server<Answer<$payload>>: $($traits),+);
        $check!(ChanOne<$payload>: $($traits),+);
        $check!(PortOne<$payload>: $($traits),+);
        $check!(Chan<$payload>: $($traits),+);
        $check!(Port<$payload>: $($traits),+);
        $check!(RecvFuture<pingpong::Server<Ping<$payload>>>: $($traits),+);
        $check!(RecvFuture<PortOne<$payload>>: $($traits),+);
        $check!(RecvFuture<&'static mut Port<$payload>>: $($traits),+);
        $check!(Ready<'static, Port<$payload>>: $($traits),+);
        $check!(TryRecvError<PortOne<$payload>>: $($traits),+);
        $check!(Ping<$payload>: $($traits),+);
    };
}

ends_of!(assert_impl_all, u64, Send, Sync, Unpin);
ends_of!(assert_impl_all, String, Send, Sync, Unpin);
ends_of!(assert_not_impl_any, Local, Send, Sync);
ends_of!(assert_not_impl_any, Guard, Send);
ends_of!(assert_not_impl_any, u64, Clone, Copy);

/// Like [`ends_of`], but for types that hold a payload themselves, for which `Sync` means something else.
macro_rules! empty_ends_of {
    ($check:ident, $payload:ty, $($traits:path),+) => {
        $check!(pingpong::Client<Ping<$payload>>: $($traits),+);
        $check!(pingpong::Server<Ping<$payload>>: $($traits),+);
        $check!(bank::Client<Answer<$payload>>: $($traits),+);
        $check!(bank::Server<Account<$payload>>: $($traits),+);
        $check!(ChanOne<$payload>: $($traits),+);
        $check!(PortOne<$payload>: $($traits),+);
        $check!(Chan<$payload>: $($traits),+);
        $check!(Port<$payload>: $($traits),+);
        $check!(RecvFuture<PortOne<$payload>>: $($traits),+);
    };
}

empty_ends_of!(assert_impl_all, Single, Send, Sync);
empty_ends_of!(assert_not_impl_any, Guard, Send, Sync);
empty_ends_of!(assert_impl_all, Local, Unpin, UnwindSafe, RefUnwindSafe);
empty_ends_of!(assert_impl_all, &'static mut u64, Send, Sync, UnwindSafe);

assert_impl_all!(Ping<Single>: Send);
assert_not_impl_any!(Ping<Single>: Sync);
assert_impl_all!(SendError<Single>: Send);
assert_not_impl_any!(SendError<Single>: Sync);

// An endpoint as a payload may go wherever its own payloads may.
assert_impl_all!(courier::Client<Offer<pingpong::Server<Ping<u64>>>>: Send, Sync);
assert_not_impl_any!(courier::Client<Offer<pingpong::Server<Ping<Local>>>>: Send, Sync);
assert_impl_all!(Chan<PortOne<Single>>: Send, Sync);
assert_not_impl_any!(Chan<ChanOne<Local>>: Send, Sync);

/// Payloads that are not `Send` travel within their thread.
#[test]
fn local_payloads_on_one_thread() {
    let shared = Rc::new(5);
    let (client, server) = pingpong::pipe();
    let client = client.ping(shared.clone()).unwrap();
    let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("it was sent") };
    assert!(Rc::ptr_eq(&payload, &shared));
    server.bye(payload).unwrap();
    assert!(matches!(client.recv(), Ok(Pong::Bye(_))));
    assert_eq!(Rc::strong_count(&shared), 1);
}

/// The same rule holds for ends that are shared, collected, joined or borrowed; only ends that are made for
/// it can be cloned.
#[test]
fn ends_of_every_kind() {
    macro_rules! ends {
        ($check:ident, $payload:ty, $($traits:path),+) => {
            $check!(SharedChan<$payload>: $($traits),+);
            $check!(Permit<'static, $payload>: $($traits),+);
            $check!(ReserveFuture<'static, $payload>: $($traits),+);
            $check!(SharedSendFuture<'static, $payload>: $($traits),+);
            $check!(SharedPort<$payload>: $($traits),+);
            $check!(RecvShared<'static, $payload>: $($traits),+);
            $check!(PortSet<Port<$payload>>: $($traits),+);
            $check!(PortSet<pingpong::Server<Ping<$payload>>>: $($traits),+);
            $check!(RecvFromSet<'static, Port<$payload>, usize>: $($traits),+);
            $check!(DuplexStream<$payload, u64>: $($traits),+);
            $check!(DuplexStream<u64, $payload>: $($traits),+);
            $check!(SendFuture<'static, $payload>: $($traits),+);
            $check!(WaitClosed<'static, Chan<$payload>>: $($traits),+);
            $check!(IntoIter<$payload>: $($traits),+);
        };
    }
    ends!(assert_impl_all, u64, Send, Sync);
    ends!(assert_impl_all, Single, Send);
    ends!(assert_not_impl_any, Local, Send, Sync);
    ends!(assert_not_impl_any, Guard, Send, Sync);
    assert_not_impl_any!(Eventual<Local>: Send);
    assert_not_impl_any!(PortSet<Port<u64>>: Clone);
    assert_not_impl_any!(DuplexStream<u64, u64>: Clone);
    assert_not_impl_any!(IntoIter<u64>: Clone);

    let shared = Rc::new(5);
    let (chan, port) = pipes::shared_stream();
    chan.send(shared.clone()).unwrap();
    assert!(Rc::ptr_eq(&PortSet::from_iter([port]).recv().unwrap().1.unwrap(), &shared));
    assert_eq!(Rc::strong_count(&shared), 1);
}

/// Payloads that borrow travel between scoped threads.
#[test]
fn borrowed_payloads_between_scoped_threads() {
    let text = String::from("borrowed");
    let (client, server) = pingpong::pipe::<&str>();
    let length = std::thread::scope(|scope| {
        let answering = scope.spawn(|| {
            let Ok(Ping::Ping(text, server)) = server.recv() else { panic!("it was sent") };
            server.bye(&text[..3]).unwrap();
        });
        let client = client.ping(text.as_str()).unwrap();
        let Ok(Pong::Bye(part)) = client.recv() else { panic!("it was answered") };
        answering.join().unwrap();
        part.len()
    });
    assert_eq!(length, 3);
}

/// Two threads may look at one end through shared references.
#[test]
fn shared_looks() {
    let (chan, port) = pipes::oneshot();
    std::thread::scope(|scope| {
        let looks: Vec<_> = (0..4).map(|_| scope.spawn(|| port.is_ready() || port.is_closed())).collect();
        assert!(!chan.is_closed());
        looks.into_iter().for_each(|look| assert!(!look.join().unwrap()));
    });
    chan.send(Cell::new(1)).unwrap();
    assert_eq!(port.recv().unwrap().get(), 1);
}
