//! Bursts of large messages in a shared stream, whose blocks are freed when the bursts are over, and senders of single messages that are stopped
//! in the middle of a send while that happens: each message comes once. (Blocks are told apart by their addresses, and the memory of
//! one is used again for another; see `tests/stale`.)

use pipes_tests::watched;
use std::thread;

/// So large that a block has room for two.
type Large = [u64; 500];

const BURST: usize = 30;
const ROUNDS: usize = 6;
const SINGLES: usize = 2;

#[test]
fn senders_that_sleep_through_them() {
    watched(|| {
        let (chan, mut port) = pipes::shared_stream::<Large>();
        let singles: Vec<_> = (0..SINGLES)
            .map(|single| {
                let chan = chan.clone();
                thread::spawn(move || {
                    for _ in 0..BURST * ROUNDS / 2 {
                        chan.send([single as u64 + 1; 500]).expect("the port is there");
                    }
                })
            })
            .collect();
        let mut counts = [0; SINGLES + 1];
        for _ in 0..ROUNDS {
            for _ in 0..BURST {
                chan.send([0; 500]).expect("the port is there");
            }
            port.try_iter().for_each(|value| counts[value[0] as usize] += 1);
        }
        drop(chan);
        singles.into_iter().for_each(|single| single.join().expect("it sends"));
        port.iter().for_each(|value| counts[value[0] as usize] += 1);
        assert_eq!(counts[0], BURST * ROUNDS);
        assert!(counts[1..].iter().all(|count| *count == BURST * ROUNDS / 2));
    });
}
