//! Random operations on ends that receive one value: ports of oneshots, and eventuals.

use crate::cargo::Message;
use crate::ends::End;
use crate::hear::{Heard, How, hear};
use crate::kinds::Kind;
use crate::ledger::{Seen, Side};
use crate::selects;
use crate::wakers::waker;
use crate::worker::Worker;
use pipes::Eventual;
use std::task::{Context, Poll};

/// The port of a oneshot.
pub struct Single {
    pub side: Side,
    pub port: pipes::PortOne<Message>,
}

/// An eventual whose value comes through a oneshot.
pub struct Later {
    side: Side,
    eventual: Eventual<Message>,
}

/// Records the value of a oneshot.
pub fn received(side: &Side, message: &Message, worker: &mut Worker) {
    worker.did(Kind::OnceReceived);
    Seen::default().note(side, message);
}

impl Single {
    pub fn later(self) -> Later {
        Later { side: self.side, eventual: self.port.into() }
    }

    pub fn act(self, worker: &mut Worker) -> Option<End> {
        if worker.once_in(10) {
            return selects::with(End::PortOne(self), worker);
        }
        if worker.once_in(10) {
            return Some(End::Eventual(self.later()));
        }
        let Single { mut side, port } = self;
        let how = How::of(&side, false, worker);
        match hear(port, Some(&mut side), how, worker) {
            Heard::Message(message) => received(&side, &message, worker),
            Heard::Closed => side.check_complete(),
            Heard::Nothing(port) => return Some(End::PortOne(Single { side, port })),
            Heard::Lost => {}
        }
        None
    }
}

impl Later {
    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        let block = How::of(&self.side, false, worker).block;
        match worker.verb(10) {
            0 => compute(worker),
            1 | 2 if block => {
                worker.did(Kind::ReceiveBlocked);
                let got = self.eventual.get().map(Message::read).is_ok();
                self.got(got, worker);
            }
            3 if self.eventual.is_ready() => {
                let Later { side, eventual } = self;
                match eventual.into_inner() {
                    Ok(message) => received(&side, &message, worker),
                    Err(_) => side.check_complete(),
                }
                return None;
            }
            _ => {
                let waker = waker(worker);
                match self.eventual.poll_get(&mut Context::from_waker(&waker)) {
                    Poll::Ready(got) => {
                        let got = got.map(Message::read).is_ok();
                        self.got(got, worker);
                    }
                    Poll::Pending => worker.did(Kind::EventualPending),
                }
            }
        }
        Some(End::Eventual(self))
    }

    /// Records that the value is there and stays, or will never come.
    fn got(&self, got: bool, worker: &mut Worker) {
        worker.did(Kind::EventualGot);
        assert!(self.eventual.is_ready(), "got before");
        if !got {
            self.side.check_complete();
        }
    }
}

/// Makes an eventual whose value is computed, here or in a thread of its own.
fn compute(worker: &mut Worker) {
    let (totals, name) = (worker.totals().clone(), worker.name());
    let make = move || Message::new(&totals, name, 1);
    let mut eventual = if worker.once_in(4) { Eventual::spawn(make) } else { Eventual::lazy(make) };
    assert_eq!(eventual.get().expect("it is made").read(), (name, 1));
    worker.did(Kind::EventualComputed);
}
