//! Chans in the sending arms of `select!`.

use super::chan::{Chan, Way};
use super::permits::{Held, Request};
use super::reserve::Permit;
use super::shared::SharedChan;
use crate::endpoint::{Readiness, SendArm, SendError, SendRequest};
use crate::sync::wait_until;
use std::mem::replace;
use std::task::{Context, Poll, ready};
use std::time::Instant;

/// A chan that waits for room. It is the only sender, so room that it has seen stays, and need not be
/// reserved.
#[expect(missing_debug_implementations, reason = "only generated code has it")]
pub struct ChanRequest<'a, T>(&'a mut Chan<T>);

impl<T> SendArm for Chan<T> {
    type Request<'a>
        = ChanRequest<'a, T>
    where
        T: 'a;

    #[track_caller]
    fn request_room(&mut self) -> ChanRequest<'_, T> {
        assert!(
            !self.is_rendezvous(),
            "`select!` or `select_async!`: the stream of a sending arm has capacity 0, and so never has room"
        );
        ChanRequest(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T> Readiness for ChanRequest<'_, T> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match &mut self.0.0 {
            Way::Endless(_) => Poll::Ready(()),
            Way::Bounded(sender) => sender.poll(cx),
        }
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        match &mut self.0.0 {
            Way::Endless(_) => true,
            Way::Bounded(sender) => sender.block(deadline),
        }
    }

    fn is_ready(&self) -> bool {
        match &self.0.0 {
            Way::Endless(_) => true,
            Way::Bounded(sender) => sender.has_room(),
        }
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    fn is_certain(&mut self) -> bool {
        self.is_ready()
    }
}

impl<T> SendRequest for ChanRequest<'_, T> {
    type Payload = T;

    fn send(self, payload: T) -> Result<(), SendError<T>> {
        self.0.send(payload)
    }
}

/// One of several senders that waits for room. Another one could take room that was only seen, so it takes a
/// permit, or a place in the line; what it has is its own, whatever the chan has reserved as a sink.
#[expect(missing_debug_implementations, reason = "only generated code has it")]
pub struct SharedRequest<'a, T> {
    chan: &'a SharedChan<T>,
    /// None in an unbounded stream.
    request: Option<Request<'a>>,
    /// The permit, if there is one; none in an unbounded stream.
    held: Option<Held<'a>>,
    /// It has looked for a permit under the lock of the line.
    has_looked: bool,
}

impl<T> SendArm for SharedChan<T> {
    type Request<'a>
        = SharedRequest<'a, T>
    where
        T: 'a;

    fn request_room(&mut self) -> SharedRequest<'_, T> {
        SharedRequest { request: self.request(), held: None, has_looked: false, chan: self }
    }
}

impl<'c, T> SendArm for &'c SharedChan<T> {
    type Request<'a>
        = SharedRequest<'c, T>
    where
        Self: 'a;

    fn request_room(&mut self) -> SharedRequest<'c, T> {
        SharedRequest { request: self.request(), held: None, has_looked: false, chan: self }
    }
}

#[diagnostic::do_not_recommend]
impl<T> Readiness for SharedRequest<'_, T> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.held.is_none()
            && let Some(request) = &mut self.request
        {
            self.held = Some(ready!(request.poll(cx)));
        }
        Poll::Ready(())
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        wait_until(|| deadline, |cx| self.poll_ready(cx)).is_some()
    }

    fn is_ready(&self) -> bool {
        self.held.is_some() || self.request.as_ref().is_none_or(Request::seems_granted) || self.is_closed()
    }

    fn is_closed(&self) -> bool {
        self.chan.is_closed()
    }

    fn is_certain(&mut self) -> bool {
        let Some(request) = &mut self.request else { return true };
        // A thread that lingers looks again and again. Only the first of these looks may need the lock.
        if self.held.is_none() && (!replace(&mut self.has_looked, true) || request.seems_granted()) {
            self.held = request.try_take();
        }
        self.held.is_some() || self.chan.is_closed()
    }

    fn losses(&mut self) -> Option<usize> {
        self.request.as_ref().map(Request::losses)
    }
}

impl<T> SendRequest for SharedRequest<'_, T> {
    type Payload = T;

    fn send(self, payload: T) -> Result<(), SendError<T>> {
        Permit { chan: self.chan, held: self.held }.send(payload)
    }
}
