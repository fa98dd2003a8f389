//! A sender that has run ahead into the next block watches at its own slot. The receiver, some slots behind,
//! leaves and drops the messages in between.

use crate::support::bank::{self, Account};
use crate::support::{WakeCounter, assert_only, payload};
use loom::thread;
use pipes::Closing;
use std::task::Context;

#[test]
fn the_receiver_leaves() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut client, server) = bank::pipe();
        let (wakes, waker) = WakeCounter::new();
        for _ in 0..2 {
            client = client.deposit(sent.clone()).expect("the bank is there");
        }
        let receiver = thread::spawn(move || {
            let Ok(Account::Deposit(payload, server)) = server.recv() else { panic!("there is a deposit") };
            drop((payload, server));
        });
        let pending = client.poll_closed(&mut Context::from_waker(&waker)).is_pending();
        if pending {
            // The send unregisters the watch and goes into the next block. Then the sender watches at another
            // slot.
            if let Ok(mut client) = client.deposit(sent) {
                client.wait_closed();
            }
        } else {
            drop((client, sent));
        }
        receiver.join().unwrap();
        assert!(wakes.count() <= 1);
        assert_only(&count);
    });
}
