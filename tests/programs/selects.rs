//! Waits for the first of several receivers: the macros, and the functions of 2012.

use crate::births::{self, Sort};
use crate::ends::End;
use crate::kinds::Kind;
use crate::ledger::Patience;
use crate::once::{self, Single as PortOne};
use crate::ports::Single as Port;
use crate::sets::Set;
use crate::wakers::waker;
use crate::worker::Worker;
use pipes::Either;
use std::mem::take;
use std::pin::pin;
use std::task::{Context, Poll};

/// At most one receiver of each kind, and any number of ports.
#[derive(Default)]
struct Hand {
    ports: Vec<Port>,
    one: Option<PortOne>,
    set: Option<Set>,
}

impl Hand {
    /// Takes the end into the hand; returns it if it is not a receiver, or if there is one of its kind
    /// already.
    fn take(&mut self, end: End) -> Option<End> {
        match end {
            End::Port(port) => self.ports.push(port),
            End::PortOne(one) if self.one.is_none() => self.one = Some(one),
            End::Set(set) if self.set.is_none() => self.set = Some(set),
            other => return Some(other),
        }
        None
    }

    /// Makes sure of a port and a receiver of another kind; the other workers find the senders.
    fn fill(&mut self, worker: &mut Worker) {
        if self.ports.is_empty() {
            self.ports.push(stream(worker));
        }
        if self.one.is_some() || self.set.is_some() {
            return;
        }
        if worker.once_in(2) {
            let (chan, port) = births::once(worker, Patience::Receive);
            worker.put(End::ChanOne(chan));
            self.one = Some(port);
        } else {
            let mut set = Set::new(false);
            let port = stream(worker);
            set.insert(port, worker);
            self.set = Some(set);
        }
    }

    fn is_patient(&self) -> bool {
        let sides = self.ports.iter().map(|port| &port.side).chain(self.one.iter().map(|one| &one.side));
        sides.into_iter().all(|side| side.ledger.patience == Patience::Receive)
            && self.set.as_ref().is_none_or(Set::is_patient)
    }

    fn give_back(self, worker: &mut Worker) {
        self.ports.into_iter().for_each(|port| worker.put(End::Port(port)));
        self.one.into_iter().for_each(|one| worker.put(End::PortOne(one)));
        self.set.into_iter().for_each(|set| worker.put(End::Set(set)));
    }
}

/// The port of a fresh stream, whose chan is put into the table.
fn stream(worker: &mut Worker) -> Port {
    let (chan, port) = births::pair(worker, Sort::Endless, Patience::Receive, false);
    worker.put(End::Chan(chan));
    port
}

/// Waits for this end and others from the table. All of them are put back there.
pub fn with(end: End, worker: &mut Worker) -> Option<End> {
    let mut hand = Hand::default();
    hand.take(end);
    for _ in 0..1 + worker.below(4) {
        let Some((cell, other)) = worker.take() else { break };
        if let Some(other) = hand.take(other) {
            worker.put_at(cell, other);
        }
    }
    hand.fill(worker);
    let block = hand.is_patient() && worker.may_block() && worker.blocks();
    // Whether a port gives something, whatever the other workers do.
    let certain = |port: &Port| !port.side.ledger.meets && (port.port.is_ready() || port.port.is_closed());
    if hand.ports.len() > 1 && (block || hand.ports.iter().any(certain)) && worker.once_in(2) {
        let mut ports = take(&mut hand.ports);
        take(&mut hand).give_back(worker);
        function(&mut ports, worker);
        hand.ports = ports;
    } else {
        match (hand.ports.pop(), hand.one.take(), hand.set.take()) {
            // The others are put back before the wait: their unread messages may carry the sender that is
            // waited for.
            (Some(port), Some(one), set) => {
                Hand { set, ..take(&mut hand) }.give_back(worker);
                two_kinds(port, one, &mut hand, block, worker);
            }
            (Some(port), None, Some(set)) => {
                take(&mut hand).give_back(worker);
                port_and_set(port, set, &mut hand, block, worker);
            }
            (port, one, set) => {
                hand.ports.extend(port);
                (hand.one, hand.set) = (one, set);
            }
        }
    }
    hand.give_back(worker);
    None
}

fn heard(port: &mut Port, heard: Result<crate::cargo::Message, pipes::RecvError>, worker: &mut Worker) {
    worker.did(Kind::Selected);
    port.heard(Some(heard.map_err(drop)), worker);
}

/// `select` of a list.
fn function(ports: &mut [Port], worker: &mut Worker) {
    worker.did(Kind::SelectFunction);
    let (index, message, _) = pipes::select(ports.iter_mut().map(|port| &mut port.port).collect());
    heard(&mut ports[index], message, worker);
}

/// `select!` and `select2` of a port and the port of a oneshot.
fn two_kinds(port: Port, one: PortOne, hand: &mut Hand, block: bool, worker: &mut Worker) {
    let Port { side, seen, port: mut from } = port;
    let PortOne { side: one_side, port: mut one } = one;
    let (mut message, mut answer, mut kept) = (None, None, None);
    if block && worker.once_in(2) {
        worker.did(Kind::SelectTwo);
        match pipes::select2(&mut from, one) {
            Either::Left((heard, one)) => (message, kept) = (Some(heard), Some(one)),
            Either::Right((_, heard)) => answer = Some(heard),
        }
    } else if block {
        worker.did(Kind::SelectBlocked);
        pipes::select! {
            heard = from => (message, kept) = (Some(heard), Some(one)),
            heard = one => answer = Some(heard),
        }
    } else {
        let moment = worker.moment();
        pipes::select! {
            heard = from => (message, kept) = (Some(heard), Some(one)),
            heard = one => answer = Some(heard),
            timeout(moment) => {
                worker.did(Kind::SelectTimeout);
                kept = Some(one);
            }
        }
    }
    let mut port = Port { side, seen, port: from };
    if let Some(message) = message {
        heard(&mut port, message, worker);
    }
    match answer {
        Some(Ok(message)) => once::received(&one_side, &message, worker),
        Some(Err(_)) => one_side.check_complete(),
        None => {}
    }
    hand.ports.push(port);
    hand.one = kept.map(|port| PortOne { side: one_side, port });
}

/// `select!` and `select_async!` of a port and a set.
fn port_and_set(mut port: Port, mut set: Set, hand: &mut Hand, block: bool, worker: &mut Worker) {
    let (mut message, mut turn) = (None, None);
    let (from, from_set) = (&mut port.port, &mut set.set);
    let (mut from, mut from_set) = (from, from_set);
    if block {
        worker.did(Kind::SelectBlocked);
        pipes::select! {
            heard = from => message = Some(heard),
            heard = from_set => turn = Some(heard),
        }
    } else if worker.once_in(2) {
        pipes::select! {
            heard = from => message = Some(heard),
            heard = from_set => turn = Some(heard),
            default => worker.did(Kind::SelectDefault),
        }
    } else {
        let waker = waker(worker);
        worker.did(Kind::SelectPolled);
        let polled = pin!(async {
            pipes::select_async! {
                heard = from => (Some(heard), None),
                heard = from_set => (None, Some(heard)),
            }
        });
        if let Poll::Ready(heard) = polled.poll(&mut Context::from_waker(&waker)) {
            (message, turn) = heard;
        }
    }
    if let Some(message) = message {
        heard(&mut port, message, worker);
    }
    match turn {
        Some(Ok(turn)) => set.turn(turn, worker),
        Some(Err(_)) => set.over(worker),
        None => {}
    }
    hand.ports.push(port);
    hand.set = Some(set);
}
