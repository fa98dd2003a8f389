//! A task waits for a set behind a lock, while a thread inserts, removes and reinserts members and sometimes
//! receives itself, and other threads send. Each message must be received once, by the task or by that
//! thread, and the task must see the end.

use pipes::{Chan, Port, PortSet, stream, sync_stream};
use pipes_tests::{Random, effort, lend, watched};
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::thread;

type Set = Arc<Mutex<PortSet<Port<u64>, u64>>>;

fn pair(random: &mut Random) -> (Chan<u64>, Port<u64>) {
    match random.below(3) {
        0 => stream(),
        room => sync_stream(room as usize - 1),
    }
}

/// Receives until the set is empty. Returns the sum of what it received.
fn wait(set: &Set) -> u64 {
    let mut sum = 0;
    futures::executor::block_on(poll_fn(|cx| {
        loop {
            let mut set = set.lock().expect("no thread panics with it");
            if set.poll_ready(cx).is_pending() {
                return Poll::Pending;
            }
            match set.try_recv() {
                Ok((_, number)) => sum += number.unwrap_or(0),
                Err(pipes::TryRecvError::Closed) => return Poll::Ready(()),
                Err(pipes::TryRecvError::Empty(())) => {}
            }
        }
    }));
    sum
}

fn round(seed: u64) {
    let random = &mut Random::new(seed);
    let set = Set::default();
    let (keeper, port) = stream();
    set.lock().expect("no thread panics with it").insert_at(0, port);
    let waiting = {
        let set = set.clone();
        lend(move || wait(&set))
    };
    let (mut senders, mut sent, mut taken) = (Vec::new(), 0, 0);
    for key in 1..=6 {
        let (mut chan, port) = pair(random);
        let (count, mut pauses) = (1 + random.below(20), Random::new(seed + key));
        sent += count * (count + 1) / 2;
        senders.push(lend(move || {
            for number in 1..=count {
                pauses.dawdle(300);
                chan.send(number).expect("its port is in the set, or on its way back");
            }
        }));
        random.clone().dawdle(1000);
        drop(set.lock().expect("no thread panics with it").insert_at(key, port));
        for _ in 0..random.below(4) {
            let key = 1 + random.below(6);
            let port = set.lock().expect("no thread panics with it").remove(&key);
            random.dawdle(500);
            if let Some(port) = port {
                let key = if random.below(2) == 0 { key } else { key + 100 };
                drop(set.lock().expect("no thread panics with it").insert_at(key, port));
            }
            if random.below(3) == 0
                && let Ok((_, number)) = set.lock().expect("no thread panics with it").try_recv()
            {
                taken += number.unwrap_or(0);
            }
        }
    }
    // The set ends in one of three ways: its last member closes, is removed, or is replaced by one that has
    // closed.
    senders.into_iter().for_each(|sender| sender.join().expect("it does not panic"));
    match random.below(3) {
        0 => drop(keeper),
        1 => {
            while set.lock().expect("no thread panics with it").len() > 1 {
                thread::yield_now();
            }
            assert!(set.lock().expect("no thread panics with it").remove(&0).is_some());
        }
        _ => {
            let (chan, port) = stream();
            drop(chan);
            assert!(set.lock().expect("no thread panics with it").insert_at(0, port).is_some());
        }
    }
    assert_eq!(waiting.join().expect("it does not panic") + taken, sent, "{seed}");
}

#[test]
fn all_is_received_and_the_end_is_learned() {
    watched(|| (0..effort(1_000) as u64).for_each(round));
}
