//! Random operations on sending ends: chans, shared chans, chans of oneshots.

use crate::births::Sort;
use crate::cargo::Message;
use crate::ends::End;
use crate::hear::watch;
use crate::kinds::Kind;
use crate::ledger::{Patience, Pen, Side};
use crate::wakers::{Deed, waker};
use crate::worker::Worker;
use futures::Sink;
use pipes::{SendError, SendTimeoutError, TrySendError};
use pipes_tests::poll_future;
use std::mem::forget;
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A chan, of a stream with one sender or with many.
pub struct Sending<C> {
    pub side: Side,
    pub pen: Pen,
    pub chan: C,
    pub sort: Sort,
}

/// A chan of a stream with one sender.
pub type Single = Sending<pipes::Chan<Message>>;

/// A chan of a stream with many senders.
pub type Many = Sending<pipes::SharedChan<Message>>;

/// What both kinds of chans can do.
pub trait Verbs {
    const IS_SHARED: bool;

    type Future<'a>: Future<Output = Result<(), SendError<Message>>> + Unpin
    where
        Self: 'a;

    fn send(&mut self, message: Message) -> Result<(), SendError<Message>>;
    fn try_send(&mut self, message: Message) -> Result<(), TrySendError<Message>>;
    fn send_timeout(&mut self, message: Message, time: Duration) -> Result<(), SendTimeoutError<Message>>;
    fn send_deadline(&mut self, message: Message, moment: Instant) -> Result<(), SendTimeoutError<Message>>;
    fn send_async(&mut self, message: Message) -> Self::Future<'_>;
    fn take_back(future: Self::Future<'_>) -> Option<Message>;
}

macro_rules! verbs {
    ($chan:ident, $future:ident, $is_shared:literal) => {
        impl Verbs for pipes::$chan<Message> {
            const IS_SHARED: bool = $is_shared;

            type Future<'a> = pipes::$future<'a, Message>;

            fn send(&mut self, message: Message) -> Result<(), SendError<Message>> {
                pipes::$chan::send(self, message)
            }

            fn try_send(&mut self, message: Message) -> Result<(), TrySendError<Message>> {
                pipes::$chan::try_send(self, message)
            }

            fn send_timeout(
                &mut self,
                message: Message,
                time: Duration,
            ) -> Result<(), SendTimeoutError<Message>> {
                pipes::$chan::send_timeout(self, message, time)
            }

            fn send_deadline(
                &mut self,
                message: Message,
                moment: Instant,
            ) -> Result<(), SendTimeoutError<Message>> {
                pipes::$chan::send_deadline(self, message, moment)
            }

            fn send_async(&mut self, message: Message) -> Self::Future<'_> {
                pipes::$chan::send_async(self, message)
            }

            fn take_back(future: Self::Future<'_>) -> Option<Message> {
                future.into_inner()
            }
        }
    };
}

verbs!(Chan, SendFuture, false);
verbs!(SharedChan, SharedSendFuture, true);

/// The chan of a oneshot.
pub struct One {
    pub side: Side,
    pub pen: Pen,
    pub chan: pipes::ChanOne<Message>,
}

/// The next message, which sometimes carries an end, and sometimes does something when it is dropped.
pub fn write(side: &Side, pen: &mut Pen, worker: &mut Worker) -> Message {
    let mut message = pen.write(worker.totals());
    if side.ledger.carries && worker.once_in(4) {
        match worker.take() {
            Some((cell, end)) if end.carries() => worker.put_at(cell, end),
            Some((_, end)) => {
                worker.did(Kind::Loaded);
                message.freight = Some(Box::new(end));
            }
            None => {}
        }
    }
    if worker.below(2000) < worker.program.shape.hostile {
        message.deed = Some(Box::new(Deed::random(worker)));
    }
    message
}

/// Takes the end out of a message that was received or came back, and puts it into the table.
pub fn unload(mut message: Message, worker: &mut Worker) {
    if let Some(end) = message.freight.take() {
        worker.did(Kind::Unloaded);
        worker.put(*end);
    }
}

