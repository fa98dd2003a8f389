//! At the last slot of a block, a sender looks for a waiting receiver before it links the next block. Between
//! this look and the message, the receiver may be polled with another waker, which it puts into the same
//! cell. The last waker must be called.

use crate::support::bank::{self, Account};
use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::thread;

#[test]
fn last_waker_is_called() {
    for received in 0..3 {
        loom::model(move || {
            let (sent, count) = payload();
            let (mut client, mut server) = bank::pipe();
            for _ in 0..received {
                client = client.deposit(sent.clone()).expect("the bank is there");
                let Ok(Account::Deposit(_, next)) = server.recv() else { panic!("it was sent") };
                server = next;
            }
            let (_first, waker) = WakeCounter::new();
            let _ = poll(&mut server, &waker);
            let sender = thread::spawn(move || client.deposit(sent).expect("the bank is there"));
            let (second, waker) = WakeCounter::new();
            let pending = poll(&mut server, &waker).is_pending();
            let client = sender.join().unwrap();
            assert!(!pending || second.count() == 1, "the waker of the last poll was forgotten");
            let Ok(Account::Deposit(payload, server)) = server.recv() else { panic!("it was sent") };
            drop((payload, server, client));
            assert_only(&count);
        });
    }
}
