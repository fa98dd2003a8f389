//! Waiting for room before there is a value: the sending arms of `select!`.

use super::error::SendError;
use super::receive::Readiness;

/// A chan that can be in a sending arm of `select!`, or a reference to one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in an arm `result = chan.send(value)`",
    label = "this is no `Chan`, `SharedChan` or `DuplexStream`"
)]
pub trait SendArm {
    /// What waits for room.
    type Request<'a>: SendRequest
    where
        Self: 'a;

    /// Begins to wait for room for one value.
    fn request_room(&mut self) -> Self::Request<'_>;
}

impl<C: SendArm> SendArm for &mut C {
    type Request<'a>
        = C::Request<'a>
    where
        Self: 'a;

    #[track_caller]
    fn request_room(&mut self) -> C::Request<'_> {
        (**self).request_room()
    }
}

/// A request for room for one value. As a [`Readiness`] it is ready when there is room, or the port has left.
/// A request that has been found ready, by a look or by a poll, keeps that room; dropping it gives the room
/// back.
#[doc(hidden)]
pub trait SendRequest: Readiness {
    /// What is sent.
    type Payload;

    /// Sends into the room, without waiting. The request must have been found ready before.
    fn send(self, payload: Self::Payload) -> Result<(), SendError<Self::Payload>>;
}
