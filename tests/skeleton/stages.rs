//! Sources, stages and farms. (The random pipelines show what they do to the items and to their order.)

use pipes_skeleton::{Pipeline, Processed, Stage, from_iter, from_port, merge};
use pipes_tests::{test_in, watched};
use std::sync::{Arc, mpsc};
use std::thread;

const MANY: u64 = 3000;

#[test_in(watched)]
fn a_port_of_many_senders() {
    let (chan, port) = pipes::shared_stream();
    let senders: Vec<_> = (0..3_u64)
        .map(|sender| {
            let chan = chan.clone();
            thread::spawn(move || (0..100).for_each(|n| chan.send(sender * 100 + n).expect("it is received")))
        })
        .collect();
    drop(chan);
    let mut items = from_port(port).collect().expect("none fails");
    items.sort_unstable();
    assert!(items.into_iter().eq(0..300));
    senders.into_iter().for_each(|sender| sender.join().expect("all were sent"));
}

#[test_in(watched)]
fn no_source_at_all() {
    assert_eq!(merge(Vec::<Pipeline<u64>>::new()).collect().expect("none fails"), []);
    assert_eq!(from_iter(0..0_u64).parallel(3, |n| n).in_order().collect().expect("none fails"), []);
}

/// A struct as a stage, made once for each replica; each keeps a state of its own.
#[test_in(watched)]
fn replicas_have_states_of_their_own() {
    struct Counter(usize, u64);

    impl Stage<u64> for Counter {
        type Out = (usize, u64, u64);

        fn process(&mut self, n: u64, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
            self.1 += 1;
            emit((self.0, self.1, n))
        }
    }

    let seen = from_iter(0..MANY).parallel_with(3, |number| Counter(number, 0)).in_order().collect();
    let mut counts = [0; 3];
    for (replica, count, n) in seen.expect("none fails").into_iter().rev() {
        assert!(n < MANY && count > 0);
        counts[replica] = counts[replica].max(count);
    }
    assert_eq!(counts.iter().sum::<u64>(), MANY);
}

/// While one replica is busy with an item, the others do all the rest.
#[test]
fn nobody_waits_for_a_busy_replica() {
    for busy_at in [0, 1, 40, 500] {
        watched(move || {
            let (done, when_done) = mpsc::channel();
            let when_done = Arc::new(std::sync::Mutex::new(when_done));
            let count = from_iter(0..1000_u64)
                .in_flight(2000)
                .parallel(2, move |n| {
                    if n == busy_at {
                        // Until all the other items are done.
                        let when_done = when_done.lock().unwrap();
                        (0..999).for_each(|_| when_done.recv().unwrap());
                    } else {
                        done.send(()).unwrap();
                    }
                })
                .fold(0, |count, ()| count + 1);
            assert_eq!(count.expect("none fails"), 1000);
        });
    }
}

#[test_in(watched)]
fn a_scheduler_of_ones_own() {
    let schedule = |n: &u64, replicas| if *n < 5 { 0 } else { replicas + 1 };
    let seen = from_iter(0..10_u64).scheduled_with(3, schedule, |replica| move |n| (replica, n)).in_order();
    let replicas: Vec<_> =
        seen.collect().expect("none fails").into_iter().map(|(replica, _)| replica).collect();
    assert_eq!(replicas, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
}
