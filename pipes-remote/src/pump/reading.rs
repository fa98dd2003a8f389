//! What a pump does with the frames that come.

use super::{Pump, Stage, farewell};
use crate::frame::{self, Kind};
use pipes::Fault;
use pipes::remote::{Cause, Incoming, Notice, Relay};
use std::io;
use std::ops::Range;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite};

/// How often a pump reads in one turn.
const FILLS: usize = 8;

impl<R, C, S> Pump<R, C, S>
where
    R: Relay<C>,
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Reads frames until there are no more, or no room for their messages. Returns `true` if there were
    /// some.
    pub(super) fn read(&mut self, cx: &mut Context<'_>) -> bool {
        let (mut is_there, mut fills) = (false, 0);
        while self.stage != Stage::Over && fills < FILLS {
            if self.poll_answer(cx).is_pending() || self.stage == Stage::Over {
                return is_there;
            }
            let was_shut = self.is_shut;
            self.is_shut = self.relay.is_some() && self.unread.poll_open(cx).is_pending();
            if self.is_shut {
                return is_there;
            }
            if was_shut {
                // It could not be heard.
                self.clock.heard();
            }
            if let Stage::Parted { .. } | Stage::Closing = self.stage {
                self.inbox.clear();
            }
            match self.inbox.take_frame(self.limit) {
                Ok(Some(frame)) => {
                    self.take(frame);
                    is_there = true;
                }
                Ok(None) => match self.inbox.poll_fill(&mut self.stream, cx) {
                    // Its last word may not be written yet, and the other side may still read.
                    Poll::Ready(Ok(0)) if matches!(self.stage, Stage::Parted { .. }) => {
                        self.stage = Stage::Closing;
                        return true;
                    }
                    Poll::Ready(Ok(0)) if self.stage == Stage::Closing => return is_there,
                    Poll::Ready(Ok(0)) => self
                        .broken(io::Error::new(io::ErrorKind::UnexpectedEof, "it ended without a farewell")),
                    Poll::Ready(Ok(_)) => {
                        self.clock.heard();
                        fills += 1;
                    }
                    Poll::Ready(Err(error)) => self.failed(error),
                    Poll::Pending => {
                        self.is_quiet = true;
                        return is_there;
                    }
                },
                Err(fault) => {
                    self.misunderstood(fault);
                    is_there = true;
                }
            }
        }
        is_there || fills == FILLS
    }

    /// Does what this frame says.
    fn take(&mut self, place: Range<usize>) {
        let frame = self.inbox.frame(place);
        let (kind, payload) = match frame::read(frame) {
            Ok((kind, begin)) => (kind, &frame[begin..]),
            Err(fault) => return self.misunderstood(fault),
        };
        match (kind, self.stage) {
            (Kind::Beat, _) | (Kind::Message { .. }, Stage::Parting { .. }) => {}
            (Kind::Message { tag }, _) => match self.relay.take_if(|relay| !relay.user_speaks()) {
                Some(relay) => {
                    self.is_unconfirmed = false;
                    let status = &self.ending.0;
                    let mut notice = |notice: Notice<'_>| match notice {
                        Notice::Ending => status.set_cause(Cause::Ended),
                        Notice::Fault(fault) => status.set_cause(Cause::Fault(fault.clone())),
                    };
                    let ticket = self.unread.enter(frame.len());
                    let message = Incoming { tag, payload, ticket, notice: &mut notice };
                    let lowered = relay.lower(&self.codec, message);
                    self.lowered(lowered);
                }
                None => self.misunderstood(Fault::Unexpected { code: kind.code() }),
            },
            (Kind::Leave, Stage::Talking) => {
                self.ending.0.set_cause(Cause::Left);
                self.relay = None;
                self.bye();
            }
            (Kind::Leave, Stage::Parting { by_last_message }) => {
                if by_last_message {
                    self.ending.0.set_cause(Cause::Left);
                }
                self.outbox.word(Kind::Bye, "");
            }
            (Kind::Bye, Stage::Parting { by_last_message }) => {
                if by_last_message {
                    self.ending.0.set_first_cause(|| Cause::Ended);
                }
                self.is_unconfirmed = false;
                self.farewell(Stage::Closing);
            }
            (Kind::Fault, Stage::Talking | Stage::Parting { .. }) => {
                let words = farewell::words(payload);
                self.ending.0.set_first_cause(|| Cause::Fault(Fault::Reported(words)));
                self.relay = None;
                self.farewell(Stage::Closing);
            }
            (Kind::Bye, _) => self.misunderstood(Fault::Unexpected { code: kind.code() }),
            (Kind::Leave | Kind::Fault, _) => {}
        }
    }
}
