//! Many senders and many receivers of one stream.
//!
//! `megapipe_stress` of `std::rt::comm`, 2013. A megapipe is a shared stream whose port is shared.

use pipes::{RecvError, shared_stream};
use pipes_tests::watched;
use std::thread;

#[test]
fn megapipe_stress() {
    watched(|| {
        for (senders, receivers) in [(1, 1), (1, 10), (10, 1), (10, 10), (3, 30)] {
            const MESSAGES: u64 = 300;
            let (chan, port) = shared_stream();
            let port = port.into_shared();
            let sending: Vec<_> = (0..senders)
                .map(|sender| {
                    let chan = chan.clone();
                    thread::spawn(move || {
                        (0..MESSAGES).for_each(|number| {
                            chan.send((sender, number)).expect("somebody receives");
                        });
                    })
                })
                .collect();
            let receiving: Vec<_> = (0..receivers)
                .map(|_| {
                    let mut port = port.clone();
                    thread::spawn(move || {
                        let received: Vec<_> = port.iter().collect();
                        assert_eq!(port.recv(), Err(RecvError), "all senders have gone");
                        received
                    })
                })
                .collect();
            drop((chan, port));
            let mut all = Vec::new();
            for receiver in receiving {
                let received = receiver.join().expect("no receiver panics");
                for sender in 0..senders {
                    let numbers = received.iter().filter(|message| message.0 == sender);
                    assert!(numbers.is_sorted(), "what one receiver gets of one sender is in order");
                }
                all.extend(received);
            }
            all.sort_unstable();
            let sent = (0..senders).flat_map(|sender| (0..MESSAGES).map(move |number| (sender, number)));
            assert_eq!(all, sent.collect::<Vec<_>>());
            sending.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
        }
    });
}
