//! Which arm runs, and which receivers are usable in it and afterwards.

use pipes::{RecvTimeoutError, oneshot, select, stream};
use pipes_tests::{test_in, watched};
use std::time::Duration;

/// The receiver that was not chosen is usable in the arm. A port is only borrowed, so it is usable in its own
/// arm, too.
#[test_in(watched)]
fn receivers_are_usable_in_the_arms() {
    let ((mut number, mut numbers), (word, mut words)) = (stream(), oneshot());
    (0..10).for_each(|it| number.send(it).expect("the port is here"));
    let received = select! {
        first = numbers => {
            assert_eq!(first.map(|first| first + numbers.try_iter().sum::<u64>()), Ok(45));
            assert!(!words.is_ready());
            let Err(RecvTimeoutError::Timeout(again)) = words.recv_timeout(Duration::ZERO) else {
                panic!("nobody has sent")
            };
            word.send("later").expect("the port is here");
            again.recv()
        }
        word = words => word,
    };
    assert_eq!(received, Ok("later"));
    number.send(8).expect("the port is here");
    assert_eq!(numbers.recv(), Ok(8));
}

/// The arms of `default` and `timeout` may stand anywhere, and all receivers are usable in them. `default`
/// never waits.
#[test_in(watched)]
fn default_and_timeout() {
    let ((one, mut first), (_two, mut second)) = (oneshot(), oneshot::<u64>());
    for _ in 0..if cfg!(miri) { 100 } else { 1_000 } {
        (first, second) = select! {
            default => (first, second),
            number = first => panic!("nobody sent {number:?}"),
            number = second => panic!("nobody sent {number:?}"),
        };
    }
    let mut first = select! {
        number = first => panic!("nobody sent {number:?}"),
        timeout(Duration::from_micros(50)) => {
            one.send(1).expect("the port is here");
            drop(second);
            first
        }
        number = second => panic!("nobody sent {number:?}"),
    };
    let got = select! { timeout(Duration::ZERO) => panic!("it is there"), number = first => number };
    assert_eq!(got, Ok(1));
}

/// The limit is evaluated once, before the wait. A time that no clock can represent is for ever.
#[test_in(watched)]
fn the_limit_is_an_expression() {
    let (mut chan, mut port) = stream();
    let mut evaluated = 0;
    let mut limit = |time| {
        evaluated += 1;
        time
    };
    let short = Duration::from_micros(10);
    assert!(select! { number = port => number == Ok(0), timeout(limit(short)) => true });
    chan.send(1).expect("the port is here");
    assert_eq!(select! { number = port => number, timeout(limit(Duration::MAX)) => Ok(0) }, Ok(1));
    assert_eq!(evaluated, 2);
}
