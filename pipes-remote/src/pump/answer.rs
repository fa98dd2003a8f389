//! The answer to a hello, for a session that has begun before it.

use super::{Pump, Stage};
use crate::deadline::Deadline;
use crate::error::ConnectError;
use crate::hello::{self, Answer};
use crate::settings::{EngineInfo, Settings};
use pipes::remote::{Cause, Relay};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// What is needed when the answer comes.
pub(crate) struct PendingAnswer {
    address: String,
    settings: Settings,
    engine_info: EngineInfo,
    deadline: Deadline,
}

impl PendingAnswer {
    /// Creates the state for an answer from the program at this address. It must come within the time for a
    /// connection and its handshake, of which `passed` is over already.
    pub(crate) fn new(
        address: String,
        settings: &Settings,
        engine_info: EngineInfo,
        passed: Duration,
    ) -> Self {
        let deadline = Deadline::after(settings.handshake.saturating_sub(passed));
        PendingAnswer { address, settings: *settings, engine_info, deadline }
    }
}

impl<R, C, S> Pump<R, C, S>
where
    R: Relay<C>,
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Sends the hello before everything else. The first thing that is read must be the answer.
    pub(crate) fn send_hello(&mut self, hello: &[u8], pending: PendingAnswer) {
        self.outbox.put(hello);
        self.pending_answer = Some(Box::new(pending));
    }

    /// Sends the answer before everything else.
    ///
    /// If an eager client has sent a message already, the user gets it before the answer is written. If the
    /// user replies at once, the reply travels with the answer.
    pub(crate) fn send_answer(&mut self, answer: &[u8]) {
        self.outbox.put(answer);
        self.reads_first = !self.inbox.bytes().is_empty();
    }

    /// Polls for the answer, if one is pending. Ready when it has come, or when there is no session.
    pub(super) fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(pending) = &mut self.pending_answer else { return Poll::Ready(()) };
        let answer = match hello::poll_read(&mut self.stream, &mut self.inbox, cx) {
            Poll::Ready(answer) => answer,
            Poll::Pending if Pin::new(&mut pending.deadline).poll(cx).is_pending() => return Poll::Pending,
            Poll::Pending => {
                let (address, time) = (pending.address.clone(), pending.settings.handshake);
                self.unanswered(ConnectError::TimedOut { address, time });
                return Poll::Ready(());
            }
        };
        match answer {
            Ok(Answer::Taken(terms)) => {
                let agreed = pending.settings.agreed(terms, pending.engine_info);
                self.their_limit = agreed.their_limit;
                self.clock.set_heartbeat(agreed.heartbeat);
                self.clock.heard();
                self.pending_answer = None;
            }
            Ok(Answer::Refused(reason)) => {
                let refused = ConnectError::Refused { address: pending.address.clone(), reason };
                self.unanswered(refused);
            }
            Err(error) => {
                let address = pending.address.clone();
                self.unanswered(ConnectError::from_io(address, error));
            }
        }
        Poll::Ready(())
    }

    /// Ends a session that was refused or not answered. The cause is the error that `connect` would have
    /// returned without `eager`, even if the user has left meanwhile.
    fn unanswered(&mut self, error: ConnectError) {
        let cause = Cause::Broken(Arc::new(io::Error::new(error.kind(), error)));
        if let Stage::Open | Stage::AwaitingBye { .. } = self.stage {
            self.status.0.set_cause(cause.clone());
        }
        // A LEAVE counts as not confirmed, because there was no session.
        self.is_unconfirmed |= matches!(self.stage, Stage::AwaitingBye { .. });
        self.lost(cause);
    }
}
