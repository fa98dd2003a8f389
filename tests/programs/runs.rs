//! Random operations on several messages in one call.

use crate::cargo::Message;
use crate::chans::{Many, Single, refused, unload, write};
use crate::hear::How;
use crate::kinds::Kind;
use crate::ledger::{Pen, Side};
use crate::ports;
use crate::wakers::waker;
use crate::worker::Worker;
use futures::Sink;
use pipes::{TryRecvError, TrySendError};
use pipes_tests::poll_future;
use std::mem::{replace, take};
use std::pin::Pin;
use std::task::{Context, Poll};

/// A number of messages: mostly few, sometimes more than a block holds.
fn length(worker: &mut Worker) -> u64 {
    let limit = if worker.once_in(4) { 150 } else { 8 };
    worker.below(limit)
}

/// Some messages, and how many.
fn write_run(side: &Side, pen: &mut Pen, worker: &mut Worker) -> (Vec<Message>, usize) {
    let count = length(worker);
    let messages: Vec<_> = (0..count).map(|_| write(side, pen, worker)).collect();
    (messages, count as usize)
}

/// Settles a call that may have sent some of these messages, and has left the others.
fn settle(rest: Vec<Message>, wrote: usize, side: &Side, pen: &mut Pen, closed: bool, worker: &mut Worker) {
    for _ in rest.len()..wrote {
        side.ledger.has_sent();
        worker.did(Kind::RunSent);
    }
    for message in rest {
        if closed {
            refused(message, side, pen, worker);
        } else {
            assert_eq!(message.read().0, pen.sender, "what was not sent is left");
            unload(message, worker);
        }
    }
}

impl Single {
    /// Sends several messages; it may wait for room without a limit only if `waits`.
    pub fn run(&mut self, waits: bool, worker: &mut Worker) {
        let (mut messages, wrote) = write_run(&self.side, &mut self.pen, worker);
        let mut closed = false;
        match worker.below(4) {
            0 if waits => closed = self.chan.send_all(&mut messages).is_err(),
            2 if !self.side.ledger.meets => closed = self.batch_sink(&mut messages, worker).is_err(),
            1 => {
                let mut future = self.chan.send_all_async(&mut messages);
                for _ in 0..1 + worker.below(3) {
                    let waker = waker(worker);
                    match poll_future(&mut future, &waker) {
                        Poll::Ready(sent) => {
                            closed = sent.is_err();
                            break;
                        }
                        Poll::Pending => worker.did(Kind::RunPending),
                    }
                }
                drop(future);
            }
            _ => match self.chan.try_send_all(&mut messages) {
                Ok(()) => assert!(messages.is_empty(), "all were sent"),
                Err(TrySendError::Full(())) => worker.did(Kind::RunFull),
                Err(TrySendError::Closed(())) => closed = true,
            },
        }
        assert!(!closed || !messages.is_empty(), "refused, but all were sent");
        settle(messages, wrote, &self.side, &mut self.pen, closed, worker);
    }
}

impl Single {
    /// Sends several messages through a sink that collects them; what was not sent is left. Returns `Err` if
    /// the port has left.
    fn batch_sink(&mut self, messages: &mut Vec<Message>, worker: &mut Worker) -> Result<(), ()> {
        let waker = waker(worker);
        let mut cx = Context::from_waker(&waker);
        let chan = replace(&mut self.chan, pipes::stream().0);
        let mut sink = chan.into_batch_sink(1 + worker.below(8) as usize);
        let mut outgoing = take(messages).into_iter();
        let mut refused = Vec::new();
        let mut result = loop {
            if outgoing.len() == 0 {
                break Ok(());
            }
            let sent = match Pin::new(&mut sink).poll_ready(&mut cx) {
                Poll::Ready(Ok(())) => {
                    outgoing.next().map_or(Ok(()), |message| Pin::new(&mut sink).start_send(message))
                }
                Poll::Ready(Err(error)) => Err(error),
                Poll::Pending => break Ok(()),
            };
            if let Err(error) = sent {
                refused = error.into_payload();
                break Err(());
            }
        };
        if result.is_ok() && worker.once_in(2) {
            match Pin::new(&mut sink).poll_flush(&mut cx) {
                Poll::Ready(Ok(())) => assert_eq!(sink.collected().len(), 0, "all are flushed"),
                Poll::Ready(Err(error)) => {
                    refused = error.into_payload();
                    result = Err(());
                }
                Poll::Pending => {}
            }
        }
        worker.did(Kind::SinkBatch);
        let collected;
        (self.chan, collected) = sink.into_parts();
        messages.extend(refused.into_iter().chain(collected).chain(outgoing));
        result
    }
}

impl Many {
    /// Sends several messages; in a bounded stream it may wait for room without a limit.
    pub fn run(&mut self, worker: &mut Worker) {
        let (mut messages, wrote) = write_run(&self.side, &mut self.pen, worker);
        let closed = self.chan.send_all(&mut messages).is_err();
        settle(messages, wrote, &self.side, &mut self.pen, closed, worker);
    }
}

impl ports::Single {
    /// Receives several messages.
    pub fn run(&mut self, worker: &mut Worker) {
        let mut messages = Vec::new();
        let mut limit = 1 + length(worker) as usize;
        let block = How::of(&self.side, true, worker).block;
        let received = match worker.below(4) {
            0 if block => self.port.recv_many(&mut messages, limit).map_err(|_| TryRecvError::Closed),
            1 => {
                let waker = waker(worker);
                match poll_future(&mut self.port.recv_many_async(&mut messages, limit), &waker) {
                    Poll::Ready(received) => received.map_err(|_| TryRecvError::Closed),
                    Poll::Pending => Err(TryRecvError::Empty(())),
                }
            }
            2 => {
                worker.did(Kind::Drained);
                limit = usize::MAX;
                messages = self.port.drain();
                if messages.is_empty() { Err(TryRecvError::Empty(())) } else { Ok(messages.len()) }
            }
            _ => self.port.try_recv_many(&mut messages, limit),
        };
        match received {
            Ok(count) => {
                assert_eq!(count, messages.len(), "the number of messages");
                assert!((1..=limit).contains(&count), "at least one, and no more than asked for");
            }
            Err(TryRecvError::Empty(())) => worker.did(Kind::RunEmpty),
            Err(TryRecvError::Closed) => self.heard(Some(Err(())), worker),
        }
        for message in messages {
            worker.did(Kind::RunReceived);
            self.heard(Some(Ok(message)), worker);
        }
    }
}
