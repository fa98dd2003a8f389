//! What is under a port: the receiving half of one kind of stream.

use super::shared::SharedSource;
use crate::slot::{BoundedReceiver, Received, Receiver, Token};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// A receiving half.
pub(super) enum Source<T> {
    /// From one sender that is never kept waiting.
    Endless(Receiver<T>),
    /// From one sender that waits for room.
    Bounded(BoundedReceiver<T>),
    /// From many senders.
    Shared(Box<SharedSource<T>>),
}

/// The same question to whichever it is, by `&` or by `&mut`.
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
    /// The next value, if it is there.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Received<T, ()> {
        match self {
            Source::Endless(half) => half.take(),
            Source::Bounded(half) => Self::take_bounded(half),
            Source::Shared(half) => half.receiver.take(),
        }
    }

    /// Apart, so that the most common stream is not the slower for the others.
    #[inline(never)]
    fn take_bounded(half: &mut BoundedReceiver<T>) -> Received<T, ()> {
        half.take()
    }

    /// The same without waking anybody: here is who is to be woken, for a caller that holds a lock.
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

    /// Does [`take`](Self::take) give something, and goes on to do so until it is asked to?
    #[inline]
    pub(super) fn is_certain(&self) -> bool {
        match self {
            Source::Bounded(half) => half.is_certain(),
            _ => self.peek().is_some(),
        }
    }

    /// Leaves a set's token with the sender. `Err`: [`take`](Self::take) gives something.
    #[inline(always)]
    pub(super) fn register_token(&mut self, token: Token) -> Result<(), Token> {
        ask!(self, &mut, half => half.register_token(token))
    }

    /// Takes the token back, unless it is on its way to its list. If a waker is registered instead, it is
    /// dropped.
    pub(super) fn unregister_token(&mut self) -> Option<Token> {
        ask!(self, &mut, half => half.unregister_token())
    }

    /// Was the sender seen to have left?
    pub(super) fn is_over(&self) -> bool {
        ask!(self, &, half => half.is_over())
    }

    /// Is a value there (`Some(true)`), or has the sender left (`Some(false)`)?
    pub(super) fn peek(&self) -> Option<bool> {
        ask!(self, &, half => half.peek())
    }
}
