//! The pump: it moves messages between a user's pipe and a connection, for one session.
//!
//! It is one loop in one task. In a state in which its user speaks, it waits for the user's message or for a
//! frame, which may only say that the other side has gone; otherwise for a frame, if there is room for a
//! message, or for its user to leave. What its user has sent is written together.
//!
//! # The end of a session
//!
//! | stage | it has | what comes next |
//! |---|---|---|
//! | `Talking` | an endpoint | messages |
//! | `Parting` | sent the last message or LEAVE | the other side's BYE |
//! | `Parted` | sent BYE or FAULT | the end of the stream: the other side closes it |
//! | `Closing` | received BYE or FAULT | nothing: it writes what it has, and closes the stream |
//!
//! A side that has sent its last word never closes first. A stream that is closed with something unread may
//! take what was written along.
//!
//! A side that is parting waits for the other side's BYE as long as it hears of the other side at all: what
//! it has sent may be long on its way, or wait for a slow user there. If it has sent nothing since it heard
//! the last message, or is made to leave, it does not wait long; nor does a side that has parted.
//!
//! Why a session ends is said before the endpoint is dropped, so that the user finds the reason when it finds
//! its own end closed.
//!
//! # Layers
//!
//! Uses `frame`, `inbox`, `hello`, `error`, `settings` and `status`; used by `dial` and `site`.

mod clock;
mod farewell;
mod greeting;
mod outbox;
mod reading;
mod unread;

use self::clock::{Clock, Due};
pub(crate) use self::greeting::Greeting;
use self::outbox::Outbox;
use self::unread::Unread;
use crate::frame::Kind;
use crate::inbox::Inbox;
use crate::settings::{Agreed, FAREWELL, Manner, Settings};
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

/// How often a pump goes round before it lets others of its thread run. A stream that is always ready would
/// keep it for ever.
const TURNS: usize = 32;

/// Moves the messages of one session.
pub(crate) struct Pump<R, C, S> {
    /// Before the endpoint, so that it is dropped first.
    ending: Ending,
    /// The other end of the user's pipe, as long as both talk.
    relay: Option<R>,
    codec: C,
    stream: S,
    inbox: Inbox,
    outbox: Outbox,
    unread: Unread,
    clock: Clock,
    manner: Manner,
    limit: usize,
    their_limit: usize,
    /// The service whose session this is, if it is one's.
    session: Option<Session>,
    /// The waker that `status` and `session` have.
    waker: Option<Waker>,
    stage: Stage,
    /// The session has begun, and the other side's answer is still to come.
    greeting: Option<Box<Greeting>>,
    /// Nothing is written until the user could reply to what is here.
    hears_first: bool,
    /// What the stream said to a write. What still comes is read before the session is given up.
    write_error: Option<io::Error>,
    /// Too many messages are unread, so nothing is read.
    is_shut: bool,
    /// The stream wakes this task when there is more to read: before that, it need not be asked again.
    is_quiet: bool,
    /// Messages were sent after the last that was received.
    is_unconfirmed: bool,
    /// The last question that was answered.
    answered: u64,
}

/// Says why the session ends if the pump is dropped before that.
struct Ending(Arc<Status>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.set_first_cause(|| Cause::Broken(Arc::new(io::Error::other("the runtime has ended"))));
        self.0.end(false);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Talking,
    Parting {
        by_last_message: bool,
    },
    /// After a FAULT this side also ends its own direction: the other one may have found a fault as well.
    /// After a BYE it does so where that costs nothing.
    Parted {
        shuts: bool,
    },
    Closing,
    Over,
}

