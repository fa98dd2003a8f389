//! Random operations on sending ends: chans, shared chans, chans of oneshots.

use crate::births::Sort;
use crate::cargo::Message;
use crate::ends::End;
use crate::hear::watch;
use crate::kinds::Kind;
use crate::ledger::{Patience, Pen, Side};
use crate::wakers::waker;
use crate::worker::Worker;
use futures::Sink;
use pipes::{SendTimeoutError, TrySendError};
use pipes_tests::poll_future;
use std::mem::forget;
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::Instant;

/// A chan of a stream with one sender.
pub struct Single {
    pub side: Side,
    pub pen: Pen,
    pub chan: pipes::Chan<Message>,
    pub sort: Sort,
}

/// A chan of a stream with many senders.
pub struct Many {
    pub side: Side,
    pub pen: Pen,
    pub chan: pipes::SharedChan<Message>,
}

/// The chan of a oneshot.
pub struct One {
    pub side: Side,
    pub pen: Pen,
    pub chan: pipes::ChanOne<Message>,
}

/// The next message, which sometimes carries an end.
pub fn write(side: &Side, pen: &mut Pen, worker: &mut Worker) -> Message {
    let mut message = pen.write(worker.tally());
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

impl Single {
    fn sent(&self, worker: &mut Worker) {
        self.side.ledger.has_sent();
        worker.did(Kind::Sent);
    }

    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        let waits = self.sort == Sort::Endless
            || self.side.ledger.patience == Patience::Receive && worker.may_block() && worker.blocks();
        match worker.verb(24) {
            20..=23 => self.run(waits, worker),
            0..=6 if waits => {
                let message = write(&self.side, &mut self.pen, worker);
                match self.chan.send(message) {
                    Ok(()) => self.sent(worker),
                    Err(error) => refused(error.into_payload(), &self.side, &mut self.pen, worker),
                }
                if self.sort != Sort::Endless {
                    worker.did(Kind::SendBlocked);
                }
            }
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

    fn try_send(&mut self, worker: &mut Worker) {
        let message = write(&self.side, &mut self.pen, worker);
        match self.chan.try_send(message) {
            Ok(()) => self.sent(worker),
            Err(TrySendError::Closed(message)) => refused(message, &self.side, &mut self.pen, worker),
            Err(TrySendError::Full(message)) => {
                worker.did(Kind::SendFull);
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
                worker.did(Kind::SendTimeout);
                came_back(message, &self.pen, worker);
            }
        }
    }

    /// Polls a future a few times, and then gives it up in one of several ways.
    fn send_async(&mut self, worker: &mut Worker) {
        let message = self.pen.write(worker.tally());
        let ledger = self.side.ledger.clone();
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
                Poll::Pending => worker.did(Kind::AsyncPending),
            }
        }
        // A receiver that has seen the offer may take the message all the same.
        ledger.doubt();
        match worker.below(4) {
            // (Miri would report the leak.)
            0 if !cfg!(miri) => {
                worker.did(Kind::AsyncForgotten);
                ledger.tally.forgotten.fetch_add(1, Relaxed);
                forget(future);
            }
            1 => {
                worker.did(Kind::AsyncDropped);
                drop(future);
            }
            _ => {
                worker.did(Kind::AsyncTakenBack);
                if let Some(message) = future.into_inner() {
                    came_back(message, &self.pen, worker);
                }
            }
        }
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
        let message = self.pen.write(worker.tally());
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
            Err(error) => came_back(error.into_payload(), &self.pen, worker),
        }
        if let Poll::Ready(Err(error)) = chan.poll_flush(&mut cx) {
            came_back(error.into_payload(), &self.pen, worker);
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
        Many { side: self.side.clone(), pen: Pen::new(worker.name()), chan: self.chan.clone() }
    }

    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        match worker.verb(24) {
            20..=23 => self.run(worker),
            0 if worker.once_in(8) => {
                let another = self.another(worker);
                worker.put(End::SharedChan(another));
            }
            1..=3 => watch(&mut self.chan, &self.side, worker),
            _ => {
                let message = write(&self.side, &mut self.pen, worker);
                let sent = if worker.once_in(2) {
                    self.chan.send(message).map_err(pipes::SendError::into_payload)
                } else {
                    self.chan.try_send(message).map_err(TrySendError::into_payload)
                };
                match sent {
                    Ok(()) => {
                        self.side.ledger.has_sent();
                        worker.did(Kind::Sent);
                    }
                    Err(message) => refused(message, &self.side, &mut self.pen, worker),
                }
            }
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
        match chan.send(pen.write(worker.tally())) {
            Ok(()) => worker.did(Kind::OnceSent),
            Err(error) => refused(error.into_payload(), &side, &mut pen, worker),
        }
        None
    }
}
