//! Random operations on ports, alone and shared.

use crate::cargo::Message;
use crate::chans::unload;
use crate::ends::End;
use crate::hear::{Heard, How, hear};
use crate::kinds::Kind;
use crate::ledger::{Patience, Seen, Side};
use crate::selects;
use crate::sets::Set;
use crate::wakers::waker;
use crate::worker::Worker;
use futures::Stream;
use pipes::{RecvTimeoutError, TryRecvError};
use pipes_tests::poll_future;
use std::mem::forget;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The port of a stream of any kind.
pub struct Single {
    pub side: Side,
    pub seen: Seen,
    pub port: pipes::Port<Message>,
}

/// One of several receivers.
pub struct Shared {
    pub side: Side,
    pub seen: Seen,
    pub port: pipes::SharedPort<Message>,
}

impl Single {
    /// Records the outcome of a receive.
    pub fn heard(&mut self, heard: Option<Result<Message, ()>>, worker: &mut Worker) {
        match heard {
            Some(Ok(message)) => {
                self.seen.note(&self.side, &message);
                unload(message, worker);
            }
            Some(Err(())) => self.side.check_complete(),
            None => {}
        }
    }

    pub fn share(self) -> Shared {
        self.side.ledger.split();
        Shared { side: self.side, seen: self.seen, port: self.port.into_shared() }
    }

    /// Closes the stream, and receives what is left.
    fn close(mut self, worker: &mut Worker) {
        worker.did(Kind::PortClosed);
        self.side.leave();
        for message in self.port.close() {
            self.seen.note(&self.side, &message);
            unload(message, worker);
        }
        self.side.ledger.empty();
    }

    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        match worker.verb(49) {
            40..=47 => self.run(worker),
            48 if worker.once_in(2) => {
                self.close(worker);
                return None;
            }
            0 if worker.once_in(4) => {
                worker.did(Kind::IntoShared);
                return Some(End::SharedPort(self.share()));
            }
            1 if worker.once_in(4) => {
                let mut set = Set::new(self.side.ledger.carries);
                set.insert(self, worker);
                return Some(End::Set(set));
            }
            2 | 3 => return selects::with(End::Port(self), worker),
            4..=6 => {
                let waker = waker(worker);
                match Pin::new(&mut self.port).poll_next(&mut Context::from_waker(&waker)) {
                    Poll::Ready(item) => {
                        worker.did(Kind::StreamItem);
                        self.heard(Some(item.ok_or(())), worker);
                    }
                    Poll::Pending => worker.did(Kind::PollPending),
                }
            }
            7 | 8 => {
                let limit = 1 + worker.below(8) as usize;
                let messages: Vec<_> = self.port.try_iter().take(limit).collect();
                for message in messages {
                    worker.did(Kind::Received);
                    self.heard(Some(Ok(message)), worker);
                }
            }
            _ => {
                let how = How::of(&self.side, true, worker);
                let heard = match hear(&mut self.port, None, how, worker) {
                    Heard::Message(message) => Some(Ok(message)),
                    Heard::Closed => Some(Err(())),
                    Heard::Nothing(_) | Heard::Lost => None,
                };
                self.heard(heard, worker);
            }
        }
        Some(End::Port(self))
    }
}

impl Shared {
    pub fn another(&self) -> Shared {
        Shared { side: self.side.clone(), seen: self.seen.clone(), port: self.port.clone() }
    }

    fn got(&mut self, message: Message, worker: &mut Worker) {
        worker.did(Kind::SharedReceived);
        self.seen.note(&self.side, &message);
        unload(message, worker);
    }

    fn closed(&self, worker: &mut Worker) {
        worker.did(Kind::SharedClosed);
        self.side.check_left();
    }

    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        let block = How::of(&self.side, true, worker).block;
        match worker.verb(12) {
            0 if worker.once_in(4) => {
                worker.did(Kind::Cloned);
                let another = self.another();
                worker.put(End::SharedPort(another));
            }
            1 | 2 if block => {
                worker.did(Kind::SharedBlocked);
                match self.port.recv() {
                    Ok(message) => self.got(message, worker),
                    Err(_) => self.closed(worker),
                }
            }
            3 | 4 => match self.port.recv_timeout(worker.moment()) {
                Ok(message) => self.got(message, worker),
                Err(RecvTimeoutError::Closed) => self.closed(worker),
                Err(RecvTimeoutError::Timeout(())) => worker.did(Kind::ReceiveTimeout),
            },
            5..=7 => self.poll(worker),
            _ => match self.port.try_recv() {
                Ok(message) => self.got(message, worker),
                Err(TryRecvError::Closed) => self.closed(worker),
                Err(TryRecvError::Empty(())) => worker.did(Kind::SharedEmpty),
            },
        }
        Some(End::SharedPort(self))
    }

    fn poll(&mut self, worker: &mut Worker) {
        let waker = waker(worker);
        let received = if worker.once_in(2) {
            let polled = Pin::new(&mut self.port).poll_next(&mut Context::from_waker(&waker));
            polled.map(|item| item.ok_or(()))
        } else {
            let mut future = self.port.recv_async();
            let polled = poll_future(&mut future, &waker);
            // A forgotten future keeps its place in the line with its waker, so another receive may not be
            // woken.
            if self.side.ledger.patience == Patience::Close && worker.once_in(2) {
                worker.did(Kind::SharedForgotten);
                forget(future);
            }
            polled.map_err(drop)
        };
        match received {
            Poll::Ready(Ok(message)) => self.got(message, worker),
            Poll::Ready(Err(())) => self.closed(worker),
            Poll::Pending => worker.did(Kind::SharedPending),
        }
    }
}
