//! One side stops at every position of a session, and the other side learns of it.

use super::sides::{any_bounded, any_unbounded};
use super::walk::{Got, Position, Sent, Side, everywhere};
use pipes_tests::{Counted, DropCounter, caught, watched};
use std::any::Any;
use std::collections::BTreeSet;
use std::sync::{Arc, Barrier};
use std::thread;

/// Five messages reach every state of both protocols, and most of them with unread messages.
const DEEPEST: usize = 5;
/// The most messages after which a side stops. Miri takes too long for more.
const MOST: usize = if cfg!(miri) { 3 } else { DEEPEST };

/// How a side stops.
#[derive(Clone, Copy, Debug)]
enum Stop {
    Drop,
    Panic,
    DropElsewhere,
    PanicElsewhere,
}

const STOPS: [Stop; 4] = [Stop::Drop, Stop::Panic, Stop::DropElsewhere, Stop::PanicElsewhere];

impl Stop {
    fn stop<E: Send + 'static>(self, end: E) {
        let die = |end: E| {
            let _end = end;
            // No message on standard error, unlike `panic!`.
            std::panic::resume_unwind(Box::new("on purpose"))
        };
        match self {
            Stop::Drop => drop(end),
            Stop::Panic => assert!(caught(|| die(end)).is_some()),
            Stop::DropElsewhere => thread::spawn(|| drop(end)).join().expect("dropping does not panic"),
            Stop::PanicElsewhere => assert!(thread::spawn(move || die(end)).join().is_err()),
        }
    }
}

/// What a side saw until it learned that the other side had stopped, or that the session was over.
#[derive(Debug, Default)]
struct Learnt {
    sent: usize,
    received: usize,
    came_back: Option<Box<dyn Any + Send>>,
}

impl Learnt {
    /// How many payloads it holds because a send failed.
    fn held(&self) -> usize {
        let Some(payload) = &self.came_back else { return 0 };
        match payload.downcast_ref::<(Counted, Counted)>() {
            Some(_) => 2,
            None => usize::from(payload.is::<Counted>() || payload.is::<(Counted, u64)>()),
        }
    }
}

/// Receives where it can and sends where it must. Ends only when it learns of the other side's end.
fn learn<S: Side>(mut side: S, drops: &DropCounter) -> Learnt {
    let mut learnt = Learnt::default();
    loop {
        side = match side.send(0, drops) {
            Sent::Next(next) => {
                learnt.sent += 1;
                next
            }
            Sent::NotMine(side) => match side.receive() {
                Got::Next(next) => {
                    learnt.received += 1;
                    next
                }
                Got::Last => return Learnt { received: learnt.received + 1, ..learnt },
                Got::Closed => return learnt,
                Got::NotMine(side) => panic!("{side:?} neither sends nor receives"),
            },
            Sent::Refused(payload) => return Learnt { came_back: Some(payload), ..learnt },
            Sent::Last | Sent::NoSuch => panic!("the first message of a state is not its last one"),
        }
    }
}

/// The side in the client's place stops; afterwards the other side learns of it.
fn stop_then_learn<A: Side, B: Side>(position: Position<A, B>, stop: Stop, drops: &DropCounter) {
    let Position { client: stopping, server: other, unread: [_, unread], way } = position;
    stop.stop(stopping);
    let Some(other) = other else { return };
    let learnt = learn(other, drops);
    let seen = (learnt.sent, learnt.received);
    assert_eq!(seen, (0, unread), "after {way:?}: what was sent comes first, and then the close");
    assert_eq!(drops.made() - drops.dropped(), learnt.held(), "after {way:?}: what was refused came back");
}

/// One side stops while the other side runs: it may be waiting already, or find the close before it waits.
fn stop_while_learning<A: Side, B: Side>(position: Position<A, B>, stop: Stop, drops: &DropCounter) {
    let Position { client: stopping, server: Some(other), way, .. } = position else { return };
    let (theirs, start) = (drops.clone(), Arc::new(Barrier::new(2)));
    let go = start.clone();
    let learning = thread::spawn(move || {
        go.wait();
        learn(other, &theirs)
    });
    start.wait();
    stop.stop(stopping);
    let learnt = learning.join().expect("it does not panic");
    assert_eq!(drops.made() - drops.dropped(), learnt.held(), "after {way:?}: what was refused came back");
}

