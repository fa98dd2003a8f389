//! Waiting for room before there is a value: the sending arms of `select!`.

use super::error::SendError;
use super::receive::Readiness;

/// A chan that can be in a sending arm of `select!`, or a reference to one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in an arm `result = chan.send(value)`",
    label = "this does not send values"
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

/// A request for room for one value in a stream, for a selection that is built at run time: what
/// [`Chan::request_room`](crate::Chan::request_room),
/// [`SharedChan::request_room`](crate::SharedChan::request_room) and
/// [`BroadcastChan::request_room`](crate::BroadcastChan::request_room) return.
///
/// As a [`Readiness`] it is ready when there is room, or the port has left. Where many senders wait, a
/// request that is waited for has its place among them; once it is found ready, or has been granted room in
/// the meantime, that room is kept for it. Dropping it gives the place up and the room back.
///
/// Where the types of requests differ, box them: as `Box<dyn SendRequest<Payload = T> + Send>`.
pub trait SendRequest: Readiness {
    /// What is sent.
    type Payload;

    /// Sends into the room. After that, it is a request for room for another value.
    ///
    /// Does not block if the request was found ready. Otherwise it waits for room, and blocks the thread.
    ///
    /// # Errors
    ///
    /// The port was dropped, or there was no receiver; the error contains the value.
    #[track_caller]
    fn send(&mut self, payload: Self::Payload) -> Result<(), SendError<Self::Payload>>;
}
