//! Auto traits and sizes of the generated types.

use pipes::{Protocol, RecvFuture};
use static_assertions::{assert_impl_all, assert_not_impl_any, assert_type_eq_all};
use std::cell::Cell;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;
use std::sync::MutexGuard;

pipes::proto! {
    /// All states have the same parameters.
    even<T> {
        ask: send { ask(T) -> answer }
        answer: recv { answer(u8) -> ask, end -> ! }
    }

    /// The last states do not have the first state's parameters.
    fading<'a, T: ?Sized, U> {
        first: send { first(&'a T) -> second }
        second: recv { second(U) -> third }
        third: send { third(u8) -> third, end -> ! }
    }

    /// A payload of its own that is not `Send` keeps it in its thread, in every state.
    local {
        start: send { share(Rc<u8>) -> rest }
        rest: send { rest -> ! }
    }

    /// It carries its own endpoints.
    knot<T> {
        knot: send { knot(knot::server::Knot<T>) -> knot, value(T) -> ! }
    }
}

/// `Send`, not `Sync`.
type Single = Cell<u8>;
/// `Sync`, not `Send`.
type Guard = MutexGuard<'static, u8>;

// An endpoint is `Send` and `Sync` exactly if all payloads that may still come can go to another thread.
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

// Payloads of earlier states no longer count.
assert_impl_all!(fading::client::First<'static, u8, Single>: Send, Sync);
assert_not_impl_any!(fading::client::First<'static, Single, u8>: Send, Sync);
assert_not_impl_any!(fading::client::First<'static, u8, Guard>: Send, Sync);
assert_not_impl_any!(fading::server::Second<Guard>: Send, Sync);
assert_impl_all!(fading::server::Second<Single>: Send, Sync);
assert_impl_all!(fading::client::Third: Send, Sync);
assert_not_impl_any!(local::client::Start: Send, Sync);
assert_not_impl_any!(local::client::Rest: Send, Sync);
assert_not_impl_any!(fading::AnyClient<'static, Single, u8>: Send, Sync);
assert_impl_all!(knot::client::Knot<Single>: Send, Sync);
assert_not_impl_any!(knot::client::Knot<Guard>: Send, Sync);

// Values with a single use must not be copied.
assert_not_impl_any!(even::client::Ask<u8>: Clone, Copy);
assert_not_impl_any!(even::Ask<u8>: Clone, Copy);
assert_not_impl_any!(even::AnyClient<u8>: Clone, Copy);

// The marker type names the endpoints that a pipe begins with. It holds no value, so it is `Send` and `Sync`
// for all payloads.
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
    // An `Any` endpoint also stores its state.
    assert!(size_of::<even::AnyClient<[u64; 100]>>() <= TWO + size_of::<usize>());
}