/// One side stops, and then the other side learns of it.
fn one_stops_then_the_other_learns<C: Side, S: Side>(pipe: fn() -> (C, S)) {
    watched(move || {
        for stop in STOPS {
            everywhere(pipe, MOST, |position, drops| stop_then_learn(position, stop, drops));
            everywhere(pipe, MOST, |position, drops| stop_then_learn(position.turned(), stop, drops));
        }
    });
}

/// One side stops while the other side waits or sends.
fn one_stops_while_the_other_learns<C: Side, S: Side>(pipe: fn() -> (C, S)) {
    watched(move || {
        for stop in [Stop::Drop, Stop::Panic] {
            everywhere(pipe, MOST, |position, drops| stop_while_learning(position, stop, drops));
            everywhere(pipe, MOST, |position, drops| stop_while_learning(position.turned(), stop, drops));
        }
    });
}

/// Neither side learns of anything: one stops after the other, or both at once.
fn both_stop<C: Side, S: Side>(pipe: fn() -> (C, S)) {
    watched(move || {
        for first in [Stop::Drop, Stop::Panic] {
            everywhere(pipe, MOST, |Position { client, server, .. }, _| {
                first.stop(client);
                drop(server);
            });
            everywhere(pipe, MOST, |Position { client, server, .. }, _| {
                first.stop(server);
                drop(client);
            });
        }
        everywhere(pipe, MOST, |Position { client, server, .. }, _| {
            let other = thread::spawn(|| drop(client));
            drop(server);
            other.join().expect("dropping does not panic");
        });
    });
}

#[test]
fn one_stops_then_the_other_learns_in_a_bounded_protocol() {
    one_stops_then_the_other_learns(any_bounded);
}

#[test]
fn one_stops_then_the_other_learns_in_an_unbounded_protocol() {
    one_stops_then_the_other_learns(any_unbounded);
}

#[test]
fn one_stops_while_the_other_learns_in_a_bounded_protocol() {
    one_stops_while_the_other_learns(any_bounded);
}

#[test]
fn one_stops_while_the_other_learns_in_an_unbounded_protocol() {
    one_stops_while_the_other_learns(any_unbounded);
}

#[test]
fn both_stop_in_a_bounded_protocol() {
    both_stop(any_bounded);
}

#[test]
fn both_stop_in_an_unbounded_protocol() {
    both_stop(any_unbounded);
}

/// The states that both sides were in, without unread messages and with.
fn visited<C: Side, S: Side>(pipe: fn() -> (C, S)) -> [BTreeSet<String>; 2] {
    let mut visited = [BTreeSet::new(), BTreeSet::new()];
    everywhere(pipe, DEEPEST, |position, _| {
        let ends =
            [position.client.map(|end| format!("{end:?}")), position.server.map(|end| format!("{end:?}"))];
        for (end, unread) in ends.into_iter().zip(position.unread) {
            let end = end.unwrap_or_else(|| "nothing".to_owned());
            visited[usize::from(unread > 0)].insert(end);
        }
    });
    visited
}

#[test]
fn every_state_is_visited() {
    let states = ["Account", "Details", "Login", "Response"];
    let ends = ["Client", "Server"].iter().flat_map(|side| states.map(|state| format!("{side}<{state}>")));
    let ends: BTreeSet<_> = ends.chain(["nothing".to_owned()]).collect();
    let with_unread = ["Client<Response>", "Server<Account>", "Server<Details>", "Server<Login>"];
    for [read, unread] in [visited(any_bounded), visited(any_unbounded)] {
        assert_eq!(read, ends);
        assert_eq!(unread.iter().collect::<Vec<_>>(), with_unread);
    }
}
