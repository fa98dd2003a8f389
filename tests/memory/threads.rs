//! Between threads there is no allocation for a message, once both threads are warm.

use crate::both_without_allocating;
use pipes::{PortSet, stream};
use pipes_tests::watched;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

/// Runs both sides in threads of their own: first to warm up, and then without allocations.
fn run_both(
    mut one: impl FnMut(u64) + Send + 'static,
    mut two: impl FnMut(u64) + Send + 'static,
    warm_up: u64,
    rounds: u64,
) {
    watched(move || {
        // The first wait of a process that does not end at once allocates: it asks for the number of cores.
        let (_chan, mut idle) = stream::<()>();
        assert!(idle.recv_timeout(Duration::from_millis(10)).is_err());
        let both = Arc::new(Barrier::new(2));
        let theirs = both.clone();
        let other = thread::spawn(move || {
            two(warm_up);
            both_without_allocating(&theirs, || two(rounds));
        });
        // A thread's first sleep may allocate what all its later sleeps use.
        one(warm_up);
        both_without_allocating(&both, || one(rounds));
        other.join().expect("the other thread allocates nothing");
    });
}

/// One message at a time: the answer comes through a second stream.
#[test]
fn streams_in_lock_step() {
    let ((mut chan, mut port), (mut answer, mut answered)) = (stream(), stream());
    // Leaves the first blocks, which belong to the streams' own memory. Later a stream may stay in its block
    // for any number of rounds, namely if the receiver waits each time when the block ends.
    for round in 0..200 {
        chan.send(round).expect("the port is here");
        answer.send(round).expect("the port is here");
    }
    assert!((0..200).all(|round| (port.recv(), answered.recv()) == (Ok(round), Ok(round))));
    let call = move |rounds| {
        for round in 0..rounds {
            chan.send(round).expect("the port is there");
            assert_eq!(answered.recv(), Ok(round));
        }
    };
    let echo = move |rounds| {
        for round in 0..rounds {
            assert_eq!(port.recv(), Ok(round));
            answer.send(round).expect("the port is there");
        }
    };
    run_both(call, echo, 1_000, 50_000);
}

/// Runs of two hundred while the other side receives, in step by a barrier.
#[test]
fn runs_of_a_stream() {
    let (mut chan, mut port) = stream();
    (0..400).for_each(|number| chan.send(number).expect("the port is here"));
    (0..400).for_each(|number| assert_eq!(port.recv(), Ok(number)));
    let pace = Arc::new(Barrier::new(2));
    let theirs = pace.clone();
    let send = move |rounds| {
        for _ in 0..rounds {
            (0..200).for_each(|number| chan.send(number).expect("the port is there"));
            pace.wait();
        }
    };
    let receive = move |rounds| {
        for _ in 0..rounds {
            (0..200).for_each(|number| assert_eq!(port.recv(), Ok(number)));
            theirs.wait();
        }
    };
    run_both(send, receive, 100, 2_000);
}

/// Both threads meet after each message, so that the sender has released the set's registration when the set
/// waits again: a set that finds it in use allocates a new one.
#[test]
fn a_set_that_waits() {
    for idle in [0, 100_000] {
        let mut set = PortSet::new();
        let mut busy = [(); 3].map(|()| set.chan());
        let silent: Vec<_> = (0..idle).map(|_| set.chan()).collect();
        let pace = Arc::new(Barrier::new(2));
        let theirs = pace.clone();
        let send = move |rounds| {
            for number in 0..rounds {
                busy[number as usize % 3].send(number).expect("the set is there");
                pace.wait();
            }
        };
        let receive = move |rounds| {
            for number in 0..rounds {
                assert_eq!(set.recv(), Ok((number as usize % 3, Ok(number))));
                theirs.wait();
            }
        };
        run_both(send, receive, 200, 2_000);
        drop(silent);
    }
}
