//! The user's own names, none of which the macro shadows.

#![allow(non_snake_case, non_camel_case_types, non_upper_case_globals, reason = "names of all sorts")]

use pipes::{select, select_async, stream};
use pipes_tests::{test_in, watched};
use std::time::Duration;

/// Variables with every name that the macro might use internally. They are unchanged afterwards.
#[test_in(watched)]
fn variables() {
    let (mut chans, mut ports): (Vec<_>, Vec<_>) = (0..7).map(|_| stream()).unzip();
    let mut next = || ports.remove(0);
    let (mut index, mut Arm, mut cx, mut limit) = (next(), next(), next(), next());
    let (mut chosen, mut receivers, mut r#match) = (next(), next(), next());
    for (round, chan) in chans.iter_mut().enumerate() {
        chan.send(round).expect("the port is here");
        let got = select! {
            index = index => (0, index),
            index = Arm => (1, index),
            limit = cx => (2, limit),
            message = limit => (3, message),
            cx = chosen => (4, cx),
            Some_ = receivers => (5, Some_),
            value = r#match => (6, value),
            timeout(Duration::from_secs(1_000)) => panic!("it was sent"),
        };
        assert_eq!(got, (round, Ok(round)));
    }
    assert!(!index.is_ready() && !cx.is_ready() && !limit.is_ready());
}

/// Receivers and messages whose names are keywords of the macro.
#[test_in(watched)]
fn words_of_the_macro() {
    let ((mut one, mut default), (mut two, mut timeout)) = (stream(), stream());
    for sent in [1, 2] {
        let chan = if sent == 1 { &mut one } else { &mut two };
        chan.send(sent).expect("the port is here");
        let got = select! {
            default = default => default,
            timeout = timeout => timeout,
            default => panic!("it is there"),
        };
        assert_eq!(got, Ok(sent));
    }
    let late = select! { timeout = timeout => timeout, timeout(Duration::ZERO) => Ok(3) };
    assert_eq!(late, Ok(3));
}

/// Types, functions and constants with these names in the scope around.
#[test_in(watched)]
fn items() {
    #[derive(Debug, PartialEq)]
    struct Some(u64);
    #[derive(Debug, PartialEq)]
    struct None;
    #[derive(Debug, PartialEq)]
    enum Option {
        Arm,
        index,
    }
    type Result = Option;
    type usize = u8;
    const Ready: usize = 5;
    mod core {}
    mod std {}
    mod pipes {}
    fn recv() -> Result {
        Option::Arm
    }

    let ((mut chan, mut port), (_silent, mut other)) = (stream(), stream::<u64>());
    chan.send(1).expect("the port is here");
    let got = select! {
        number = port => (Some(number.unwrap_or(0)), None, recv(), Ready),
        _ = other => (Some(0), None, Option::index, 0),
    };
    assert_eq!(got, (Some(1), None, Option::Arm, 5));
    let mut send = chan;
    select! { sent = send.send(3), if send.capacity().is_none() => assert!(sent.is_ok()), else => {} }
    let awaited = futures::executor::block_on(async {
        select_async! { number = port => number, number = other => number }
    });
    assert!(awaited == Ok(3));
}

/// Patterns other than a name.
#[test_in(watched)]
fn patterns() {
    let (mut chan, mut port) = stream();
    (0..4).for_each(|number| chan.send(number).expect("the port is here"));
    select! { _ = port => {} }
    select! {
        mut number = port => {
            number = number.map(|number| number + 10);
            assert_eq!(number, Ok(11));
        }
    }
    select! { ref number = port => assert_eq!(*number, Ok(2)) }
    select! { whole @ (Ok(_) | Err(_)) = port => assert_eq!(whole, Ok(3)) }
}

/// With and without commas, with and without braces.
#[test_in(watched)]
fn punctuation() {
    let (mut chan, mut port) = stream();
    let (_silent, mut other) = stream::<u64>();
    (0..6).for_each(|number| chan.send(number).expect("the port is here"));
    let got = [
        select! { number = port => { number } number = other => { number } },
        select! { number = port => { number }, number = other => { number }, },
        select! { number = port => number, number = other => number },
        select! { number = port => number, number = other => { number } default => panic!() },
        select! { default => { panic!() } number = other => number, number = port => number, },
        select!(number = port => number),
    ];
    assert_eq!(got, [0, 1, 2, 3, 4, 5].map(Ok));
    assert!(!select![number = port => number.is_ok(), _ = other => true, default => false]);
}

/// Methods of a trait in scope do not replace those that the macro calls.
#[test]
fn traits_that_call_their_methods_as_std_does() {
    #[expect(clippy::wrong_self_convention, reason = "by value it comes before the one of `Option`")]
    trait Contrary {
        fn is_some(self) -> bool;
    }
    impl Contrary for Option<usize> {
        fn is_some(self) -> bool {
            false
        }
    }
    trait Without {
        fn contains(self, condition: &bool) -> bool;
    }
    impl<const N: usize> Without for [bool; N] {
        fn contains(self, _: &bool) -> bool {
            false
        }
    }
    assert!(!Contrary::is_some(Some(1)) && !Without::contains([true], &true));
    #[expect(dead_code, reason = "the macro does not call these methods")]
    trait Sending {
        fn request_room(self);
        fn send(self, number: u32);
    }
    impl Sending for pipes::Chan<u32> {
        fn request_room(self) {}
        fn send(self, _: u32) {}
    }
    let (mut chan, mut port) = pipes::stream();
    pipes::select! { sent = chan.send(1) => sent.expect("the port is there") }
    let open = true;
    let said = pipes::select! {
        number = port, if open => number.expect("the chan is there"),
        timeout(std::time::Duration::from_secs(60)) => 2,
        else => 3,
    };
    assert_eq!(said, 1);
}

/// An expression that another macro has matched can be an arm's body, a condition or a value.
#[test]
fn a_body_from_another_macro() {
    macro_rules! first {
        ($receiver:ident, $body:expr, $default:expr) => {
            pipes::select! { _ = $receiver => $body, default => $default }
        };
        ($chan:ident <- $value:expr, $condition:expr) => {
            pipes::select! { sent = $chan.send($value), if $condition => sent.is_ok(), else => false }
        };
    }
    let (mut chan, mut port) = pipes::stream();
    assert_eq!(first!(port, 1 + 1, { 3 }), 3);
    assert!(first!(chan <- 2 + 5, 1 < 2) && !first!(chan <- 8, 1 > 2));
    assert_eq!(first!(port, 1 + 1, { 3 }), 2);
}
