//! The answer to a hello, when a session has begun without it.

use super::{Pump, Stage};
use crate::deadline::Deadline;
use crate::error::ConnectError;
use crate::hello::{self, Answer};
use crate::settings::{Manner, Settings};
use pipes::remote::{Cause, Relay};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// An answer that is still to come.
pub(crate) struct Greeting {
    address: String,
    settings: Settings,
    manner: Manner,
    deadline: Deadline,
}

impl Greeting {
    /// Creates a greeting for the program at this address, whose answer must come within the time for a
    /// connection and its handshake. This much of it has passed.
    pub(crate) fn new(address: String, settings: &Settings, manner: Manner, passed: Duration) -> Self {
        let deadline = Deadline::after(settings.handshake.saturating_sub(passed));
        Greeting { address, settings: *settings, manner, deadline }
    }
}

impl<R, C, S> Pump<R, C, S>
where
    R: Relay<C>,
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Says hello in front of everything else. The first that is heard must be the answer.
    pub(crate) fn greet(&mut self, hello: &[u8], greeting: Greeting) {
        self.outbox.put(hello);
        self.greeting = Some(Box::new(greeting));
    }

    /// Answers in front of everything else. What an eager client has said already is heard before that: if
    /// its user here has a reply at once, both travel together.
    pub(crate) fn answer(&mut self, answer: &[u8]) {
        self.outbox.put(answer);
        self.hears_first = !self.inbox.bytes().is_empty();
    }

    /// Polls for the answer, if it is still to come, until it is here, or there is no session.
    pub(super) fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(greeting) = &mut self.greeting else { return Poll::Ready(()) };
        let answer = match hello::poll_read(&mut self.stream, &mut self.inbox, cx) {
            Poll::Ready(answer) => answer,
            Poll::Pending if Pin::new(&mut greeting.deadline).poll(cx).is_pending() => return Poll::Pending,
            Poll::Pending => {
                let (address, time) = (greeting.address.clone(), greeting.settings.handshake);
                self.unanswered(io::ErrorKind::TimedOut, ConnectError::TimedOut { address, time });
                return Poll::Ready(());
            }
        };
        match answer {
            Ok(Answer::Taken(terms)) => {
                let agreed = greeting.settings.agreed(terms, greeting.manner);
                self.their_limit = agreed.their_limit;
                self.clock.agree(agreed.beat);
                self.clock.heard();
                self.greeting = None;
            }
            Ok(Answer::Refused(reason)) => {
                let refused = ConnectError::Refused { address: greeting.address.clone(), reason };
                self.unanswered(io::ErrorKind::ConnectionRefused, refused);
            }
            Err(error) => {
                let address = greeting.address.clone();
                self.unanswered(error.kind(), ConnectError::Unreachable { address, error });
            }
        }
        Poll::Ready(())
    }

    /// Ends the session because there is none: what a patient client would have got as its error is the
    /// cause, also if this one has left meanwhile.
    fn unanswered(&mut self, kind: io::ErrorKind, error: ConnectError) {
        let cause = Cause::Broken(Arc::new(io::Error::new(kind, error)));
        if let Stage::Talking | Stage::Parting { .. } = self.stage {
            self.ending.0.set_cause(cause.clone());
        }
        // There was no session that could have been left.
        self.is_unconfirmed |= matches!(self.stage, Stage::Parting { .. });
        self.lost(cause);
    }
}
