//! Random programs with one planted knot, beside threads that wait for the knot.
//!
//! The members of a knot stand in a ring, and each waits for the next one, in one of several ways. All ends
//! were used by their owners before, in scopes or in none. So the knot must be found, with exactly its
//! members: certain if all have scopes and no channel may have other ends, otherwise suspected.
//! `PIPES_KNOTS=count` and `PIPES_KNOT_START=n` set how many programs run in one process, and from which seed
//! on. Their threads stay until the process ends.

use crate::{asking, names, start};
use fastrand::Rng;
use pipes::inspect::{Verdict, deadlocks, scope, snapshot};
use pipes::{Chan, Port, PortSet, SharedChan, select, shared_sync_stream, stream, sync_stream};
use pipes_tests::{effort, watched};
use std::sync::{Arc, Barrier};

/// The ends of one member with which it waits for the next one, or which the next one keeps.
enum Ends {
    Client(Option<asking::Client<asking::Idle>>, Option<asking::Client<asking::Asked>>),
    Server(Option<asking::Server<asking::Idle>>, Option<asking::Server<asking::Asked>>),
    /// The ports, and whether it waits in a set.
    Ports(Vec<Port<u32>>, bool),
    Chans(Vec<Chan<u32>>),
    Full(Chan<u32>),
    Permit(SharedChan<u32>),
    Port(Port<u32>),
    /// A port at which a chan comes, for one of the ports.
    Given(Port<Chan<u32>>, Option<Chan<u32>>),
}

impl Ends {
    /// Returns how one member waits for another one, and what the other one keeps.
    fn pair(random: &mut Rng) -> (Self, Self) {
        match random.u32(0..5) {
            0 => {
                let (client, server) = asking::pipe();
                (Ends::Client(Some(client), None), Ends::Server(Some(server), None))
            }
            1 => {
                let (chans, ports) = (0..random.usize(1..4)).map(|_| stream()).unzip();
                (Ends::Ports(ports, random.bool()), Ends::Chans(chans))
            }
            2 => {
                let (chan, port) = sync_stream(1);
                (Ends::Full(chan), Ends::Port(port))
            }
            3 => {
                let (chan, port) = shared_sync_stream(1);
                (Ends::Permit(chan), Ends::Port(port))
            }
            _ => {
                let ((mut give, take), (chan, port)) = (stream(), stream());
                give.send(chan).expect("the port is there");
                (Ends::Ports(vec![port], random.bool()), Ends::Given(take, None))
            }
        }
    }

    /// Uses the ends in which it is its turn to send. Nothing waits.
    fn send(&mut self) {
        match self {
            Ends::Client(client, asked) => {
                *asked = client.take().map(|client| client.ask(1).expect("the server is there"));
            }
            Ends::Chans(chans) => {
                chans.iter_mut().for_each(|chan| chan.send(1).expect("the port is there"));
            }
            Ends::Full(chan) => chan.send(1).expect("there is room"),
            Ends::Permit(chan) => chan.send(1).expect("there is room"),
            Ends::Given(port, given) => {
                let chan = given.insert(port.recv().expect("it was sent"));
                chan.send(1).expect("the port is there");
            }
            Ends::Server(..) | Ends::Ports(..) | Ends::Port(_) => {}
        }
    }

    /// Uses the other ends. They wait only for what `send` sends.
    fn receive(&mut self) {
        match self {
            Ends::Server(server, asked) => {
                let received = server.take().map(|server| server.recv().expect("it asks"));
                let Some(asking::Idle::Ask(_, server)) = received else { panic!("it asks") };
                *asked = Some(server);
            }
            Ends::Ports(ports, _) => ports.iter_mut().for_each(|port| assert_eq!(port.recv(), Ok(1))),
            Ends::Port(port) => assert_eq!(port.recv(), Ok(1)),
            Ends::Client(..) | Ends::Chans(_) | Ends::Full(_) | Ends::Permit(_) | Ends::Given(..) => {}
        }
    }

    /// Waits for the one who has the other ends, in vain.
    fn wait(self) {
        match self {
            Ends::Client(_, Some(client)) => drop(client.recv()),
            Ends::Full(mut chan) => {
                chan.send(2).expect("there is room");
                let _ = chan.send(3);
            }
            Ends::Permit(chan) => {
                chan.send(2).expect("there is room");
                drop(chan.reserve());
            }
            Ends::Ports(mut ports, in_set) => match &mut *ports {
                [one] if !in_set => assert!(one.recv().is_err()),
                [one, two] if !in_set => {
                    let (mut one, mut two) = (one, two);
                    let _ = select! { it = one => it, it = two => it };
                }
                _ => drop(PortSet::from_iter(ports).recv()),
            },
            _ => panic!("these are kept"),
        }
    }
}

/// Runs a program until its knot is found.
fn run(seed: u64) {
    let mut random = Rng::with_seed(seed);
    let (count, behind) = (random.usize(2..=5), random.usize(0..3));
    let in_scopes = random.bool();
    let (waits, mut kept): (Vec<_>, Vec<_>) = (0..count).map(|_| Ends::pair(&mut random)).unzip();
    let may_be_many = waits.iter().any(|ends| matches!(ends, Ends::Permit(_)));
    let expected = if in_scopes && !may_be_many { Verdict::Certain } else { Verdict::Suspected };
    kept.rotate_right(1);
    let mut kept: Vec<_> = kept.into_iter().map(|ends| vec![ends]).collect();
    let members: Vec<_> = (0..count).map(|member| format!("knot {seed}: {member}")).collect();
    let barrier = Arc::new(Barrier::new(count + behind));
    // Each waits for a member that keeps the chan, and none waits for it.
    for index in 0..behind {
        let ((chan, mut port), barrier) = (stream(), barrier.clone());
        kept[random.usize(0..count)].push(Ends::Chans(vec![chan]));
        start(&format!("behind {seed}: {index}"), move || {
            assert_eq!(port.recv(), Ok(1));
            barrier.wait();
            let _ = port.recv();
        });
    }
    for ((name, mut waits), mut kept) in members.iter().zip(waits).zip(kept) {
        let barrier = barrier.clone();
        let run = move || {
            waits.send();
            kept.iter_mut().for_each(Ends::send);
            waits.receive();
            kept.iter_mut().for_each(Ends::receive);
            barrier.wait();
            waits.wait();
            drop(kept);
        };
        start(name, move || if in_scopes { scope("of a member", run) } else { run() });
    }
    let begins =
        |names: &[String], with: &str| names.iter().any(|it| it.starts_with(&format!("{with} {seed}:")));
    loop {
        for found in deadlocks() {
            let names = names(&found);
            assert!(!begins(&names, "behind"), "{found}");
            if begins(&names, "knot") {
                assert_eq!(names, members, "{found}\n{}", snapshot());
                return assert_eq!(found.verdict, expected, "{found}");
            }
        }
        std::thread::yield_now();
    }
}

#[test]
fn planted_knots_are_found_with_exactly_their_members() {
    watched(|| {
        let number = |name| std::env::var(name).ok().map(|it| it.parse::<u64>().expect("a number"));
        let start = number("PIPES_KNOT_START").unwrap_or(0);
        let count = number("PIPES_KNOTS").unwrap_or(effort(60) as u64);
        (start..start + count).for_each(run);
    });
}
