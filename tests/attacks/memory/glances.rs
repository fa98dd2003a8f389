//! Several threads call `is_ready` of a set through a shared reference, while senders of all kinds send and
//! leave: the call walks along the ready list, onto which more tokens are pushed at that moment. A message
//! that was reported must be received without a wait, and each value once.

use pipes::{Port, PortSet};
use pipes_tests::{Tally, watched};
use std::thread;

const MEMBERS: usize = 4;
const EACH: usize = if cfg!(miri) { 2 } else { 20 };
const ROUNDS: usize = if cfg!(miri) { 2 } else { 200 };

#[test]
fn many_eyes() {
    watched(|| {
        for _ in 0..ROUNDS {
            round();
        }
    });
}

fn round() {
    let tally = Tally::new();
    let mut set = PortSet::<Port<_>>::new();
    let mut removed = Vec::new();
    thread::scope(|scope| {
        for number in 0..MEMBERS {
            let (mut chan, port) = pipes::stream();
            set.insert(port);
            let (mut narrow, port) = pipes::sync_stream(number);
            set.insert(port);
            let (shared, port) = pipes::shared_stream();
            set.insert(port);
            // A member whose token may be on its way when it is removed.
            let (mut brief, port) = pipes::stream();
            let gone = set.insert(port);
            let tally = &tally;
            scope.spawn(move || {
                for _ in 0..EACH {
                    let _ = brief.send(tally.make(1));
                    let _ = chan.send(tally.make(1));
                    let _ = shared.send(tally.make(1));
                    let _ = narrow.try_send(tally.make(1));
                }
            });
            removed.push(set.remove(&gone));
        }
        let eyes = || {
            let set = &set;
            thread::scope(|scope| {
                let looks: Vec<_> = (0..2).map(|_| scope.spawn(|| (0..5).any(|_| set.is_ready()))).collect();
                looks.into_iter().any(|look| look.join().expect("it only looks"))
            })
        };
        if eyes() {
            let _ = set.try_recv().expect("it was ready");
        }
        while let Ok((_, value)) = set.recv() {
            drop(value);
            if set.is_ready() {
                let _ = set.try_recv().expect("it was ready");
            }
        }
    });
    drop((set, removed));
    tally.assert_all_gone();
}
