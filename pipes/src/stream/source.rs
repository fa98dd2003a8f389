//! The receiving half under a port, of any kind of stream.

use super::shared::SharedSource;
use crate::slot::{BoundedReceiver, Received, Receiver, Token};
use std::num::NonZero;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// The receiving half of any kind of stream.
pub(super) enum Source<T> {
    /// Of an unbounded stream with one sender.
    Endless(Receiver<T>),
    /// Of a bounded stream.
    Bounded(BoundedReceiver<T>),
    /// Of a stream with many senders.
    Shared(Box<SharedSource<T>>),
}

/// Calls the same method of each kind, by `&` or by `&mut`.
macro_rules! ask {
    ($source:expr, & $($mut:ident)?, $half:ident => $answer:expr) => {
        match $source {
            Source::Endless($half) => $answer,
            Source::Bounded($half) => $answer,
            Source::Shared(shared) => {
                let $half = &$($mut)? shared.receiver;
                $answer
            }
        }
    };
}

impl<T> Source<T> {
    /// Takes the next value, if there is one.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Received<T, ()> {
        match self {
            Source::Endless(half) => half.take(),
            Source::Bounded(half) => Self::take_bounded(half),
            Source::Shared(half) => half.receiver.take(),
        }
    }

    /// This is a separate function, so that the other kinds do not slow down the most common one.
    #[inline(never)]
    fn take_bounded(half: &mut BoundedReceiver<T>) -> Received<T, ()> {
        half.take()
    }

    /// Appends the values that are there, at most `limit` of them.
    #[inline]
    pub(super) fn take_run(&mut self, into: &mut Vec<T>, limit: NonZero<usize>) -> Received<(), ()> {
        ask!(self, &mut, half => half.take_run(into, limit))
    }

    /// As [`take`](Self::take), but returns the waker that is to be woken instead of waking it, for a caller
    /// that holds a lock.
    pub(super) fn take_quietly(&mut self) -> (Received<T, ()>, Option<Waker>) {
        match self {
            Source::Endless(half) => (half.take(), None),
            Source::Bounded(half) => half.take_quietly(),
            Source::Shared(half) => half.receiver.take_quietly(),
        }
    }

    /// Blocks until [`take`](Self::take) gives something; false if the deadline passed first.
    #[inline]
    pub(super) fn block(&mut self, deadline: Option<Instant>) -> bool {
        ask!(self, &mut, half => half.block(deadline))
    }

    /// Ready when [`take`](Self::take) gives something.
    #[inline]
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        ask!(self, &mut, half => half.poll(cx))
    }

    /// Does [`take`](Self::take) give something, now and until it is called?
    #[inline]
    pub(super) fn is_certain(&self) -> bool {
        match self {
            Source::Bounded(half) => half.is_certain(),
            _ => self.peek().is_some(),
        }
    }

    /// Registers a set's token. `Err`: [`take`](Self::take) gives something.
    #[inline(always)]
    pub(super) fn register_token(&mut self, token: Token) -> Result<(), Token> {
        ask!(self, &mut, half => half.register_token(token))
    }

    /// Takes the token back, unless a sender has taken it. If a waker is registered instead, it is dropped.
    pub(super) fn unregister_token(&mut self) -> Option<Token> {
        ask!(self, &mut, half => half.unregister_token())
    }

    /// Has the receiver found that the sender has left?
    pub(super) fn is_over(&self) -> bool {
        ask!(self, &, half => half.is_over())
    }

    /// Is a value there (`Some(true)`), or has the sender left (`Some(false)`)?
    pub(super) fn peek(&self) -> Option<bool> {
        ask!(self, &, half => half.peek())
    }
}
