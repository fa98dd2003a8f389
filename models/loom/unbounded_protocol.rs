//! In an unbounded protocol, one side sends into the next block while the receiver reads everything, reads
//! some messages and leaves, or answers.

use crate::support::bank::{self, Account, Answer};
use crate::support::{Payload, assert_only, payload};
use loom::thread;

/// Creates a pipe whose first block has one slot left.
fn near_the_edge(sent: &Payload) -> (bank::client::Account, bank::server::Account) {
    let (client, server) = bank::pipe();
    (client.deposit(sent.clone()).expect("the bank is there"), server)
}

/// Receives a deposit. Returns the next endpoint if there was one.
fn deposit(server: bank::server::Account) -> Option<bank::server::Account> {
    match server.recv() {
        Ok(Account::Deposit(_, next)) => Some(next),
        _ => None,
    }
}

/// The last message of the session is the first one of a new block.
#[test]
fn sends_and_the_end_vs_receives() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, mut server) = near_the_edge(&sent);
        let sending = thread::spawn(move || {
            let client = client.deposit(sent.clone()).expect("the bank is there");
            client.leave(sent).expect("the bank is there");
        });
        for _ in 0..2 {
            server = deposit(server).expect("it is sent");
        }
        assert!(matches!(server.recv(), Ok(Account::Leave(_))));
        sending.join().unwrap();
        assert_only(&count);
    });
}

/// The customer drops its endpoint after the last slot of a block.
#[test]
fn a_send_and_a_drop_vs_receives() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, mut server) = near_the_edge(&sent);
        let sending = thread::spawn(move || drop(client.deposit(sent).expect("the bank is there")));
        for _ in 0..2 {
            server = deposit(server).expect("it is sent");
        }
        assert!(server.recv().is_err(), "what was sent comes before the close");
        sending.join().unwrap();
        assert_only(&count);
    });
}

/// No matter at which slot the bank leaves, each of the customer's payloads comes back or is dropped.
#[test]
fn sends_and_the_end_vs_a_receive_and_a_drop() {
    loom::model(|| {
        let (sent, count) = payload();
        let (client, server) = near_the_edge(&sent);
        let receiving = thread::spawn(move || drop(deposit(server).expect("it was sent before")));
        match client.deposit(sent.clone()) {
            Ok(client) => drop(client.leave(sent)),
            Err(error) => drop((error.into_payload(), sent)),
        }
        receiving.join().unwrap();
        assert_only(&count);
    });
}

/// The bank's turn comes in the middle of a block, and its answer is the block's last message. Blocks are
/// reused: one side empties a block and the other links it again.
#[test]
fn turns_at_the_edge() {
    const ROUNDS: usize = 3;
    loom::model(|| {
        let (sent, count) = payload();
        let (mut client, mut server) = bank::pipe();
        let serving = thread::spawn(move || {
            for _ in 0..ROUNDS {
                let Ok(Account::Withdraw(answering)) = server.recv() else { panic!("it is asked for") };
                server = answering.money(sent.clone()).expect("the customer waits");
            }
            assert!(matches!(server.recv(), Ok(Account::Leave(_))));
        });
        for _ in 0..ROUNDS {
            let asked = client.withdraw().expect("the bank is there");
            let Ok(Answer::Money(_, next)) = asked.recv() else { panic!("the bank answers") };
            client = next;
        }
        client.leave(count.clone()).expect("the bank is there");
        serving.join().unwrap();
        assert_only(&count);
    });
}
