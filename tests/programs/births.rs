//! Makes pipes of every kind, and puts their ends where the workers find them.

use crate::chans::{Many, One, Single as Chan};
use crate::ends::End;
use crate::ledger::{Patience, Pen, Seen, Side};
use crate::once::Single as PortOne;
use crate::ports::Single as Port;
use crate::services::{Caller, Duplex, Service};
use crate::sessions::Session;
use crate::sets::Set;
use crate::worker::Worker;

/// The kind of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Endless,
    Bounded(usize),
}

impl Sort {
    /// At random; the capacity is one of these.
    fn random(worker: &mut Worker, least: u64, most: u64) -> Sort {
        if worker.once_in(2) {
            Sort::Endless
        } else {
            Sort::Bounded((least + worker.below(most - least + 1)) as usize)
        }
    }

    fn capacity(self) -> Option<usize> {
        match self {
            Sort::Endless => None,
            Sort::Bounded(capacity) => Some(capacity),
        }
    }
}

/// A stream with one sender.
pub fn pair(worker: &mut Worker, sort: Sort, patience: Patience, carries: bool) -> (Chan, Port) {
    let sides = Side::pair(worker.totals(), patience, carries, sort.capacity());
    let (chan, port) = match sort {
        Sort::Endless => pipes::stream(),
        Sort::Bounded(capacity) => pipes::sync_stream(capacity),
    };
    let chan = Chan { side: sides.0, pen: Pen::new(worker.name()), chan, sort };
    (chan, Port { side: sides.1, seen: Seen::default(), port })
}

/// A stream with many senders.
pub fn shared(worker: &mut Worker, sort: Sort, patience: Patience, carries: bool) -> (Many, Port) {
    let sides = Side::pair(worker.totals(), patience, carries, sort.capacity());
    let (chan, port) = match sort {
        Sort::Endless => pipes::shared_stream(),
        Sort::Bounded(capacity) => pipes::shared_sync_stream(capacity),
    };
    let chan = Many { side: sides.0, pen: Pen::new(worker.name()), chan, sort };
    (chan, Port { side: sides.1, seen: Seen::default(), port })
}

/// A oneshot.
pub fn once(worker: &mut Worker, patience: Patience) -> (One, PortOne) {
    let sides = Side::pair(worker.totals(), patience, false, None);
    let (chan, port) = pipes::oneshot();
    (One { side: sides.0, pen: Pen::new(worker.name()), chan }, PortOne { side: sides.1, port })
}

fn patience(worker: &mut Worker) -> Patience {
    match worker.below(8) {
        0 => Patience::Never,
        1 => Patience::Close,
        _ => Patience::Receive,
    }
}

/// Makes a pipe of a random kind, and puts its ends into the cells of two different workers.
pub fn birth(worker: &mut Worker) {
    let kinds = worker.program.shape.kinds;
    let kind = kinds[worker.below(kinds.len() as u64) as usize];
    let patience = patience(worker);
    let carries = patience == Patience::Receive && worker.once_in(8);
    let (left, right) = match kind {
        Birth::Endless => ends(pair(worker, Sort::Endless, patience, carries)),
        Birth::Bounded => {
            let capacity = worker.below(5) as usize;
            ends(pair(worker, Sort::Bounded(capacity), patience, carries))
        }
        Birth::Shared => several(shared(worker, Sort::Endless, patience, carries), worker),
        Birth::SharedBounded => {
            let capacity = 1 + worker.below(4) as usize;
            several(shared(worker, Sort::Bounded(capacity), patience, carries), worker)
        }
        Birth::SharedPort => {
            let (chan, port) = if worker.once_in(2) {
                let sort = Sort::random(worker, 0, 2);
                ends(pair(worker, sort, patience, carries))
            } else {
                let sort = Sort::random(worker, 1, 4);
                several(shared(worker, sort, patience, carries), worker)
            };
            let End::Port(port) = port else { unreachable!("it is a port") };
            let port = port.share();
            worker.put(End::SharedPort(port.another()));
            (chan, End::SharedPort(port))
        }
        Birth::Once => {
            let (chan, port) = once(worker, patience);
            (End::ChanOne(chan), End::PortOne(port))
        }
        Birth::Eventual => {
            let (chan, port) = once(worker, patience);
            (End::ChanOne(chan), End::Eventual(port.later()))
        }
        Birth::Set => {
            let mut set = Set::new(carries);
            for _ in 0..2 {
                let sort = Sort::random(worker, 0, 2);
                let (chan, port) = pair(worker, sort, patience, carries);
                set.insert(port, worker);
                worker.put(End::Chan(chan));
            }
            let sort = Sort::random(worker, 1, 4);
            let (chan, port) = shared(worker, sort, patience, carries);
            set.insert(port, worker);
            (End::SharedChan(chan), End::Set(set))
        }
        Birth::Session => {
            let (client, server) = Session::pair(worker);
            (End::Session(client), End::Session(server))
        }
        Birth::Duplex => {
            let (left, right) = Duplex::pair(worker);
            (End::Duplex(left), End::Duplex(right))
        }
        Birth::Service => {
            let sides = Side::pair(worker.totals(), patience, false, None);
            let (connector, listener) = pipes::listen();
            let service = Service { side: sides.1, listener };
            (End::Connector(Caller { side: sides.0, connector }), End::Listener(service))
        }
    };
    let cells = worker.program.table.len() as u64;
    let first = worker.below(cells);
    let (left_at, right_at) = (first, (first + 1 + worker.below(cells - 1)) % cells);
    worker.put_at(left_at as usize, left);
    worker.put_at(right_at as usize, right);
}

/// Some more senders, which the workers find in the table.
fn several((chan, port): (Many, Port), worker: &mut Worker) -> (End, End) {
    for _ in 0..worker.below(4) {
        let clone = chan.another(worker);
        worker.put(End::SharedChan(clone));
    }
    (End::SharedChan(chan), End::Port(port))
}

fn ends((chan, port): (Chan, Port)) -> (End, End) {
    (End::Chan(chan), End::Port(port))
}

/// The kinds of pipes that a program makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Birth {
    Endless,
    Bounded,
    Shared,
    SharedBounded,
    SharedPort,
    Once,
    Eventual,
    Set,
    Session,
    Duplex,
    Service,
}

impl Birth {
    /// Every kind; those with the most interaction between their threads more than once.
    pub const ALL: &[Birth] = &[
        Birth::Endless,
        Birth::Bounded,
        Birth::Bounded,
        Birth::Shared,
        Birth::Shared,
        Birth::Shared,
        Birth::SharedBounded,
        Birth::SharedBounded,
        Birth::SharedBounded,
        Birth::SharedPort,
        Birth::SharedPort,
        Birth::Once,
        Birth::Eventual,
        Birth::Set,
        Birth::Set,
        Birth::Session,
        Birth::Session,
        Birth::Duplex,
        Birth::Service,
    ];
}
