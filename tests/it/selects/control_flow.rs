//! `?`, `break`, `continue` and `return` in arms, and a `select!` in an arm of another one.

use pipes::{Port, RecvError, oneshot, select, stream};
use pipes_tests::{test_in, watched};
use std::time::Duration;

/// Returns the sum of two streams until one has closed, without the zeros of the second.
fn sum(mut left: Port<u64>, mut right: Port<u64>) -> u64 {
    let mut sum = 0;
    loop {
        let number = select! {
            number = left => {
                let Ok(number) = number else { break };
                number
            }
            number = right => match number {
                Ok(0) => continue,
                Ok(number) => number,
                Err(RecvError) => break,
            },
        };
        sum += number;
    }
    // One has closed; the other one is usable.
    sum + left.iter().sum::<u64>() + right.iter().sum::<u64>()
}

#[test_in(watched)]
fn break_and_continue() {
    for (lefts, rights) in [(0, 0), (1, 10), (10, 1), (50, 50)] {
        let ((mut one, left), (mut two, right)) = (stream(), stream());
        (0..lefts).for_each(|_| one.send(1).expect("the port is here"));
        (0..2 * rights).for_each(|number| two.send(number % 2 * 100).expect("the port is here"));
        drop((one, two));
        assert_eq!(sum(left, right), lefts + 100 * rights);
    }
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

#[test_in(watched)]
fn question_marks_and_returns() {
    let (mut chan, port) = stream();
    chan.send(1).expect("the port is here");
    assert_eq!(question_mark(port, false), Ok(2));
    let (_, port) = stream();
    assert_eq!(question_mark(port, false), Err(RecvError));
    let (_chan, port) = stream();
    assert_eq!(question_mark(port, true), Ok(99));
}

/// In an arm of each kind, over the receiver that was not chosen and over others.
#[test_in(watched)]
fn one_in_another() {
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
}

/// An argument, a condition, the value of a function, and in a closure, which borrows the receivers.
#[test_in(watched)]
fn it_is_an_expression() {
    fn value(mut port: Port<u64>) -> u64 {
        select! { number = port => number.unwrap_or(0) }
    }
    let ((mut chan, mut port), (mut two, mut second)) = (stream(), stream());
    (1..4).for_each(|number| chan.send(number).expect("the port is here"));
    assert_eq!(u64::max(0, select! { number = port => number.unwrap_or(0) }), 1);
    if !select! { number = port => number == Ok(2), default => false } {
        panic!("it was sent");
    }
    two.send(4).expect("the port is here");
    let mut next =
        || select! { number = port => number.unwrap_or(0), number = second => number.unwrap_or(0) };
    assert_eq!(next() + next(), 7);
    chan.send(5).expect("the port is here");
    assert_eq!(value(port), 5);
}
