//! A ring of threads, each of which sends to the right and receives from the left.
//!
//! `bench/msgsend-ring-pipes.rs`, Rust 0.5, with its protocol of one message. The benchmark command measures
//! the times.

use super::Sleeper;
use pipes_tests::watched;
use ring::Num;

pipes::proto! {
    ring { num: send { num(u64) -> num } }
}

/// Sends `i * j` for every `j`, and receives as often; returns the sum of what it received.
fn node(i: u64, count: u64, mut chan: ring::client::Num, mut port: ring::server::Num) -> u64 {
    let mut sum = 0;
    for j in 0..count {
        chan = chan.num(i * j).expect("the right one is there");
        let Ok(Num::Num(number, next)) = port.recv() else { panic!("the left one sends") };
        (port, sum) = (next, sum + number);
    }
    sum
}

#[test]
fn all_messages_arrive() {
    watched(|| {
        const NODES: u64 = 20;
        const MESSAGES: u64 = 200;
        let (mut chan, first) = ring::pipe();
        let mut nodes = Vec::new();
        for i in 1..NODES {
            let (next, port) = ring::pipe();
            let chan = std::mem::replace(&mut chan, next);
            nodes.push(Sleeper::spawn(move || node(i, MESSAGES, chan, port)));
        }
        let sum = node(0, MESSAGES, chan, first);
        let sums = nodes.into_iter().map(|node| node.join().expect("no node panics"));
        let sent = (0..NODES).sum::<u64>() * (0..MESSAGES).sum::<u64>();
        assert_eq!(sum + sums.sum::<u64>(), sent);
    });
}
