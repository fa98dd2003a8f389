//! The two sides of a pipe, as types.

use super::half::Side;

/// One of the two sides of a pipe.
pub trait Role: sealed::Role {
    /// The other side.
    type Dual: Role<Dual = Self>;
}

mod sealed {
    pub trait Role {
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "sealed: only the slot reads it")]
        const SIDE: crate::slot::pipe::half::Side;
    }
}

/// The side from whose view a protocol is written.
#[derive(Debug)]
pub enum AsClient {}

/// The other side.
#[derive(Debug)]
pub enum AsServer {}

impl Role for AsClient {
    type Dual = AsServer;
}

impl Role for AsServer {
    type Dual = AsClient;
}

#[expect(private_interfaces, reason = "sealed: only the slot reads it")]
impl sealed::Role for AsClient {
    const SIDE: Side = Side::Client;
}

#[expect(private_interfaces, reason = "sealed: only the slot reads it")]
impl sealed::Role for AsServer {
    const SIDE: Side = Side::Server;
}

/// Returns the side as a value.
pub(super) const fn side<R: Role>() -> Side {
    <R as sealed::Role>::SIDE
}

/// Returns `true` if this is the client's side.
pub(crate) const fn is_client<R: Role>() -> bool {
    matches!(side::<R>(), Side::Client)
}

/// Returns `true` if these are the same side.
pub(super) const fn same<A: Role, B: Role>() -> bool {
    side::<A>() as u8 == side::<B>() as u8
}