/// The message was not sent because the receiver has left: checks that it is the right one.
pub fn refused(message: Message, side: &Side, pen: &mut Pen, worker: &mut Worker) {
    worker.did(Kind::SendClosed);
    pen.is_done = true;
    side.check_left();
    came_back(message, pen, worker);
}

fn came_back(message: Message, pen: &Pen, worker: &mut Worker) {
    assert_eq!(message.read().0, pen.sender, "the message that was to be sent comes back");
    unload(message, worker);
}

impl<C: Verbs> Sending<C> {
    pub fn sent(&self, worker: &mut Worker) {
        self.side.ledger.has_sent();
        worker.did(Kind::Sent);
    }

    /// Returns `true` if it may wait for room without a limit this time. An unbounded stream always has room.
    fn waits(&self, worker: &mut Worker) -> bool {
        self.sort == Sort::Endless
            || self.side.ledger.patience == Patience::Receive && worker.may_block() && worker.blocks()
    }

    /// Returns `true` if a future that waits may be forgotten. Of many senders, such a one may keep room from
    /// the others. Miri would report the leak.
    pub fn may_forget(&self) -> bool {
        !cfg!(miri) && (!C::IS_SHARED || self.side.ledger.patience != Patience::Receive)
    }

    fn send(&mut self, worker: &mut Worker) {
        let message = write(&self.side, &mut self.pen, worker);
        match self.chan.send(message) {
            Ok(()) => self.sent(worker),
            Err(error) => refused(error.into_payload(), &self.side, &mut self.pen, worker),
        }
        if self.sort != Sort::Endless {
            worker.did_either(C::IS_SHARED, Kind::ManyBlocked, Kind::SendBlocked);
        }
    }

    fn try_send(&mut self, worker: &mut Worker) {
        let message = write(&self.side, &mut self.pen, worker);
        match self.chan.try_send(message) {
            Ok(()) => self.sent(worker),
            Err(TrySendError::Closed(message)) => refused(message, &self.side, &mut self.pen, worker),
            Err(TrySendError::Full(message)) => {
                worker.did_either(C::IS_SHARED, Kind::ManyFull, Kind::SendFull);
                came_back(message, &self.pen, worker);
            }
        }
    }

    fn send_timeout(&mut self, worker: &mut Worker) {
        let (message, moment) = (write(&self.side, &mut self.pen, worker), worker.moment());
        let sent = if worker.once_in(2) {
            self.chan.send_timeout(message, moment)
        } else {
            self.chan.send_deadline(message, Instant::now() + moment)
        };
        match sent {
            Ok(()) => self.sent(worker),
            Err(SendTimeoutError::Closed(message)) => refused(message, &self.side, &mut self.pen, worker),
            Err(SendTimeoutError::Timeout(message)) => {
                worker.did_either(C::IS_SHARED, Kind::ManyTimeout, Kind::SendTimeout);
                came_back(message, &self.pen, worker);
            }
        }
    }

    /// Polls a future a few times, and then gives it up in one of several ways.
    fn send_async(&mut self, worker: &mut Worker) {
        let message = self.pen.write(worker.totals());
        let ledger = self.side.ledger.clone();
        let may_forget = self.may_forget();
        let mut future = self.chan.send_async(message);
        for _ in 0..1 + worker.below(3) {
            let waker = waker(worker);
            match poll_future(&mut future, &waker) {
                Poll::Ready(Ok(())) => {
                    worker.did(Kind::AsyncSent);
                    return ledger.has_sent();
                }
                Poll::Ready(Err(error)) => {
                    return refused(error.into_payload(), &self.side, &mut self.pen, worker);
                }
                Poll::Pending => worker.did_either(C::IS_SHARED, Kind::ManyPending, Kind::AsyncPending),
            }
        }
        if ledger.meets {
            // A receiver that has seen the offer may take the message all the same.
            ledger.doubt();
        }
        match worker.below(4) {
            0 if may_forget => {
                worker.did_either(C::IS_SHARED, Kind::ManyForgotten, Kind::AsyncForgotten);
                ledger.totals.forgotten.fetch_add(1, Relaxed);
                forget(future);
            }
            1 => {
                worker.did_either(C::IS_SHARED, Kind::ManyDropped, Kind::AsyncDropped);
                drop(future);
            }
            _ => {
                worker.did_either(C::IS_SHARED, Kind::ManyTakenBack, Kind::AsyncTakenBack);
                match C::take_back(future) {
                    Some(message) => came_back(message, &self.pen, worker),
                    None => assert!(ledger.meets, "pending, and the message does not come back"),
                }
            }
        }
    }
}