impl<R, C, S> Pump<R, C, S>
where
    R: Relay<C>,
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Creates a pump for the pipe at whose other end this relay is, and a stream after its handshake, with
    /// what was read from it beyond that. It must be made inside of a runtime.
    pub(crate) fn new(
        (relay, bound): (R, Bound),
        codec: C,
        (stream, inbox): (S, Inbox),
        (settings, agreed): (&Settings, Agreed),
        status: Arc<Status>,
        session: Option<Session>,
    ) -> Self {
        Pump {
            ending: Ending(status),
            relay: Some(relay),
            codec,
            stream,
            inbox,
            outbox: Outbox::new(),
            unread: Unread::new(bound.is_bounded(), settings.window),
            clock: Clock::new(agreed.beat, agreed.manner.silence.is_none().then_some(settings.lost)),
            manner: agreed.manner,
            limit: settings.limit,
            their_limit: agreed.their_limit,
            session,
            waker: None,
            stage: Stage::Talking,
            greeting: None,
            hears_first: false,
            write_error: None,
            is_shut: false,
            is_quiet: false,
            is_unconfirmed: false,
            answered: 0,
        }
    }

    /// Makes sure that questions and the service's wish to end wake this task.
    fn register(&mut self, cx: &mut Context<'_>) {
        if self.waker.as_ref().is_none_or(|waker| !waker.will_wake(cx.waker())) {
            self.waker = Some(cx.waker().clone());
            self.ending.0.register(cx.waker());
            if let Some(session) = &mut self.session {
                // If it is closing already, `is_closing` says so.
                let _ = session.poll_closing(cx);
            }
        }
        if self.session.as_ref().is_some_and(Session::is_closing) {
            self.leave();
            self.clock.part(FAREWELL);
        }
    }

    /// Takes what the user has sent. Returns `true` if something was there.
    fn lift(&mut self) -> bool {
        let mut is_there = false;
        while self.outbox.has_room()
            && self.write_error.is_none()
            && let Some(relay) = self.relay.take_if(|relay| relay.user_speaks())
        {
            let (added, lifted) =
                self.outbox.frame(self.their_limit, |out| match relay.lift(&self.codec, out) {
                    Lifted::Sent { tag, next } => (Some(Kind::Message { tag }), Lifted::Sent { tag, next }),
                    other => (None, other),
                });
            match (lifted, added) {
                (Lifted::Sent { next: Some(next), .. }, Ok(())) => self.relay = Some(next),
                (Lifted::Sent { next: None, .. }, Ok(())) => {
                    self.is_unconfirmed = true;
                    self.part(true);
                }
                (Lifted::Sent { next, .. }, Err(fault)) => self.fault(fault, next),
                (Lifted::Fault { fault, next }, _) => self.fault(fault, next),
                // What its user has sent before may be confirmed already.
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

    /// Writes what is to be written. Returns `true` if something was.
    fn write(&mut self, cx: &mut Context<'_>) -> bool {
        let (written, result) = self.outbox.poll_write(&mut self.stream, cx);
        if written > 0 {
            self.clock.written();
        }
        match result {
            Poll::Ready(Err(error)) => {
                self.outbox.clear();
                self.write_error = Some(error);
                if let Stage::Parted { .. } | Stage::Closing = self.stage {
                    self.stage = Stage::Over;
                }
                true
            }
            Poll::Ready(Ok(())) if self.stage == Stage::Closing => {
                self.stage = Stage::Over;
                true
            }
            Poll::Ready(Ok(())) if self.stage == (Stage::Parted { shuts: true }) => {
                // Whatever it says, the stream is read to its end.
                let is_shut = Pin::new(&mut self.stream).poll_shutdown(cx).is_ready();
                self.stage = Stage::Parted { shuts: !is_shut };
                is_shut || written > 0
            }
            _ => written > 0,
        }
    }

    /// Returns `true` if the user has sent something, or has left.
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

    /// Does what is due. Returns `true` if something was.
    fn poll_clock(&mut self, cx: &mut Context<'_>) -> bool {
        // As long as there is no answer, the time for that counts.
        match self.clock.poll(!self.is_shut && self.greeting.is_none(), cx) {
            None => return false,
            Some(Due::Beat) => {
                self.inbox.rest();
                self.outbox.rest();
                if !self.is_shut {
                    self.unread.rest(cx);
                }
                if self.clock.beats() && self.write_error.is_none() && self.outbox.is_empty() {
                    self.outbox.word(Kind::Beat, "");
                }
            }
            Some(Due::Silence(lost)) => {
                let error = self.write_error.take();
                self.ending.0.set_first_cause(|| match error {
                    Some(error) => Cause::Broken(Arc::new(error)),
                    None => Cause::Silent(lost),
                });
                self.relay = None;
                self.stage = Stage::Over;
            }
            Some(Due::Farewell) => self.broken(io::ErrorKind::TimedOut.into()),
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
        if mem::take(&mut pump.hears_first) {
            pump.read(cx);
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        pump.is_quiet = false;
        for _ in 0..TURNS {
            let question = pump.ending.0.last_question();
            let mut is_busy = pump.lift();
            is_busy |= pump.write(cx);
            is_busy |= !pump.is_quiet && pump.read(cx);
            if pump.stage == Stage::Over {
                pump.ending.0.end(!pump.is_unconfirmed);
                return Poll::Ready(());
            }
            if is_busy || pump.poll_user(cx) || pump.poll_clock(cx) {
                continue;
            }
            let is_parting = matches!(pump.stage, Stage::Parting { .. });
            let is_drained = !pump.is_unconfirmed && !is_parting && pump.write_error.is_none();
            if pump.answered < question && is_drained {
                pump.answered = question;
                pump.ending.0.answer(question);
            }
            return Poll::Pending;
        }
        // It is busy all the time. The others of its thread come first, and so do its user's farewell and the
        // clock.
        let _ = pump.poll_user(cx) | pump.poll_clock(cx);
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
