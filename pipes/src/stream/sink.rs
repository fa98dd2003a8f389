//! Senders of a stream with many senders as sinks.

use super::permits::Request;
use super::shared::SharedChan;
use crate::endpoint::SendError;
use futures_sink::Sink;
use std::mem::take;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What a sender of a bounded stream has reserved as a sink.
#[derive(Default)]
pub(super) enum Reserved {
    /// Nothing, and it does not wait for it.
    #[default]
    Nothing,
    /// Nothing yet: it waits in the line, with this ticket.
    Requested(u64),
    /// Room for one value.
    Room,
}

impl<T> SharedChan<T> {
    /// Gives back what this sender has reserved as a sink, and leaves the line.
    pub(super) fn give_back(&mut self) {
        let Some(permits) = &self.permits else { return };
        match take(&mut self.reserved) {
            Reserved::Nothing => {}
            Reserved::Requested(ticket) => drop(Request::resume(permits, Some(ticket))),
            Reserved::Room => drop(permits.give_back(1)),
        }
    }
}

/// In a bounded stream, `poll_ready` waits in the line of senders, and reserves room. This sender keeps its
/// place and the room until `start_send`, or until it is closed as a sink or dropped, also if the future that
/// has polled it is dropped. Its other methods do not use that room. So after a send as a sink that was
/// cancelled, either send as a sink again, or close the sink: otherwise a `send` may wait for room that its
/// own sender keeps.
///
/// Closing the sink gives back what it has reserved, and does nothing else: the stream closes when the last
/// `SharedChan` is dropped.
impl<T> Sink<T> for SharedChan<T> {
    type Error = SendError<T>;

    fn poll_ready(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        let chan = &mut *self;
        let Some(permits) = &chan.permits else { return Poll::Ready(Ok(())) };
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
            held.pass_on();
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
        match take(&mut self.reserved) {
            Reserved::Room => self.sender.send(value).map_err(SendError::new),
            other => {
                self.reserved = other;
                self.try_send(value).map_err(|error| SendError::new(error.into_payload()))
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<Result<(), SendError<T>>> {
        self.give_back();
        Poll::Ready(Ok(()))
    }
}
