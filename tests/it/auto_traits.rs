//! Which ends of pipes may go to other threads: exactly those whose payloads may.

use pipes::{
    BroadcastChan, BroadcastPort, BroadcastSendFuture, Chan, ChanOne, ChanRequest, ClosedFuture,
    DuplexStream, Eventual, IntoIter, LaggingChan, LaggingPort, OwnedPermit, Permit, Port, PortOne, PortSet,
    ReadyFuture, RecvFuture, ReserveFuture, Select, SendError, SendFuture, SetRecvFuture, SharedChan,
    SharedIntoIter, SharedIter, SharedPort, SharedRecvFuture, SharedRecvManyFuture, SharedRequest,
    SharedSendAllFuture, SharedSendFuture, TryRecvError, WatchChan, WatchPort, WatchRef,
};
use pipes_tests::bank::{self, Account, Answer};
use pipes_tests::courier::{self, Offer};
use pipes_tests::pingpong::{self, Ping};
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

/// Ends that hold no payload themselves.
macro_rules! ends {
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

/// Ends that may hold one, and what else there is.
macro_rules! others {
    ($check:ident, $payload:ty, $($traits:path),+) => {
        $check!(Ping<$payload>: $($traits),+);
        $check!(SendError<$payload>: $($traits),+);
        $check!(TryRecvError<PortOne<$payload>>: $($traits),+);
        $check!(RecvFuture<&'static mut Port<$payload>>: $($traits),+);
        $check!(ReadyFuture<'static, Port<$payload>>: $($traits),+);
        $check!(SharedChan<$payload>: $($traits),+);
        $check!(Permit<'static, $payload>: $($traits),+);
        $check!(ReserveFuture<'static, $payload>: $($traits),+);
        $check!(SharedSendFuture<'static, $payload>: $($traits),+);
        $check!(SharedPort<$payload>: $($traits),+);
        $check!(ChanRequest<'static, $payload>: $($traits),+);
        $check!(SharedRecvFuture<'static, $payload>: $($traits),+);
        $check!(SharedRecvManyFuture<'static, $payload>: $($traits),+);
        $check!(SharedIter<'static, $payload>: $($traits),+);
        $check!(SharedIntoIter<$payload>: $($traits),+);
        $check!(OwnedPermit<$payload>: $($traits),+);
        $check!(SharedSendAllFuture<'static, $payload>: $($traits),+);
        $check!(PortSet<Port<$payload>>: $($traits),+);
        $check!(PortSet<pingpong::Server<Ping<$payload>>>: $($traits),+);
        $check!(SetRecvFuture<'static, Port<$payload>, usize>: $($traits),+);
        $check!(DuplexStream<$payload, u64>: $($traits),+);
        $check!(DuplexStream<u64, $payload>: $($traits),+);
        $check!(SendFuture<'static, $payload>: $($traits),+);
        $check!(ClosedFuture<'static, Chan<$payload>>: $($traits),+);
        $check!(IntoIter<$payload>: $($traits),+);
    };
}

/// Ends whose receivers look at the same value.
macro_rules! of_all {
    ($check:ident, $payload:ty, $($traits:path),+) => {
        $check!(BroadcastChan<$payload>: $($traits),+);
        $check!(BroadcastPort<$payload>: $($traits),+);
        $check!(BroadcastSendFuture<'static, $payload>: $($traits),+);
        $check!(LaggingChan<$payload>: $($traits),+);
        $check!(LaggingPort<$payload>: $($traits),+);
        $check!(WatchChan<$payload>: $($traits),+);
        $check!(WatchPort<$payload>: $($traits),+);
    };
}

#[test]
fn ends_of_every_kind() {
    of_all!(assert_impl_all, u64, Send, Sync, Unpin);
    of_all!(assert_not_impl_any, Single, Send, Sync);
    of_all!(assert_not_impl_any, Guard, Send, Sync);
    of_all!(assert_not_impl_any, Local, Send, Sync);
    assert_not_impl_any!(WatchRef<'static, u64>: Send);
    ends!(assert_impl_all, u64, Send, Sync, Unpin);
    ends!(assert_impl_all, Single, Send, Sync);
    ends!(assert_impl_all, &'static mut u64, Send, Sync, UnwindSafe);
    ends!(assert_impl_all, Local, Unpin, UnwindSafe, RefUnwindSafe);
    ends!(assert_not_impl_any, Local, Send, Sync);
    ends!(assert_not_impl_any, Guard, Send, Sync);
    ends!(assert_not_impl_any, u64, Clone, Copy);
    others!(assert_impl_all, u64, Send, Sync);
    others!(assert_impl_all, Single, Send);
    others!(assert_not_impl_any, Local, Send, Sync);
    others!(assert_not_impl_any, Guard, Send);
    assert_impl_all!(Select<'static>: Send);
    assert_impl_all!(SharedRequest<'static, Single>: Send);
    assert_not_impl_any!(SharedRequest<'static, Local>: Send);
    assert_not_impl_any!(Ping<Single>: Sync);
    assert_not_impl_any!(SendError<Single>: Sync);
    assert_not_impl_any!(Eventual<Local>: Send);
    assert_not_impl_any!(PortSet<Port<u64>>: Clone);
    assert_not_impl_any!(DuplexStream<u64, u64>: Clone);
    assert_not_impl_any!(IntoIter<u64>: Clone);
}

// An endpoint as a payload may go wherever its own payloads may.
assert_impl_all!(courier::Client<Offer<pingpong::Server<Ping<u64>>>>: Send, Sync);
assert_not_impl_any!(courier::Client<Offer<pingpong::Server<Ping<Local>>>>: Send, Sync);
assert_impl_all!(Chan<PortOne<Single>>: Send, Sync);
assert_not_impl_any!(Chan<ChanOne<Local>>: Send, Sync);

/// Payloads that are not `Send` travel within their thread.
#[test]
fn local_payloads_on_one_thread() {
    let payload = Rc::new(5);
    let (chan, port) = pipes::shared_stream();
    chan.send(payload.clone()).unwrap();
    assert!(Rc::ptr_eq(&PortSet::from_iter([port]).recv().unwrap().1.unwrap(), &payload));
    assert_eq!(Rc::strong_count(&payload), 1);
}

/// Several threads may look at one end through shared references.
#[test]
fn shared_looks() {
    let (chan, port) = pipes::oneshot();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(!port.is_ready() && !port.is_closed() && !chan.is_closed()));
        }
    });
    chan.send(Cell::new(1)).unwrap();
    assert_eq!(port.recv().unwrap().get(), 1);
}
