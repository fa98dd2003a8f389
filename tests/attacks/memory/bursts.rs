//! Bursts of large messages in a shared stream, after each of which some blocks are freed. Another sender is
//! stopped in the middle of a send while that happens, until the memory of the block that it has loaded
//! belongs to another block. Each message must come once. The scheduler has to stop the sender at that point,
//! as Miri does with many seeds.

use pipes_tests::watched;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// So large that a block has room for two of them.
type Large = [u64; 250];

/// At most eight free blocks are kept for senders. The ninth block of a burst is new, and the one before it
/// is freed when all messages are received.
const BURST: usize = 18;
const ROUNDS: usize = if cfg!(miri) { 30 } else { 3000 };

#[test]
fn senders_that_sleep_through_them() {
    watched(|| {
        let (chan, mut port) = pipes::shared_stream::<Large>();
        let over = AtomicBool::new(false);
        let mut counts = [0; 2];
        let sent = thread::scope(|scope| {
            let other = scope.spawn({
                let (chan, over) = (chan.clone(), &over);
                move || {
                    let mut sent = 0;
                    while !over.load(Ordering::Relaxed) {
                        (0..2).for_each(|_| chan.send([1; 250]).expect("the port is there"));
                        sent += 2;
                        thread::yield_now();
                    }
                    sent
                }
            });
            for round in 0..ROUNDS {
                // All blocks but the last one are used up. So is the last one, unless the other thread has
                // stopped between its two sends.
                let odd = (counts[0] + counts[1]) % 2;
                for number in 0..BURST + odd {
                    chan.send([0; 250]).expect("the port is there");
                    counts[0] += 1;
                    // After the eighth block in every second round, and after the ninth in the others.
                    if number + 1 == BURST + odd - 2 * (round % 2) {
                        thread::yield_now();
                    }
                }
                port.try_iter().for_each(|value| counts[1] += value[0] as usize);
            }
            over.store(true, Ordering::Relaxed);
            other.join().expect("it sends")
        });
        drop(chan);
        port.iter().for_each(|value| counts[1] += value[0] as usize);
        assert_eq!(counts, [counts[0], sent]);
    });
}
