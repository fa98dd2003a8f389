//! The pump moves messages between a user's pipe and a connection, for one session.
//!
//! It is one loop in one task. In a state in which its user sends, it waits for the user's message, or for a
//! frame that says that the other side has gone. In the other states it waits for a frame, if the window has
//! room for a message, or until its user leaves. Messages that the user has sent are written together.
//!
//! # The end of a session
//!
//! A session ends with a closing handshake: one side sends LEAVE or a last message, and the other side
//! confirms it by BYE. After a fault, one side sends FAULT instead.
//!
//! | stage | what has happened | what comes next |
//! |---|---|---|
//! | `Open` | the session has begun | messages |
//! | `AwaitingBye` | this side has sent LEAVE or a last message | the other side's BYE |
//! | `AwaitingEnd` | this side has sent BYE or FAULT | the end of the stream, which the other side closes |
//! | `Flushing` | this side has received BYE or FAULT | it writes what is left, and closes the stream |
//! | `Closed` | the session has ended | the pump ends |
//!
//! The side that has sent the last frame never closes the stream first. If a stream is closed while something
//! is unread, what was written to it may be lost.
//!
//! A side waits for BYE as long as it hears from the other side: what it has sent may be on its way for long,
//! or wait for a slow user there. There is a timeout if this side has sent nothing since it received the last
//! message, or if its service has asked it to end. In `AwaitingEnd` and `Flushing` there always is, except
//! after a fault of this side with messages that are not confirmed.
//!
//! The cause is set before the endpoint is dropped, so the user finds it as soon as its own end is closed.
//!
//! # Layers
//!
//! Uses `frame`, `inbox`, `hello`, `error`, `settings` and `status`; used by `dial` and `site`.

mod answer;
mod clock;
mod closing;
mod outbox;
mod reading;
mod unread;

pub(crate) use self::answer::PendingAnswer;
use self::clock::{Clock, Due};
use self::outbox::Outbox;
use self::unread::Unread;
use crate::frame::Kind;
use crate::inbox::Inbox;
use crate::settings::{Agreed, CLOSING_TIMEOUT, EngineInfo, Settings};
use crate::status::Status;
use pipes::Bound;
use pipes::remote::{Cause, Lifted, Relay, Session};
use std::future::Future;
use std::io;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncWrite};

/// How many rounds a pump makes in one poll. Without a limit, a stream that is always ready would keep other
/// tasks from running.
const BUDGET: usize = 32;

/// Moves the messages of one session.
pub(crate) struct Pump<R, C, S> {
    /// Declared before the endpoint, so that it is dropped first.
    status: StatusGuard,
    /// The other end of the user's pipe, while the session is open.
    relay: Option<R>,
    codec: C,
    stream: S,
    inbox: Inbox,
    outbox: Outbox,
    unread: Unread,
    clock: Clock,
    engine_info: EngineInfo,
    limit: usize,
    their_limit: usize,
    /// The session of a service, if the pump serves one.
    session: Option<Session>,
    /// The waker that `status` and `session` have.
    waker: Option<Waker>,
    stage: Stage,
    /// Set while the session has begun, and the other side's answer has not come yet.
    pending_answer: Option<Box<PendingAnswer>>,
    /// The inbox is read before anything is written, so that the user can reply to what is there.
    reads_first: bool,
    /// The error of a write. The stream is still read to its end before the session ends with this error.
    write_error: Option<io::Error>,
    /// The window is full, so nothing is read.
    is_shut: bool,
    /// There was nothing to read, and the stream will wake this task when there is.
    is_quiet: bool,
    /// Messages were sent after the last that was received.
    is_unconfirmed: bool,
    /// The last question that was answered.
    answered: u64,
}

/// Sets the cause if the pump is dropped before the session has ended.
struct StatusGuard(Arc<Status>);

