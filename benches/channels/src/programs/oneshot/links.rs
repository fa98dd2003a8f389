//! The program over any library's channel for one message.

use std::io;
use std::sync::mpsc;

use super::Oneshot;
use pipes_benches::executor::two_threads;
use pipes_benches::harness::Tally;
use pipes_benches::links::{Closed, OneshotChan, OneshotPort};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("links.rs")];

/// The number of channels whose sending ends are handed over together.
const BATCH: u64 = 128;

/// Uses both ends in this thread.
pub fn in_one_thread<C, P>(oneshot: &Oneshot, channel: impl Fn() -> (C, P)) -> io::Result<Tally>
where
    C: OneshotChan<u64>,
    P: OneshotPort<u64>,
{
    let mut tally = Tally::default();
    for round in 0..oneshot.rounds {
        let (chan, port) = channel();
        let Ok(value) = chan.send(round).and_then(|()| port.recv()) else { break };
        tally.note(value, round);
    }
    Ok(tally)
}

/// Uses the receiving ends in this thread, and the sending ends in another.
pub fn on_threads<C, P>(oneshot: &Oneshot, channel: impl Fn() -> (C, P)) -> io::Result<Tally>
where
    C: OneshotChan<u64>,
    P: OneshotPort<u64>,
{
    let (hand_over, batches) = mpsc::channel();
    let rounds = oneshot.rounds;
    let receiver = move || {
        let mut tally = Tally::default();
        let mut round = 0;
        while round < rounds {
            let batch = BATCH.min(rounds - round);
            let (chans, ports): (Vec<C>, Vec<P>) = (0..batch).map(|_| channel()).unzip();
            if mpsc::Sender::send(&hand_over, chans).is_err() {
                break;
            }
            for port in ports {
                let Ok(value) = port.recv() else { return tally };
                tally.note(value, round);
                round += 1;
            }
        }
        tally
    };
    let sender = move || {
        let mut values = 0..;
        let mut chans = batches.into_iter().flatten();
        chans.try_for_each(|chan: C| values.next().map_or(Err(Closed), |value| chan.send(value)))
    };
    // If a send fails, the verification finds what is missing.
    let (tally, _) = two_threads(receiver, sender)?;
    Ok(tally)
}
