//! Random selections with an arm that sends.

use crate::cargo::Message;
use crate::chans::{Sending, Verbs, refused, write};
use crate::kinds::Kind;
use crate::wakers::waker;
use crate::worker::Worker;
use pipes::{SendError, oneshot, select, select_async};
use pipes_tests::poll_future;
use std::task::{Poll, Waker};
use std::time::Duration;

/// How a selection is done.
pub enum How {
    Blocked,
    /// With a limit; none is `default`.
    Limited(Option<Duration>),
    /// Beside a receiver, of which this says whether it is ready.
    Beside(bool),
}

/// The result of the send, or what has happened instead.
type Outcome = Result<Result<(), SendError<Message>>, Kind>;

/// What both kinds of chans can do in a selection.
pub trait Arms: Verbs {
    fn select(&mut self, how: How, value: impl FnOnce() -> Message) -> Outcome;

    /// In a task, which is polled with each waker. Before it is polled again, the receiver beside the arm
    /// becomes ready.
    fn select_async(&mut self, wakers: &[Waker], value: impl FnOnce() -> Message) -> Outcome;
}

macro_rules! arms {
    ($chan:ident) => {
        impl Arms for pipes::$chan<Message> {
            fn select(&mut self, how: How, value: impl FnOnce() -> Message) -> Outcome {
                let mut chan = self;
                match how {
                    How::Blocked => select! { sent = chan.send(value()) => Ok(sent) },
                    How::Limited(None) => select! {
                        sent = chan.send(value()) => Ok(sent),
                        default => Err(Kind::ArmFull),
                    },
                    How::Limited(Some(moment)) => select! {
                        sent = chan.send(value()) => Ok(sent),
                        timeout(moment) => Err(Kind::ArmTimeout),
                    },
                    How::Beside(is_ready) => {
                        let (word, mut words) = oneshot::<()>();
                        let _word = (!is_ready).then_some(word);
                        select! {
                            _closed = words => Err(Kind::ArmOther),
                            sent = chan.send(value()) => Ok(sent),
                            default => Err(Kind::ArmFull),
                        }
                    }
                }
            }

            fn select_async(&mut self, wakers: &[Waker], value: impl FnOnce() -> Message) -> Outcome {
                let mut chan = self;
                let (word, mut words) = oneshot::<()>();
                let mut word = Some(word);
                let mut task = Box::pin(async {
                    select_async! {
                        sent = chan.send(value()) => Ok(sent),
                        _closed = words => Err(Kind::ArmOther),
                    }
                });
                for waker in wakers {
                    if let Poll::Ready(outcome) = poll_future(&mut task, waker) {
                        return outcome;
                    }
                    drop(word.take());
                }
                Err(Kind::ArmDropped)
            }
        }
    };
}

arms!(Chan);
arms!(SharedChan);

impl<C: Arms> Sending<C> {
    /// Selects. It may wait without a limit only if `waits`. Without capacity there is no room to wait for.
    pub fn select(&mut self, waits: bool, worker: &mut Worker) {
        if self.side.ledger.meets {
            return;
        }
        let how = match worker.below(4) {
            0 if waits => How::Blocked,
            0 | 1 => How::Limited(worker.once_in(2).then(|| worker.moment())),
            2 => How::Beside(worker.once_in(2)),
            _ => {
                let wakers: Vec<_> = (0..1 + worker.below(2)).map(|_| waker(worker)).collect();
                let value = || write(&self.side, &mut self.pen, worker);
                let outcome = self.chan.select_async(&wakers, value);
                return self.selected(outcome, worker);
            }
        };
        let outcome = self.chan.select(how, || write(&self.side, &mut self.pen, worker));
        self.selected(outcome, worker);
    }

    fn selected(&mut self, outcome: Outcome, worker: &mut Worker) {
        match outcome {
            Ok(Ok(())) => {
                self.side.ledger.has_sent();
                worker.did(Kind::ArmSent);
            }
            Ok(Err(error)) => refused(error.into_payload(), &self.side, &mut self.pen, worker),
            Err(kind) => worker.did(kind),
        }
    }
}