impl Drop for StatusGuard {
    fn drop(&mut self) {
        self.0.set_first_cause(|| {
            Cause::Broken(Arc::new(io::Error::other("the runtime of tokio that drives it has ended")))
        });
        self.0.end(false);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open,
    AwaitingBye {
        by_last_message: bool,
    },
    /// `shuts_down` is set while this side must still end its own direction of the stream. It does so after
    /// FAULT, because the other side may have found a fault as well, and after BYE where it costs nothing.
    AwaitingEnd {
        shuts_down: bool,
    },
    Flushing,
    Closed,
}

impl<R, C, S> Pump<R, C, S>
where
    R: Relay<C>,
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Creates a pump from its end of the pipe, and a stream after the handshake with the bytes that were
    /// read beyond it. Must be called inside of a runtime.
    pub(crate) fn new(
        (relay, bound): (R, Bound),
        codec: C,
        (stream, inbox): (S, Inbox),
        (settings, agreed): (&Settings, Agreed),
        status: Arc<Status>,
        session: Option<Session>,
    ) -> Self {
        Pump {
            status: StatusGuard(status),
            relay: Some(relay),
            codec,
            stream,
            inbox,
            outbox: Outbox::new(),
            unread: Unread::new(bound.is_bounded(), settings.window),
            clock: Clock::new(
                agreed.heartbeat,
                agreed.engine_info.silence.is_none().then_some(settings.lost),
            ),
            engine_info: agreed.engine_info,
            limit: settings.limit,
            their_limit: agreed.their_limit,
            session,
            waker: None,
            stage: Stage::Open,
            pending_answer: None,
            reads_first: false,
            write_error: None,
            is_shut: false,
            is_quiet: false,
            is_unconfirmed: false,
            answered: 0,
        }
    }

    /// Registers this task's waker for questions of links, and for the service's request to end.
    fn register(&mut self, cx: &mut Context<'_>) {
        if self.waker.as_ref().is_none_or(|waker| !waker.will_wake(cx.waker())) {
            self.waker = Some(cx.waker().clone());
            self.status.0.register(cx.waker());
            if let Some(session) = &mut self.session {
                // If the service is ending already, `is_closing` says so.
                let _ = session.poll_closing(cx);
            }
        }
        if self.session.as_ref().is_some_and(Session::is_closing) {
            self.leave();
            self.clock.begin_closing(CLOSING_TIMEOUT);
        }
    }

    /// Moves messages of the user to the outbox. Returns `true` if there were some.
    fn take_outgoing(&mut self) -> bool {
        let mut is_there = false;
        while self.outbox.has_room()
            && self.write_error.is_none()
            && let Some(relay) = self.relay.take_if(|relay| relay.user_speaks())
        {
            let (added, outgoing) =
                self.outbox.frame(self.their_limit, |out| match relay.lift(&self.codec, out) {
                    Lifted::Sent { tag, next } => (Some(Kind::Message { tag }), Lifted::Sent { tag, next }),
                    other => (None, other),
                });
            match (outgoing, added) {
                (Lifted::Sent { next: Some(next), .. }, Ok(())) => self.relay = Some(next),
                (Lifted::Sent { next: None, .. }, Ok(())) => {
                    self.is_unconfirmed = true;
                    self.await_bye(true);
                }
                (Lifted::Sent { next, .. }, Err(fault)) => self.fault(fault, next),
                (Lifted::Fault { fault, next }, _) => self.fault(fault, next),
                // What the user has sent before may be confirmed already.
                (Lifted::Left, _) => {
                    self.leave();
                    return true;
                }
                (Lifted::Nothing(relay), _) => {
                    self.relay = Some(relay);
                    return is_there;
                }
            }
            (is_there, self.is_unconfirmed) = (true, true);
        }
        is_there
    }

