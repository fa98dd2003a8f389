//! Which arm runs, and which receivers are usable in it and afterwards.

use pipes::{Port, PortOne, RecvError, oneshot, select, stream};
use pipes_tests::bank::{self, Account};
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{Tally, watched};
use std::time::Duration;

/// Which of two oneshots was chosen, and what the other one gives in that arm.
fn chosen(mut left: PortOne<u64>, mut right: PortOne<&'static str>) -> (&'static str, bool) {
    select! {
        number = left => {
            assert!(number.is_ok());
            ("left", right.try_recv().is_ok())
        }
        word = right => {
            assert!(word.is_ok());
            ("right", left.try_recv().is_ok())
        }
    }
}

#[test]
fn the_one_that_is_ready() {
    watched(|| {
        for _ in 0..20 {
            let ((number, left), (_word, right)) = (oneshot(), oneshot());
            number.send(1).expect("the port is here");
            assert_eq!(chosen(left, right), ("left", false));
            let ((_number, left), (word, right)) = (oneshot(), oneshot());
            word.send("one").expect("the port is here");
            assert_eq!(chosen(left, right), ("right", false));
            // Both are ready: the one that was not chosen still has its message.
            let ((number, left), (word, right)) = (oneshot(), oneshot());
            number.send(1).expect("the port is here");
            word.send("one").expect("the port is here");
            assert!(chosen(left, right).1);
        }
    });
}

/// Exactly one of the available messages is received.
#[test]
fn nothing_else_is_consumed() {
    watched(|| {
        let tally = Tally::new();
        let (mut chans, ports): (Vec<_>, Vec<_>) = (0..3).map(|_| stream()).unzip();
        for round in 0..30 {
            chans.iter_mut().for_each(|chan| assert!(chan.send(tally.make(round)).is_ok()));
        }
        let [mut a, mut b, mut c]: [Port<_>; 3] = ports.try_into().expect("there are three");
        let mut counts = [0; 3];
        for _ in 0..90 {
            let (index, payload) = select! {
                payload = a => (0, payload),
                payload = b => (1, payload),
                payload = c => (2, payload),
            };
            assert_eq!(payload.expect("it was sent").number, counts[index]);
            counts[index] += 1;
        }
        assert_eq!(counts, [30; 3]);
        tally.assert_all_gone();
    });
}

/// A close is received like a message, and comes after the messages.
#[test]
fn a_closed_receiver() {
    watched(|| {
        let (_silent, mut idle) = stream::<u64>();
        let (mut chan, mut port) = stream();
        chan.send(5).expect("the port is here");
        drop(chan);
        for expected in [Ok(5), Err(RecvError), Err(RecvError)] {
            let got = select! {
                number = idle => panic!("nobody sent {number:?}"),
                number = port => number,
            };
            assert_eq!(got, expected, "once it has closed it is ready for good");
        }
        let (chan, mut once) = oneshot::<u64>();
        drop(chan);
        select! {
            number = idle => panic!("nobody sent {number:?}"),
            number = once => assert_eq!(number, Err(RecvError)),
        }
    });
}

/// An endpoint that its own arm assigns again is usable in the next round and after the loop.
#[test]
fn what_an_arm_assigns_is_usable_afterwards() {
    watched(|| {
        let ((client, mut account), (caller, mut calls)) = (bank::pipe(), pingpong::pipe());
        let _client = client.deposit(1).expect("it is here").deposit(2).expect("it is here");
        let mut waiting = Some(caller.ping(10).expect("it is here"));
        let (mut sum, mut answers) = (0, Vec::new());
        for _ in 0..3 {
            select! {
                message = account => {
                    let Ok(Account::Deposit(number, next)) = message else { panic!("it was sent") };
                    (account, sum) = (next, sum + number);
                }
                message = calls => {
                    let Ok(Ping::Ping(number, answering)) = message else { panic!("it was sent") };
                    (calls, sum) = (answering.pong(number).expect("the caller waits"), sum + number);
                    let answer = waiting.take().expect("there is one call").recv();
                    let Ok(Pong::Pong(10, caller)) = answer else { panic!("it was answered") };
                    // The caller's end is kept, so that no close comes.
                    answers.push(caller);
                }
            }
        }
        assert_eq!(sum, 13);
        assert!(!account.is_ready() && !calls.is_ready());
        drop(answers);
        assert!(calls.recv().is_err());
    });
}

