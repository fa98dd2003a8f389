//! What a pump does with incoming frames.

use super::{Pump, Stage, closing};
use crate::frame::{self, Kind};
use pipes::remote::Fault;
use pipes::remote::{Cause, Incoming, Notice, Relay};
use std::io;
use std::ops::Range;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite};

/// How often a pump reads from the stream in one call of `read`.
const MAX_READS: usize = 8;

impl<R, C, S> Pump<R, C, S>
where
    R: Relay<C>,
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Reads frames until there are no more, or the window is full. Returns `true` if there were some.
    pub(super) fn read(&mut self, cx: &mut Context<'_>) -> bool {
        let (mut is_there, mut reads) = (false, 0);
        while self.stage != Stage::Closed && reads < MAX_READS {
            if self.poll_answer(cx).is_pending() || self.stage == Stage::Closed {
                return is_there;
            }
            let was_shut = self.is_shut;
            self.is_shut = self.relay.is_some() && self.unread.poll_open(cx).is_pending();
            if self.is_shut {
                return is_there;
            }
            if was_shut {
                // Nothing was read meanwhile, so the silence begins now.
                self.clock.heard();
            }
            if let Stage::AwaitingEnd { .. } | Stage::Flushing = self.stage {
                self.inbox.clear();
            }
            match self.inbox.take_frame(self.limit) {
                Ok(Some(frame)) => {
                    self.handle_frame(frame);
                    is_there = true;
                }
                Ok(None) => match self.inbox.poll_fill(&mut self.stream, cx) {
                    // The last frame may not be written yet, and the other side may still read.
                    Poll::Ready(Ok(0)) if matches!(self.stage, Stage::AwaitingEnd { .. }) => {
                        self.stage = Stage::Flushing;
                        return true;
                    }
                    Poll::Ready(Ok(0)) if self.stage == Stage::Flushing => return is_there,
                    Poll::Ready(Ok(0)) => {
                        let text = "it ended in the middle of the session, perhaps with the other program";
                        self.broken(io::Error::new(io::ErrorKind::UnexpectedEof, text));
                    }
                    Poll::Ready(Ok(_)) => {
                        self.clock.heard();
                        reads += 1;
                    }
                    Poll::Ready(Err(error)) => self.failed(error),
                    Poll::Pending => {
                        self.is_quiet = true;
                        return is_there;
                    }
                },
                Err(fault) => {
                    self.protocol_error(fault);
                    is_there = true;
                }
            }
        }
        is_there || reads == MAX_READS
    }

    /// Handles the frame at this place of the inbox.
    fn handle_frame(&mut self, place: Range<usize>) {
        let frame = self.inbox.frame(place);
        let (kind, payload) = match frame::read(frame) {
            Ok((kind, begin)) => (kind, &frame[begin..]),
            Err(fault) => return self.protocol_error(fault),
        };
        match (kind, self.stage) {
            (Kind::Beat, _) | (Kind::Message { .. }, Stage::AwaitingBye { .. }) => {}
            (Kind::Message { tag }, _) => match self.relay.take_if(|relay| !relay.user_speaks()) {
                Some(relay) => {
                    self.is_unconfirmed = false;
                    let status = &self.status.0;
                    let mut notice = |notice: Notice<'_>| match notice {
                        Notice::Ending => status.set_cause(Cause::Ended),
                        Notice::Fault(fault) => status.set_cause(Cause::Fault(fault.clone())),
                    };
                    let ticket = self.unread.enter(frame.len());
                    let message = Incoming { tag, payload, ticket, notice: &mut notice };
                    let delivery = relay.lower(&self.codec, message);
                    self.delivered(delivery);
                }
                None => self.protocol_error(Fault::Unexpected { code: kind.code() }),
            },
            (Kind::Leave, Stage::Open) => {
                self.status.0.set_cause(Cause::Left);
                self.relay = None;
                self.send_bye();
            }
            (Kind::Leave, Stage::AwaitingBye { by_last_message }) => {
                if by_last_message {
                    self.status.0.set_cause(Cause::Left);
                }
                self.outbox.control(Kind::Bye, "");
            }
            (Kind::Bye, Stage::AwaitingBye { by_last_message }) => {
                if by_last_message {
                    self.status.0.set_first_cause(|| Cause::Ended);
                }
                self.is_unconfirmed = false;
                self.close_soon(Stage::Flushing);
            }
            (Kind::Fault, Stage::Open | Stage::AwaitingBye { .. }) => {
                let reason = closing::reason(payload);
                self.status.0.set_first_cause(|| Cause::Fault(Fault::Reported(reason)));
                self.relay = None;
                self.close_soon(Stage::Flushing);
            }
            (Kind::Bye, _) => self.protocol_error(Fault::Unexpected { code: kind.code() }),
            (Kind::Leave | Kind::Fault, _) => {}
        }
    }
}