    /// Writes the outbox to the stream. Returns `true` if something was done.
    fn write(&mut self, cx: &mut Context<'_>) -> bool {
        let (written, result) = self.outbox.poll_write(&mut self.stream, cx);
        if written > 0 {
            self.clock.written();
        }
        match result {
            Poll::Ready(Err(error)) => {
                self.outbox.clear();
                self.write_error = Some(error);
                if let Stage::AwaitingEnd { .. } | Stage::Flushing = self.stage {
                    self.stage = Stage::Closed;
                }
                true
            }
            Poll::Ready(Ok(())) if self.stage == Stage::Flushing => {
                self.stage = Stage::Closed;
                true
            }
            Poll::Ready(Ok(())) if self.stage == (Stage::AwaitingEnd { shuts_down: true }) => {
                // Even if this fails, the stream is read to its end.
                let is_shut = Pin::new(&mut self.stream).poll_shutdown(cx).is_ready();
                self.stage = Stage::AwaitingEnd { shuts_down: !is_shut };
                is_shut || written > 0
            }
            _ => written > 0,
        }
    }

    /// Polls the user's end. Returns `true` if the user has sent something or has left.
    fn poll_user(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(relay) = &mut self.relay else { return false };
        let speaks = relay.user_speaks();
        if speaks && (self.write_error.is_some() || !self.outbox.has_room()) {
            return false;
        }
        let is_ready = relay.poll(cx).is_ready();
        if is_ready && !speaks {
            self.leave();
        }
        is_ready
    }

    /// Does what is due. Returns `true` if something was due.
    fn poll_clock(&mut self, cx: &mut Context<'_>) -> bool {
        // Until the answer has come, its own deadline counts.
        match self.clock.poll(!self.is_shut && self.pending_answer.is_none(), cx) {
            None => return false,
            Some(Due::Heartbeat) => {
                self.inbox.shrink();
                self.outbox.shrink();
                if !self.is_shut {
                    self.unread.shrink(cx);
                }
                if self.clock.sends_heartbeats() && self.write_error.is_none() && self.outbox.is_empty() {
                    self.outbox.control(Kind::Beat, "");
                }
            }
            Some(Due::Silence(lost)) => {
                let error = self.write_error.take();
                self.status.0.set_first_cause(|| match error {
                    Some(error) => Cause::Broken(Arc::new(error)),
                    None => Cause::Silent(lost),
                });
                self.relay = None;
                self.stage = Stage::Closed;
            }
            Some(Due::ClosingTimeout) => {
                let text = "the other side has not confirmed the end of the session in time";
                self.broken(io::Error::new(io::ErrorKind::TimedOut, text));
            }
        }
        true
    }
}

impl<R, C, S> Future for Pump<R, C, S>
where
    R: Relay<C> + Unpin,
    C: Unpin,
    S: AsyncRead + AsyncWrite + Unpin,
{
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let pump = &mut *self;
        pump.register(cx);
        if mem::take(&mut pump.reads_first) {
            pump.read(cx);
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        pump.is_quiet = false;
        for _ in 0..BUDGET {
            let question = pump.status.0.last_question();
            let mut is_busy = pump.take_outgoing();
            is_busy |= pump.write(cx);
            is_busy |= !pump.is_quiet && pump.read(cx);
            if pump.stage == Stage::Closed {
                pump.status.0.end(!pump.is_unconfirmed);
                return Poll::Ready(());
            }
            if is_busy || pump.poll_user(cx) || pump.poll_clock(cx) {
                continue;
            }
            let awaits_bye = matches!(pump.stage, Stage::AwaitingBye { .. });
            let is_delivered = !pump.is_unconfirmed && !awaits_bye && pump.write_error.is_none();
            if pump.answered < question && is_delivered {
                pump.answered = question;
                pump.status.0.answer(question);
            }
            return Poll::Pending;
        }
        // The budget is used up. Other tasks run first, but the user and the clock must not wait for a stream
        // that is always ready.
        let _ = pump.poll_user(cx) | pump.poll_clock(cx);
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