/// The receiver that was not chosen is usable in the arm, in every way.
#[test]
fn what_is_not_chosen_is_usable_in_the_arm() {
    watched(|| {
        let ((number, mut numbers), (word, mut words)) = (oneshot(), oneshot());
        number.send(1).expect("the port is here");
        let received = select! {
            number = numbers => {
                assert_eq!(number, Ok(1));
                assert!(!words.is_ready());
                let Err(pipes::RecvTimeoutError::Timeout(again)) = words.recv_timeout(Duration::ZERO) else {
                    panic!("nobody has sent")
                };
                word.send("later").expect("the port is here");
                again.recv()
            }
            word = words => word,
        };
        assert_eq!(received, Ok("later"));
    });
}

/// A port is only borrowed, so it is usable in its own arm too.
#[test]
fn a_port_is_usable_in_its_own_arm() {
    watched(|| {
        let ((mut one, mut first), (mut two, mut second)) = (stream(), stream());
        (0..10).for_each(|number| one.send(number).expect("the port is here"));
        let sum: u64 = select! {
            number = first => number.expect("it was sent") + first.try_iter().sum::<u64>(),
            number = second => panic!("nobody sent {number:?}"),
        };
        assert_eq!(sum, 45);
        two.send(7).expect("the port is here");
        one.send(8).expect("the port is here");
        assert_eq!((first.recv(), second.recv()), (Ok(8), Ok(7)));
    });
}

#[test]
fn one_receiver_is_enough() {
    watched(|| {
        let (mut chan, mut port) = stream();
        chan.send(1).expect("the port is here");
        select! { number = port => assert_eq!(number, Ok(1)) }
        assert_eq!(select! { number = port => number, default => Ok(0) }, Ok(0));
        assert_eq!(select! { number = port => number, timeout(Duration::ZERO) => Ok(0) }, Ok(0));
        let sent = select! {
            number = port => number,
            timeout(Duration::ZERO) => {
                chan.send(2).expect("the port is here");
                port.recv()
            }
        };
        assert_eq!(sent, Ok(2));
    });
}

/// The arms of `default` and `timeout` may stand anywhere, and all receivers are usable in them.
#[test]
fn default_and_timeout() {
    watched(|| {
        let ((one, mut first), (two, mut second)) = (oneshot(), oneshot());
        let idle = select! {
            default => first.is_closed() || second.is_closed(),
            number = first => panic!("nobody sent {number:?}"),
            number = second => panic!("nobody sent {number:?}"),
        };
        assert!(!idle);
        let (mut first, second) = select! {
            number = first => panic!("nobody sent {number:?}"),
            timeout(Duration::from_micros(50)) => {
                one.send(1).expect("the port is here");
                (first, second)
            }
            number = second => panic!("nobody sent {number:?}"),
        };
        // One is ready, so the timeout does not pass.
        let mut second = second;
        let got = select! {
            number = second => panic!("nobody sent {number:?}"),
            timeout(Duration::ZERO) => panic!("it is there"),
            number = first => number,
        };
        assert_eq!(got, Ok(1));
        two.send(2).expect("the port is here");
        let got = select! { number = second => number, default => panic!("it is there") };
        assert_eq!(got, Ok(2));
    });
}

/// The limit is evaluated once, before the wait. A time that no clock can represent is for ever.
#[test]
fn the_limit_is_an_expression() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let mut asked = 0;
        let mut limit = || {
            asked += 1;
            Duration::from_micros(10)
        };
        select! { number = port => panic!("nobody sent {number:?}"), timeout(limit()) => {} }
        assert_eq!(asked, 1);
        chan.send(1).expect("the port is here");
        assert_eq!(
            select! { number = port => number, timeout(Duration::MAX) => panic!("it is there") },
            Ok(1)
        );
        let late = select! { number = port => number.is_ok(), timeout({ let time = 1; Duration::from_micros(time) }) => false };
        assert!(!late);
    });
}