impl Single {
    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        let waits = self.waits(worker);
        match worker.verb(28) {
            20..=23 => self.run(waits, worker),
            24..=26 => self.select(waits, worker),
            0..=6 if waits => self.send(worker),
            10 | 11 => self.send_timeout(worker),
            12 | 13 => self.send_async(worker),
            14 | 15 => self.sink(worker),
            16..=18 => watch(&mut self.chan, &self.side, worker),
            19 if worker.once_in(8) => self.close(worker),
            _ => self.try_send(worker),
        }
        if self.pen.is_done && worker.once_in(4) {
            return None;
        }
        Some(End::Chan(self))
    }

    fn sink(&mut self, worker: &mut Worker) {
        let waker = waker(worker);
        let mut cx = Context::from_waker(&waker);
        let mut chan = Pin::new(&mut self.chan);
        // Without this, the message may come back although the receiver is there.
        let asked = worker.once_in(2);
        if asked && chan.as_mut().poll_ready(&mut cx).is_pending() {
            return worker.did(Kind::SinkFull);
        }
        let message = self.pen.write(worker.totals());
        // Until it is flushed, it may come back.
        if self.side.ledger.meets {
            self.side.ledger.doubt();
        }
        match chan.as_mut().start_send(message) {
            Ok(()) if self.side.ledger.meets => worker.did(Kind::SinkSent),
            Ok(()) => {
                self.side.ledger.has_sent();
                worker.did(Kind::SinkSent);
            }
            Err(error) => came_back(error.into_payload().expect("it comes back"), &self.pen, worker),
        }
        if let Poll::Ready(Err(error)) = chan.poll_flush(&mut cx) {
            came_back(error.into_payload().expect("it comes back"), &self.pen, worker);
        }
    }

    /// Closes the sink; the end stays, and sends nothing more.
    fn close(&mut self, worker: &mut Worker) {
        self.side.leave();
        let waker = waker(worker);
        if Pin::new(&mut self.chan).poll_close(&mut Context::from_waker(&waker)).is_ready() {
            worker.did(Kind::SinkClosed);
            assert!(self.chan.is_closed(), "closed as a sink");
        }
    }
}

impl Many {
    pub fn another(&self, worker: &mut Worker) -> Many {
        worker.did(Kind::Cloned);
        Many {
            side: self.side.clone(),
            pen: Pen::new(worker.name()),
            chan: self.chan.clone(),
            sort: self.sort,
        }
    }

    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        let waits = self.waits(worker);
        match worker.verb(36) {
            20..=23 if waits => self.run(worker),
            0 if worker.once_in(8) => {
                let another = self.another(worker);
                worker.put(End::SharedChan(another));
            }
            1..=3 => watch(&mut self.chan, &self.side, worker),
            4..=10 if waits => self.send(worker),
            11 | 12 => self.send_timeout(worker),
            13 | 14 => self.send_async(worker),
            24..=29 => self.reserve(waits, worker),
            32..=34 => self.select(waits, worker),
            _ => self.try_send(worker),
        }
        if self.pen.is_done && worker.once_in(4) {
            return None;
        }
        Some(End::SharedChan(self))
    }
}

impl One {
    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        if worker.once_in(2) {
            watch(&mut self.chan, &self.side, worker);
            return Some(End::ChanOne(self));
        }
        let One { side, mut pen, chan } = self;
        match chan.send(pen.write(worker.totals())) {
            Ok(()) => worker.did(Kind::OnceSent),
            Err(error) => refused(error.into_payload(), &side, &mut pen, worker),
        }
        None
    }
}
