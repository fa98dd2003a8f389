//! Rings of threads, some of which leave at random.

use crate::race::alone;
use pipes_tests::bank::Account;
use pipes_tests::{Counted, DropCounter, Rng, bank, effort, test_in};
use std::thread;

/// One in `LEAVE` messages is a node's last.
const LEAVE: u64 = if cfg!(miri) { 10 } else { 200 };

/// A node: hands on what it receives, until it leaves by chance or one of its neighbours has left.
fn node(mut from: bank::Server<Account<Counted>>, to: bank::Client<Account<Counted>>, mut random: Rng) {
    let mut to = Some(to);
    while let Some(chan) = to.take() {
        if random.u64(..LEAVE) == 0 {
            return;
        }
        match from.recv() {
            Ok(Account::Deposit(payload, next)) => {
                from = next;
                match chan.deposit(payload) {
                    Ok(chan) => to = Some(chan),
                    Err(error) => drop(error.into_payload()),
                }
            }
            Ok(Account::Withdraw(..) | Account::Leave) => panic!("no client withdraws here"),
            Err(_) => return,
        }
    }
}

/// When a node leaves, all others learn of it; nothing hangs and nothing is lost.
#[test_in(alone)]
fn a_ring_with_random_drops() {
    for seed in 0..if cfg!(miri) { 1 } else { 60 } {
        let drops = DropCounter::new();
        let nodes = 6;
        let (mut chans, mut ports): (Vec<_>, Vec<_>) = (0..nodes).map(|_| bank::pipe()).unzip();
        // Some messages are on their way from the beginning.
        for number in 0..10 {
            let chan = chans.remove(0);
            chans.push(chan.deposit(drops.make(number)).expect("no side has left yet"));
        }
        chans.rotate_left(10 % nodes);
        chans.rotate_left(1);
        let threads: Vec<_> = (ports.drain(..).zip(chans.drain(..)).enumerate())
            .map(|(index, (port, chan))| {
                let random = Rng::with_seed(seed * 100 + index as u64);
                thread::spawn(move || node(port, chan, random))
            })
            .collect();
        for thread in threads {
            thread.join().expect("no node panics");
        }
        drops.assert_all_dropped();
    }
}

/// A request carries the chan for its answer, many times over.
#[test_in(alone)]
fn many_short_oneshots_between_two_threads() {
    let (mut requests, answers) = pipes::stream::<(u64, pipes::ChanOne<u64>)>();
    let server = thread::spawn(move || {
        let mut served = 0;
        for (number, reply) in answers {
            served += 1;
            // Every fifth caller has left.
            assert!(reply.send(number + 1).is_ok() || number % 5 == 0);
        }
        served
    });
    for number in 0..effort(50_000) as u64 {
        let (reply, answer) = pipes::oneshot();
        requests.send((number, reply)).expect("the server serves");
        match number % 5 {
            0 => drop(answer),
            _ => assert_eq!(answer.recv(), Ok(number + 1)),
        }
    }
    drop(requests);
    assert_eq!(server.join().expect("the server does not panic"), effort(50_000));
}
