//! Senders of a stream with many senders as sinks.

use super::permits::Request;
use super::send::sent_unless;
use super::shared::{SharedChan, SharedFlavor};
use crate::endpoint::SendError;
use futures_sink::Sink;
use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll};

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
}

impl<T> Sink<T> for SharedChan<T> {
    type Error = SendError<T>;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        if matches!(self.flavor, SharedFlavor::Rendezvous(_)) {
            return self.poll_flush(cx);
        }
        let chan = &mut *self;
        let SharedFlavor::Bounded(_, permits) = &chan.flavor else { return Poll::Ready(Ok(())) };
        // If a waker panics, the request ends, and nothing is reserved.
        let ticket = match take(&mut chan.reserved) {
            Reserved::Nothing => None,
            Reserved::Requested(ticket) => Some(ticket),
            Reserved::Room => {
                chan.reserved = Reserved::Room;
                return Poll::Ready(Ok(()));
            }
        };
        let mut request = Request::resume(permits, ticket);
        let polled = request.poll(cx).map(|held| {
            held.forget();
            Ok(())
        });
        chan.reserved = match request.suspend() {
            Some(ticket) => Reserved::Requested(ticket),
            None => Reserved::Room,
        };
        polled
    }

    /// This never waits. So without a `poll_ready` that was ready, the value may come back although the port
    /// exists.
    fn start_send(mut self: Pin<&mut Self>, value: T) -> Result<(), SendError<T>> {
        let chan = &mut *self;
        match (take(&mut chan.reserved), &mut chan.flavor) {
            (Reserved::Room, SharedFlavor::Bounded(sender, _)) => sender.send(value).map_err(SendError::new),
            (_, SharedFlavor::Rendezvous(sender)) => sender.offer(value).or(SendError::new, SendError::new),
            (other, _) => {
                chan.reserved = other;
                chan.try_send(value).map_err(|error| SendError::new(error.into_payload()))
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        let mut back = None;
        self.poll_offer(cx, &mut back).map(|()| sent_unless(back))
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        self.release();
        self.poll_flush(cx)
    }
}
