//! How a session ends: who says what, and what is known of it.

use super::{Pump, Stage};
use crate::frame::Kind;
use crate::settings::FAREWELL;
use pipes::Fault;
use pipes::remote::{Cause, Lowered, Relay};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// The most bytes of a reported fault.
const FEW: usize = 200;

/// Returns what the other side says of a fault.
pub(super) fn words(payload: &[u8]) -> String {
    String::from_utf8_lossy(&payload[..payload.len().min(FEW)]).into_owned()
}

impl<R, C, S> Pump<R, C, S>
where
    R: Relay<C>,
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Goes on after a message that was given to the user, or not.
    pub(super) fn lowered(&mut self, lowered: Lowered<R>) {
        match lowered {
            Lowered::Next(relay) => self.relay = Some(relay),
            Lowered::Last => self.bye(),
            Lowered::Left => self.leave(),
            Lowered::Fault(fault) => self.misunderstood(fault),
        }
    }

    /// Leaves, because the user has left, or its endpoint is taken from it.
    pub(super) fn leave(&mut self) {
        if self.stage == Stage::Talking {
            self.ending.0.set_cause(Cause::LeftHere);
            self.relay = None;
            self.outbox.word(Kind::Leave, "");
            self.part(false);
        }
    }

    /// Goes on after this side's last word.
    pub(super) fn part(&mut self, by_last_message: bool) {
        self.stage = Stage::Parting { by_last_message };
        if !self.is_unconfirmed {
            self.clock.part(FAREWELL);
        }
    }

    /// Confirms the other side's last word.
    pub(super) fn bye(&mut self) {
        self.outbox.word(Kind::Bye, "");
        self.farewell(Stage::Parted { shuts: self.manner.is_shared });
    }

    /// Begins the farewell: the session must end soon.
    pub(super) fn farewell(&mut self, stage: Stage) {
        self.stage = stage;
        self.clock.part(FAREWELL);
    }

    /// Ends the session because what has come is no part of the protocol.
    pub(super) fn misunderstood(&mut self, fault: Fault) {
        let relay = self.relay.take();
        self.fault(fault, relay);
        self.clock.part(FAREWELL);
    }

    /// Ends the session because of this fault, and tells the other side by a FAULT frame, behind what its
    /// user has not received yet.
    pub(super) fn fault(&mut self, fault: Fault, endpoint: Option<R>) {
        let words: String = fault.to_string().chars().take(FEW).collect();
        self.outbox.word(Kind::Fault, &words);
        self.ending.0.set_first_cause(|| Cause::Fault(fault));
        drop(endpoint);
        self.stage = Stage::Parted { shuts: true };
        if !self.is_unconfirmed {
            self.clock.part(FAREWELL);
        }
    }

    /// Ends the session because the stream has ended, or the time for the farewell.
    pub(super) fn broken(&mut self, error: io::Error) {
        let error = self.write_error.take().unwrap_or(error);
        self.lost(Cause::Broken(Arc::new(error)));
    }

    /// Ends the session because the stream cannot be read.
    pub(super) fn failed(&mut self, error: io::Error) {
        match self.manner.silence {
            Some(lost) if error.kind() == io::ErrorKind::TimedOut => self.lost(Cause::Silent(lost)),
            _ => self.broken(error),
        }
    }

    /// Ends the session because there is no stream any more.
    pub(super) fn lost(&mut self, cause: Cause) {
        if matches!(self.stage, Stage::Talking | Stage::Parting { .. }) {
            self.ending.0.set_first_cause(|| cause);
        }
        self.relay = None;
        self.stage = Stage::Over;
    }
}
