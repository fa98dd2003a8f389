//! A sender that has waited for the close must find everything dropped that was sent and not received:
//! wherever the port was, however slowly it drops, and whether or not a destructor panics.

use pipes::{
    Chan, Closing, Port, PortSet, SharedChan, duplex_stream, oneshot, shared_stream, stream, sync_stream,
};
use pipes_skeleton::from_port;
use pipes_tests::{Random, bank, caught, effort, lend, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

/// Takes a while to be dropped, and may panic then.
struct Slow(Arc<AtomicUsize>, u64, bool);

impl Drop for Slow {
    fn drop(&mut self) {
        Random::new(self.1).dawdle(2000);
        self.0.fetch_add(1, SeqCst);
        if self.2 && !thread::panicking() {
            panic!("a destructor");
        }
    }
}

enum Way {
    Sole(Chan<Slow>),
    Many(SharedChan<Slow>),
}

/// Drops the port in one of several places.
fn go(port: Port<Slow>, place: u64) {
    match place {
        0 => drop(port),
        1 => {
            let shared = port.into_shared();
            let other = shared.clone();
            drop(shared);
            drop(other);
        }
        2 => {
            let mut set = PortSet::new();
            set.insert(port);
            drop(set);
        }
        3 => drop(port.into_iter()),
        4 => {
            let (mut duplex, _other) = duplex_stream::<(), Slow>();
            *duplex.parts_mut().1 = port;
            drop(duplex);
        }
        5 => {
            let (chan, carrier) = oneshot();
            assert!(chan.send(port).is_ok());
            drop(carrier);
        }
        _ => drop(from_port(port)),
    }
}

fn round(seed: u64) {
    let random = &mut Random::new(seed);
    let dropped = Arc::new(AtomicUsize::new(0));
    let (mut way, port) = match random.below(3) {
        0 => {
            let (chan, port) = stream();
            (Way::Sole(chan), port)
        }
        1 => {
            let (chan, port) = shared_stream();
            (Way::Many(chan), port)
        }
        _ => {
            let (chan, port) = sync_stream(300);
            (Way::Sole(chan), port)
        }
    };
    let count = 1 + random.below(200) as usize;
    let panics = random.below(2 * count as u64) as usize;
    for number in 0..count {
        let slow = Slow(dropped.clone(), random.below(1000), number == panics);
        let sent = match &mut way {
            Way::Sole(chan) => chan.send(slow).is_ok(),
            Way::Many(chan) => chan.send(slow).is_ok(),
        };
        assert!(sent);
    }
    let place = random.below(7);
    let goes = lend(move || drop(caught(|| go(port, place))));
    let waits = random.below(3);
    let end: &mut dyn Ends = match &mut way {
        Way::Sole(chan) => chan,
        Way::Many(chan) => chan,
    };
    end.wait(waits);
    assert_eq!(dropped.load(SeqCst), count, "{seed}: place {place}, wait {waits}");
    goes.join().expect("it catches");
}

trait Ends {
    fn wait(&mut self, how: u64);
}

impl<E: Closing> Ends for E {
    fn wait(&mut self, how: u64) {
        match how {
            0 => self.wait_closed(),
            1 => while !self.wait_closed_timeout(std::time::Duration::from_micros(50)) {},
            _ => {
                while !Closing::is_closed(self) {
                    thread::yield_now();
                }
                self.wait_closed();
            }
        }
    }
}

#[test]
fn what_was_sent_on_a_stream() {
    watched(|| (0..effort(1_500) as u64).for_each(round));
}

#[test]
fn what_was_sent_in_a_session() {
    watched(|| {
        for seed in 0..effort(500) as u64 {
            let dropped = Arc::new(AtomicUsize::new(0));
            let (mut client, server) = bank::pipe();
            for number in 0..100 {
                client = client.deposit(Slow(dropped.clone(), seed + number, false)).expect("it is there");
            }
            let goes = lend(move || drop(server));
            client.wait(seed % 3);
            assert_eq!(dropped.load(SeqCst), 100);
            goes.join().expect("it does not panic");
        }
    });
}
