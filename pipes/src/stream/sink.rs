//! Senders of a stream with many senders as sinks.

use super::permits::{Held, Request};
use super::send::sent_unless;
use super::shared::{SharedChan, SharedFlavor};
use crate::endpoint::SendError;
use futures_sink::Sink;
use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// What a sender of a bounded stream has reserved as a sink.
#[derive(Default)]
pub(super) enum Reserved {
    /// Nothing, and it does not wait for room.
    #[default]
    Nothing,
    /// Nothing yet: it waits in the queue, with this ticket.
    Requested(u64),
    /// Room for one value.
    Room,
}

/// Turns the error of a send into that of a sink.
pub(super) fn with_value<T>(error: SendError<T>) -> SendError<Option<T>> {
    SendError(Some(error.into_payload()))
}

impl<T> SharedChan<T> {
    /// Gives back what this sender has reserved as a sink, and leaves the queue.
    pub(super) fn release(&mut self) {
        let SharedFlavor::Bounded(_, permits) = &self.flavor else { return };
        match take(&mut self.reserved) {
            Reserved::Nothing => {}
            Reserved::Requested(ticket) => drop(Request::resume(permits, Some(ticket))),
            Reserved::Room => drop(permits.release(1)),
        }
    }

    /// Reserves room, in a task, for the next [`send_reserved`](Self::send_reserved). Ready, too, if the port
    /// was dropped.
    pub(super) fn poll_room(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let SharedFlavor::Bounded(_, permits) = &self.flavor else { return Poll::Ready(()) };
        // If a waker panics, the request ends, and nothing is reserved.
        let ticket = match take(&mut self.reserved) {
            Reserved::Nothing => None,
            Reserved::Requested(ticket) => Some(ticket),
            Reserved::Room => {
                self.reserved = Reserved::Room;
                return Poll::Ready(());
            }
        };
        let mut request = Request::resume(permits, ticket);
        let polled = request.poll(cx).map(Held::forget);
        self.reserved = match request.suspend() {
            Some(ticket) => Reserved::Requested(ticket),
            None => Reserved::Room,
        };
        polled
    }

    /// Sends into the room that was reserved. If none was, the value may come back although the port exists.
    pub(super) fn send_reserved(&mut self, value: T) -> Result<(), SendError<T>> {
        match (take(&mut self.reserved), &mut self.flavor) {
            (Reserved::Room, SharedFlavor::Bounded(sender, _)) => sender.send(value).map_err(SendError),
            (_, SharedFlavor::Rendezvous(sender)) => sender.offer(value).or(SendError, SendError),
            (other, _) => {
                self.reserved = other;
                self.try_send(value).map_err(|error| SendError(error.into_payload()))
            }
        }
    }
}

/// An error of the sink contains the value that was not sent, if there is one: a sink that has only waited
/// for room has none.
impl<T> Sink<T> for SharedChan<T> {
    type Error = SendError<Option<T>>;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        ready!(self.as_mut().poll_flush(cx))?;
        ready!(self.poll_room(cx));
        Poll::Ready(if self.is_closed() { Err(SendError(None)) } else { Ok(()) })
    }

    /// This never waits. So without a `poll_ready` that was ready, the value may come back although the port
    /// exists.
    fn start_send(mut self: Pin<&mut Self>, value: T) -> Result<(), Self::Error> {
        self.send_reserved(value).map_err(with_value)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        let mut back = None;
        self.poll_offer(cx, &mut back).map(|()| sent_unless(back).map_err(with_value))
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.release();
        self.poll_flush(cx)
    }
}
