//! Four chans of one set, and one thread.
//!
//! `run-pass/task-comm-6.rs`, Rust 0.5. That idle members cost a receive nothing is one of the tests of
//! memory.

use pipes::{Chan, PortSet, SetEmpty, TryRecvError};
use pipes_tests::watched;

#[test]
fn four_thousand_messages_before_the_first_receive() {
    watched(|| {
        let mut set = PortSet::new();
        let mut chans: [Chan<u64>; 4] = [(); 4].map(|()| set.chan());
        for number in 0..1_000 {
            chans.iter_mut().for_each(|chan| chan.send(number).expect("the set is here"));
        }
        let mut sum = 0;
        for _ in 0..4_000 {
            let (_, message) = set.recv().expect("there are members");
            sum += message.expect("none has closed");
        }
        assert_eq!(sum, 1_998_000);
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
        assert_eq!(set.len(), 4, "they stay as long as their chans are there");
        drop(chans);
        assert_eq!(set.messages().next(), None);
        assert_eq!(set.recv(), Err(SetEmpty));
    });
}
