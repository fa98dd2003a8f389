//! Selections of endpoints of protocols.

use pipes::select;
use pipes_tests::bank::{self, Account, AnyServer, ServerMessage};
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::{test_in, watched};

/// An endpoint that its own arm assigns again is usable in the next round and after the loop.
#[test_in(watched)]
fn what_an_arm_assigns_is_usable_afterwards() {
    let ((client, mut account), (caller, mut calls)) = (bank::pipe(), pingpong::pipe());
    let _client = client.deposit(1).expect("it is here").deposit(2).expect("it is here");
    let waiting = caller.ping(10).expect("it is here");
    let mut sum = 0;
    for _ in 0..3 {
        select! {
            message = account => {
                let Ok(Account::Deposit(number, next)) = message else { panic!("it was sent") };
                (account, sum) = (next, sum + number);
            }
            message = calls => {
                let Ok(Ping::Ping(number, answering)) = message else { panic!("it was sent") };
                (calls, sum) = (answering.pong(number).expect("the caller waits"), sum + number);
            }
        }
    }
    assert_eq!(sum, 13);
    assert!(!account.is_ready() && !calls.is_ready());
    drop(waiting.recv());
    assert!(calls.recv().is_err());
}

/// `Any` endpoints; one that does not receive is chosen at once, and comes back.
#[test_in(watched)]
fn endpoints_in_any_state() {
    let ((one, first), (_two, second)) = (bank::pipe::<u64>(), bank::pipe::<u64>());
    let (mut first, mut second) = (AnyServer::from(first), AnyServer::from(second));
    let asked = one.withdraw(5).expect("it is here");
    let (mut answering, mut second) = select! {
        message = first => match message {
            Ok(ServerMessage::Account(Account::Withdraw(5, answering))) => (AnyServer::from(answering), second),
            _ => panic!("something else was sent"),
        },
        _ = second => panic!("nobody sent"),
    };
    let back = select! {
        message = answering => message,
        _ = second => panic!("nobody sent"),
    };
    let Ok(ServerMessage::NotReceiving(AnyServer::Answer(answering))) = back else { panic!("it sends") };
    drop(answering.empty().expect("the customer waits"));
    assert!(matches!(asked.recv(), Ok(bank::Answer::Empty(_))));
}
