//! Random operations on ends that contain a stream: duplex streams and services.

use crate::births::Sort;
use crate::cargo::Message;
use crate::chans::{Single as Chan, refused};
use crate::ends::End;
use crate::hear::{Heard, How, hear};
use crate::kinds::Kind;
use crate::ledger::{Patience, Pen, Seen, Side};
use crate::ports::Single as Port;
use crate::sessions::{Session, Talk};
use crate::worker::Worker;
use pipes_tests::pingpong;

/// One end of two crossed streams.
pub struct Duplex {
    sending: Side,
    receiving: Side,
    pen: Pen,
    seen: Seen,
    stream: pipes::DuplexStream<Message, Message>,
}

/// The clients' end of a service.
pub struct Caller {
    pub side: Side,
    pub connector: pipes::Connector<pingpong::Protocol<Message>>,
}

/// The server's end of a service.
pub struct Service {
    pub side: Side,
    pub listener: pipes::Listener<pingpong::Protocol<Message>>,
}

impl Duplex {
    /// There are no waits without a limit on a duplex stream: both sides could wait at the same time.
    pub fn pair(worker: &mut Worker) -> (Duplex, Duplex) {
        let there = Side::pair(worker.totals(), Patience::Never, false, None);
        let back = Side::pair(worker.totals(), Patience::Never, false, None);
        let (left, right) = pipes::duplex_stream();
        let end = |sending, receiving, worker: &mut Worker, stream| Duplex {
            sending,
            receiving,
            pen: Pen::new(worker.name()),
            seen: Seen::default(),
            stream,
        };
        (end(there.0, back.1, worker, left), end(back.0, there.1, worker, right))
    }

    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        if worker.once_in(64) {
            worker.did(Kind::DuplexParted);
            let Duplex { sending, receiving, pen, seen, stream } = self;
            let (chan, port) = stream.into_parts();
            worker.put(End::Port(Port { side: receiving, seen, port }));
            return Some(End::Chan(Chan { side: sending, pen, chan, sort: Sort::Endless }));
        }
        if worker.once_in(2) {
            let message = self.pen.write(worker.totals());
            match self.stream.send(message) {
                Ok(()) => {
                    self.sending.ledger.has_sent();
                    worker.did(Kind::Sent);
                }
                Err(error) => refused(error.into_payload(), &self.sending, &mut self.pen, worker),
            }
        } else {
            let how = How::of(&self.receiving, true, worker);
            match hear(&mut self.stream, None, how, worker) {
                Heard::Message(message) => self.seen.note(&self.receiving, &message),
                Heard::Closed => self.receiving.check_complete(),
                Heard::Nothing(_) | Heard::Lost => {}
            }
        }
        Some(End::Duplex(self))
    }
}

impl Caller {
    pub fn act(self, worker: &mut Worker) -> Option<End> {
        if worker.once_in(10) {
            worker.did(Kind::Cloned);
            let clone = Caller { side: self.side.clone(), connector: self.connector.clone() };
            worker.put(End::Connector(clone));
        }
        match self.connector.connect() {
            Ok(client) => {
                worker.did(Kind::Connected);
                let client = Session::alone(Talk::PingClient(client), worker);
                worker.put(End::Session(client));
            }
            Err(pipes::ListenerClosed) => {
                worker.did(Kind::ConnectRefused);
                self.side.check_left();
                // Nothing more will come.
                return None;
            }
        }
        Some(End::Connector(self))
    }
}

impl Service {
    pub fn act(mut self, worker: &mut Worker) -> Option<End> {
        let how = How::of(&self.side, true, worker);
        match hear(&mut self.listener, None, how, worker) {
            Heard::Message(server) => {
                worker.did(Kind::Accepted);
                let server = Session::alone(Talk::PingServer(server), worker);
                worker.put(End::Session(server));
            }
            Heard::Closed => self.side.check_left(),
            Heard::Nothing(_) | Heard::Lost => {}
        }
        Some(End::Listener(self))
    }
}
