//! The operations that all ends have in common: receiving, and waiting for the close.

use crate::kinds::Kind;
use crate::ledger::{Patience, Side};
use crate::wakers::waker;
use crate::worker::Worker;
use pipes::{Closing, Receive, RecvTimeoutError, TryRecvError};
use pipes_tests::{poll, poll_future};
use std::mem::forget;
use std::task::{Context, Poll};
use std::time::Instant;

/// The outcome of a receive.
pub enum Heard<E: Receive> {
    Message(E::Message),
    /// No message; the receiver is still there.
    Nothing(E),
    Closed,
    /// The receiver was dropped with its future.
    Lost,
}

/// How an end may be received from.
#[derive(Clone, Copy)]
pub struct How {
    /// It may be waited for without a limit.
    pub block: bool,
    /// It is borrowed, so that its future may be forgotten.
    pub borrowed: bool,
    /// Once it is ready, it stays ready until it is received from.
    pub steady: bool,
}

impl How {
    pub fn of(side: &Side, borrowed: bool, worker: &mut Worker) -> How {
        let block = side.ledger.patience == Patience::Receive && worker.may_block();
        How { block: block && worker.blocks(), borrowed, steady: !side.ledger.meets }
    }
}

fn tried<E: Receive>(tried: Result<E::Message, TryRecvError<E>>, worker: &mut Worker) -> Heard<E> {
    match tried {
        Ok(message) => {
            worker.did(Kind::Received);
            Heard::Message(message)
        }
        Err(TryRecvError::Empty(end)) => {
            worker.did(Kind::ReceiveEmpty);
            Heard::Nothing(end)
        }
        Err(TryRecvError::Closed) => {
            worker.did(Kind::ReceiveClosed);
            Heard::Closed
        }
    }
}

/// Receives at once, after the library has said that it is ready.
fn ready<E: Receive>(end: E, how: How, worker: &mut Worker) -> Heard<E> {
    worker.did(Kind::PollReady);
    let heard = tried(end.try_recv(), worker);
    assert!(!how.steady || !matches!(heard, Heard::Nothing(_)), "ready, and nothing is there");
    heard
}

/// Receives with a random verb. The side leaves before the end is dropped.
pub fn hear<E: Receive>(mut end: E, side: Option<&mut Side>, how: How, worker: &mut Worker) -> Heard<E> {
    match worker.verb(16) {
        6 | 7 if how.block => {
            worker.did(Kind::ReceiveBlocked);
            tried(end.recv().map_err(|_| TryRecvError::Closed), worker)
        }
        8 => {
            let moment = worker.moment();
            let heard = if worker.once_in(2) {
                end.recv_timeout(moment)
            } else {
                end.recv_deadline(Instant::now() + moment)
            };
            match heard {
                Ok(message) => tried(Ok(message), worker),
                Err(RecvTimeoutError::Closed) => tried(Err(TryRecvError::Closed), worker),
                Err(RecvTimeoutError::Timeout(end)) => {
                    worker.did(Kind::ReceiveTimeout);
                    Heard::Nothing(end)
                }
            }
        }
        9 | 10 => {
            let waker = waker(worker);
            if poll(&mut end, &waker).is_ready() {
                return ready(end, how, worker);
            }
            worker.did(Kind::PollPending);
            Heard::Nothing(end)
        }
        11 => in_future(end, side, how, worker),
        12 => {
            let waker = waker(worker);
            let is_ready = poll_future(&mut end.ready(), &waker).is_ready();
            if is_ready {
                return ready(end, how, worker);
            }
            worker.did(Kind::PollPending);
            Heard::Nothing(end)
        }
        13 if end.is_ready() => {
            let heard = ready(end, how, worker);
            assert!(!how.steady || matches!(heard, Heard::Message(_)), "ready for a message");
            heard
        }
        13 if end.is_closed() => {
            let heard = ready(end, how, worker);
            assert!(!matches!(heard, Heard::Message(_)), "a message after the close");
            heard
        }
        14 => {
            let deadline = Instant::now() + worker.moment();
            if end.wait(Some(deadline)) {
                return ready(end, how, worker);
            }
            worker.did(Kind::ReceiveTimeout);
            Heard::Nothing(end)
        }
        _ => tried(end.try_recv(), worker),
    }
}

fn in_future<E: Receive>(end: E, side: Option<&mut Side>, how: How, worker: &mut Worker) -> Heard<E> {
    let mut future = end.recv_async();
    for _ in 0..1 + worker.below(3) {
        let waker = waker(worker);
        if let Poll::Ready(heard) = poll_future(&mut future, &waker) {
            worker.did(Kind::FutureDone);
            return tried(heard.map_err(|_| TryRecvError::Closed), worker);
        }
        worker.did(Kind::PollPending);
    }
    match worker.below(8) {
        0 => {
            worker.did(Kind::FutureDropped);
            side.into_iter().for_each(Side::leave);
            drop(future);
            Heard::Lost
        }
        1 if how.borrowed => {
            worker.did(Kind::FutureForgotten);
            forget(future);
            Heard::Lost
        }
        _ => future.into_inner().map_or(Heard::Lost, Heard::Nothing),
    }
}

/// Asks whether the other side has left, or waits for that, with a random verb.
pub fn watch<E: Closing>(end: &mut E, side: &Side, worker: &mut Worker) {
    let closed = match worker.below(6) {
        0 => {
            let waker = waker(worker);
            let closed = end.poll_closed(&mut Context::from_waker(&waker)).is_ready();
            worker.did_either(closed, Kind::CloseSeen, Kind::ClosePending);
            closed
        }
        1 => {
            let waker = waker(worker);
            let closed = poll_future(&mut end.closed(), &waker).is_ready();
            worker.did_either(closed, Kind::CloseSeen, Kind::ClosePending);
            closed
        }
        2 => {
            let moment = worker.moment();
            let closed = end.wait_closed_timeout(moment);
            worker.did_either(closed, Kind::CloseSeen, Kind::CloseTimeout);
            closed
        }
        3 if side.ledger.patience == Patience::Close && worker.may_block() && worker.blocks() => {
            end.wait_closed();
            worker.did(Kind::CloseAwaited);
            true
        }
        _ => end.is_closed(),
    };
    if closed {
        side.check_left();
    }
}
