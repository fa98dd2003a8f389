//! A chan with more than a hundred senders.
//!
//! `shared_chan_stress` of `std::rt::comm`, 2013.

use pipes::shared_stream;
use pipes_tests::watched;
use std::thread;

#[test]
fn shared_chan_stress() {
    watched(|| {
        const SENDERS: u64 = 120;
        const MESSAGES: u64 = 50;
        let (chan, mut port) = shared_stream();
        let senders: Vec<_> = (0..SENDERS)
            .map(|sender| {
                let chan = chan.clone();
                thread::spawn(move || {
                    (0..MESSAGES).for_each(|number| chan.send((sender, number)).expect("the port is there"));
                })
            })
            .collect();
        drop(chan);
        let mut next = [0; SENDERS as usize];
        for (sender, number) in port.iter() {
            assert_eq!(number, next[sender as usize], "the messages of one sender come in their order");
            next[sender as usize] += 1;
        }
        assert_eq!(next, [MESSAGES; SENDERS as usize]);
        senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
    });
}
