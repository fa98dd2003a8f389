//! How a session ends: the closing handshake, and faults.

use super::{Pump, Stage};
use crate::frame::Kind;
use crate::settings::CLOSING_TIMEOUT;
use pipes::remote::Fault;
use pipes::remote::{Cause, Lowered, Relay};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// The most bytes of a reported fault.
const MAX_REASON: usize = 200;

/// Returns the text of a FAULT frame.
pub(super) fn reason(payload: &[u8]) -> String {
    String::from_utf8_lossy(&payload[..payload.len().min(MAX_REASON)]).into_owned()
}

impl<R, C, S> Pump<R, C, S>
where
    R: Relay<C>,
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Continues after an attempt to give the user a message.
    pub(super) fn delivered(&mut self, delivery: Lowered<R>) {
        match delivery {
            Lowered::Next(relay) => self.relay = Some(relay),
            Lowered::Last => self.send_bye(),
            Lowered::Left => self.leave(),
            Lowered::Fault(fault) => self.protocol_error(fault),
        }
    }

    /// Sends LEAVE, because the user has left or the session must end.
    pub(super) fn leave(&mut self) {
        if self.stage == Stage::Open {
            self.status.0.set_cause(Cause::LeftHere);
            self.relay = None;
            self.outbox.control(Kind::Leave, "");
            self.await_bye(false);
        }
    }

    /// Waits for BYE, after this side has sent a last message or LEAVE.
    pub(super) fn await_bye(&mut self, by_last_message: bool) {
        self.stage = Stage::AwaitingBye { by_last_message };
        if !self.is_unconfirmed {
            self.clock.begin_closing(CLOSING_TIMEOUT);
        }
    }

    /// Confirms the other side's last message or LEAVE by BYE.
    pub(super) fn send_bye(&mut self) {
        self.outbox.control(Kind::Bye, "");
        self.close_soon(Stage::AwaitingEnd { shuts_down: self.engine_info.is_shared });
    }

    /// Enters a stage of the closing handshake, which must end soon.
    pub(super) fn close_soon(&mut self, stage: Stage) {
        self.stage = stage;
        self.clock.begin_closing(CLOSING_TIMEOUT);
    }

    /// Ends the session because the other side has sent something that the protocol does not allow.
    pub(super) fn protocol_error(&mut self, fault: Fault) {
        let relay = self.relay.take();
        self.fault(fault, relay);
        self.clock.begin_closing(CLOSING_TIMEOUT);
    }

    /// Ends the session because of this fault. Tells the other side by a FAULT frame, which comes after the
    /// messages that its user has not received yet.
    pub(super) fn fault(&mut self, fault: Fault, endpoint: Option<R>) {
        let reason: String = fault.to_string().chars().take(MAX_REASON).collect();
        self.outbox.control(Kind::Fault, &reason);
        self.status.0.set_first_cause(|| Cause::Fault(fault));
        drop(endpoint);
        self.stage = Stage::AwaitingEnd { shuts_down: true };
        if !self.is_unconfirmed {
            self.clock.begin_closing(CLOSING_TIMEOUT);
        }
    }

    /// Ends the session because the stream has ended, or the closing handshake has timed out.
    pub(super) fn broken(&mut self, error: io::Error) {
        let error = self.write_error.take().unwrap_or(error);
        self.lost(Cause::Broken(Arc::new(error)));
    }

    /// Ends the session because the stream cannot be read.
    pub(super) fn failed(&mut self, error: io::Error) {
        match self.engine_info.silence {
            Some(lost) if error.kind() == io::ErrorKind::TimedOut => self.lost(Cause::Silent(lost)),
            _ => self.broken(error),
        }
    }

    /// Ends the session without a closing handshake, because the stream can no longer be used.
    pub(super) fn lost(&mut self, cause: Cause) {
        if matches!(self.stage, Stage::Open | Stage::AwaitingBye { .. }) {
            self.status.0.set_first_cause(|| cause);
        }
        self.relay = None;
        self.stage = Stage::Closed;
    }
}
