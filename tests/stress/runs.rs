//! Runs and single values by turns, in streams of each kind: nothing is lost, doubled, leaked or out of
//! order, also if the port leaves in between.

use crate::race::alone;
use futures::executor::block_on;
use pipes::{Chan, Port};
use pipes_tests::{Counted, Random, Tally, effort, lend, poll, poll_future};
use std::task::Waker;

/// How often each stream is tried.
const ROUNDS: usize = if cfg!(miri) { 2 } else { 10 };
/// `None` means no limit.
const CAPACITIES: [Option<usize>; 6] = [None, Some(0), Some(1), Some(2), Some(5), Some(200)];

fn some(random: &mut Random) -> usize {
    let limit = if random.below(8) == 0 { 200 } else { 5 };
    random.below(limit) as usize
}

/// Sends the next values with random verbs, until all are sent or the port has gone. Returns the number that
/// was sent.
fn send(chan: &mut Chan<Counted>, tally: &Tally, count: u64, random: &mut Random) -> u64 {
    let (mut next, mut values) = (0, Vec::new());
    loop {
        let more = some(random).min((count - next) as usize);
        values.extend((next..next + more as u64).map(|number| tally.make(number)));
        next += more as u64;
        let is_open = match random.below(6) {
            0 | 1 => chan.send_all(&mut values).is_ok(),
            2 => chan.try_send_all(&mut values).is_ok() || !chan.is_closed(),
            3 => block_on(chan.send_all_async(&mut values)).is_ok(),
            4 => {
                let mut sending = chan.send_all_async(&mut values);
                let _ = poll_future(&mut sending, Waker::noop());
                random.dawdle(50);
                drop(sending);
                !chan.is_closed()
            }
            _ if values.is_empty() => !chan.is_closed(),
            _ => {
                let sent = chan.send(values.remove(0));
                let is_open = sent.is_ok();
                if let Err(error) = sent {
                    values.insert(0, error.into_payload());
                }
                is_open
            }
        };
        if !is_open || next == count && values.is_empty() {
            assert!(values.iter().map(|value| value.number).eq(next - values.len() as u64..next));
            return next - values.len() as u64;
        }
    }
}

/// Receives with random verbs, until `enough` values have come or the chan has gone. Returns their number.
fn receive(port: &mut Port<Counted>, enough: u64, random: &mut Random) -> u64 {
    let (mut received, mut values) = (0, Vec::new());
    while received < enough {
        let limit = (1 + some(random)).min((enough - received) as usize);
        let is_over = match random.below(5) {
            0 | 1 => port.recv_many(&mut values, limit).is_err(),
            2 => port.try_recv_many(&mut values, limit).is_err_and(|error| error.is_closed()),
            3 => {
                let _ = poll(port, Waker::noop());
                random.dawdle(50);
                block_on(port.recv_many_async(&mut values, limit)).is_err()
            }
            _ => port.recv().map(|value| values.push(value)).is_err(),
        };
        if is_over {
            break;
        }
        assert!(values.len() <= limit);
        for value in values.drain(..) {
            assert_eq!(value.number, received, "in order");
            received += 1;
        }
    }
    received
}

#[test]
fn everything_is_received_or_left() {
    alone(|| {
        for round in 0..ROUNDS * CAPACITIES.len() {
            let capacity = CAPACITIES[round % CAPACITIES.len()];
            let tally = Tally::new();
            let (mut chan, mut port) = capacity.map_or_else(pipes::stream, pipes::sync_stream);
            let count = effort(3_000) as u64;
            let (made, mut random) = (tally.clone(), Random::new(2 * round as u64));
            // In every second round the port leaves early.
            let all = (round / CAPACITIES.len()).is_multiple_of(2);
            let enough = if all { u64::MAX } else { random.below(count) };
            let sender = lend(move || send(&mut chan, &made, count, &mut random));
            let received = receive(&mut port, enough, &mut Random::new(2 * round as u64 + 1));
            drop(port);
            let sent = sender.join().expect("the sender does not panic");
            if enough == u64::MAX {
                assert_eq!((received, sent), (count, count));
            } else {
                assert!(received == enough && sent >= received, "{received} received, {sent} sent");
            }
            tally.assert_all_gone();
        }
    });
}
