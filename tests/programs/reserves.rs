//! Random reservations of room in streams with many senders.

use crate::cargo::Message;
use crate::chans::{Many, refused, write};
use crate::kinds::Kind;
use crate::wakers::waker;
use crate::worker::Worker;
use pipes::{Permit, SendTimeoutError, SharedChan, TrySendError};
use pipes_tests::{poll_future, spin};
use std::mem::forget;
use std::task::Poll;
use std::time::Instant;

type Chan = SharedChan<Message>;

/// Why there is no permit.
enum Denied {
    Closed,
    /// This has happened instead.
    Not(Kind),
}

impl Many {
    /// Reserves room, and sends into it or gives it back. It may wait without a limit only if `waits`.
    pub fn reserve(&mut self, waits: bool, worker: &mut Worker) {
        let may_forget = self.may_forget();
        match permit(&self.chan, waits, may_forget, worker) {
            Ok(permit) => {
                worker.did(Kind::Reserved);
                if worker.once_in(3) {
                    spin(worker.random.u64(..50));
                    worker.did(Kind::PermitDropped);
                    return drop(permit);
                }
                match permit.send(write(&self.side, &mut self.pen, worker)) {
                    Ok(()) => {
                        self.side.ledger.has_sent();
                        worker.did(Kind::PermitSent);
                    }
                    Err(error) => refused(error.into_payload(), &self.side, &mut self.pen, worker),
                }
            }
            Err(Denied::Not(kind)) => worker.did(kind),
            Err(Denied::Closed) => {
                worker.did(Kind::ReserveClosed);
                self.pen.is_done = true;
                self.side.check_left();
            }
        }
    }
}

fn permit<'a>(
    chan: &'a Chan,
    waits: bool,
    may_forget: bool,
    worker: &mut Worker,
) -> Result<Permit<'a, Message>, Denied> {
    match worker.below(4) {
        0 if waits => {
            worker.did(Kind::ReserveBlocked);
            chan.reserve().map_err(|_| Denied::Closed)
        }
        1 => {
            let moment = worker.moment();
            let reserved = if worker.once_in(2) {
                chan.reserve_timeout(moment)
            } else {
                chan.reserve_deadline(Instant::now() + moment)
            };
            reserved.map_err(|error| match error {
                SendTimeoutError::Timeout(()) => Denied::Not(Kind::ReserveTimeout),
                SendTimeoutError::Closed(()) => Denied::Closed,
            })
        }
        2 => permit_async(chan, may_forget, worker),
        _ => chan.try_reserve().map_err(|error| match error {
            TrySendError::Full(()) => Denied::Not(Kind::ReserveFull),
            TrySendError::Closed(()) => Denied::Closed,
        }),
    }
}

/// Polls a future a few times, and then gives it up.
fn permit_async<'a>(
    chan: &'a Chan,
    may_forget: bool,
    worker: &mut Worker,
) -> Result<Permit<'a, Message>, Denied> {
    let mut future = chan.reserve_async();
    for _ in 0..1 + worker.below(3) {
        let waker = waker(worker);
        if let Poll::Ready(reserved) = poll_future(&mut future, &waker) {
            return reserved.map_err(|_| Denied::Closed);
        }
        worker.did(Kind::ReservePending);
        spin(worker.random.u64(..50));
    }
    if may_forget && worker.once_in(4) {
        forget(future);
        return Err(Denied::Not(Kind::ReserveForgotten));
    }
    drop(future);
    Err(Denied::Not(Kind::ReserveCancelled))
}
