//! `?`, `break`, `continue` and `return` in arms, and a `select!` in an arm of another one.

use pipes::{Port, RecvError, oneshot, select, stream};
use pipes_tests::watched;
use std::time::Duration;

/// Returns the sum of two streams until both have closed, and how often each was received from.
fn sum(mut left: Port<u64>, mut right: Port<u64>) -> (u64, [usize; 2]) {
    let (mut sum, mut heard) = (0, [0; 2]);
    loop {
        let number = select! {
            number = left => {
                let Ok(number) = number else { break };
                heard[0] += 1;
                number
            }
            number = right => match number {
                Ok(0) => continue,
                Ok(number) => {
                    heard[1] += 1;
                    number
                }
                Err(RecvError) => break,
            },
        };
        sum += number;
    }
    // One has closed; the other one is usable.
    for port in [&mut left, &mut right] {
        sum += port.iter().sum::<u64>();
    }
    (sum, heard)
}

#[test]
fn break_and_continue() {
    watched(|| {
        for (lefts, rights) in [(0, 0), (1, 10), (10, 1), (50, 50)] {
            let ((mut one, left), (mut two, right)) = (stream(), stream());
            (0..lefts).for_each(|_| one.send(1).expect("the port is here"));
            for _ in 0..rights {
                two.send(0).expect("the port is here");
                two.send(100).expect("the port is here");
            }
            drop((one, two));
            let (sum, heard) = sum(left, right);
            assert_eq!(sum, lefts + 100 * rights);
            assert!(heard[0] as u64 <= lefts && heard[1] as u64 <= rights);
        }
    });
}

/// A labelled `break` or `continue` reaches the loop that it names.
#[test]
fn labels() {
    watched(|| {
        let (mut chan, mut port) = stream();
        (0..20).for_each(|number| chan.send(number).expect("the port is here"));
        let (_silent, mut other) = stream::<u64>();
        let mut inner_rounds = 0;
        let found = 'outer: loop {
            loop {
                inner_rounds += 1;
                select! {
                    number = port => match number {
                        Ok(15) => break 'outer 15,
                        Ok(number) if number % 4 == 0 => break,
                        Ok(_) => {}
                        Err(RecvError) => continue 'outer,
                    },
                    number = other => break 'outer number.unwrap_or(0),
                }
            }
        };
        assert_eq!((found, inner_rounds), (15, 16));
    });
}

fn question_mark(mut port: Port<u64>, late: bool) -> Result<u64, RecvError> {
    let (_chan, mut other) = stream::<String>();
    let number = select! {
        number = port => number?,
        word = other => return word.map(|word| word.len() as u64),
        timeout(Duration::from_micros(if late { 10 } else { 10_000_000 })) => return Ok(99),
    };
    Ok(number + 1)
}

#[test]
fn question_marks_and_returns() {
    watched(|| {
        let (mut chan, port) = stream();
        chan.send(1).expect("the port is here");
        assert_eq!(question_mark(port, false), Ok(2));
        let (chan, port) = stream();
        drop(chan);
        assert_eq!(question_mark(port, false), Err(RecvError));
        let (_chan, port) = stream();
        assert_eq!(question_mark(port, true), Ok(99));
    });
}

/// In an arm of each kind, over the receiver that was not chosen and over others.
#[test]
fn one_in_another() {
    watched(|| {
        let ((mut outer, mut first), (mut inner, mut second)) = (stream(), stream());
        let (last, mut third) = oneshot();
        outer.send(1).expect("the port is here");
        inner.send(20).expect("the port is here");
        last.send(300).expect("the port is here");
        let sum: u64 = select! {
            number = first => {
                let more: u64 = select! {
                    number = second => number.unwrap_or(0) + select! {
                        number = third => number.unwrap_or(0),
                        default => panic!("it is there"),
                    },
                    default => panic!("it is there"),
                };
                number.unwrap_or(0) + more
            }
            timeout(Duration::from_secs(1_000)) => select! { number = second => number.unwrap_or(0), default => 0 },
        };
        assert_eq!(sum, 321);
        let sum = select! {
            number = first => number.unwrap_or(0),
            default => select! {
                number = second => number.unwrap_or(0),
                default => 7,
            },
        };
        assert_eq!(sum, 7);
    });
}

/// The macro as an argument, in a condition, and as the value of a function.
#[test]
fn it_is_an_expression() {
    fn value(mut port: Port<u64>) -> u64 {
        select! { number = port => number.unwrap_or(0) }
    }
    watched(|| {
        let (mut chan, mut port) = stream();
        (1..5).for_each(|number| chan.send(number).expect("the port is here"));
        assert_eq!(u64::max(0, select! { number = port => number.unwrap_or(0) }), 1);
        if select! { number = port => number == Ok(2), default => false } {
            assert_eq!([select! { number = port => number }], [Ok(3)]);
        } else {
            panic!("it was sent");
        }
        assert_eq!(value(port), 4);
    });
}

/// In a closure, which borrows the receivers.
#[test]
fn in_a_closure() {
    watched(|| {
        let ((mut one, mut first), (mut two, mut second)) = (stream(), stream());
        let mut next = || {
            select! {
                number = first => number.ok(),
                number = second => number.ok(),
            }
        };
        one.send(1).expect("the port is here");
        assert_eq!(next(), Some(1));
        two.send(2).expect("the port is here");
        assert_eq!(next(), Some(2));
        assert!(!first.is_ready() && !second.is_ready());
    });
}
