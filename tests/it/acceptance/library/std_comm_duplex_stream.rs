//! Two directions, each with a type of its own.
//!
//! `DuplexStream1` of `std::comm`, Rust 0.5.

use crate::acceptance::{Sleeper, die, died};
use pipes::{RecvError, TrySendError, duplex_stream, select, stream};
use pipes_tests::watched;

#[test]
fn both_send_before_either_receives() {
    let (mut left, mut right) = duplex_stream();
    left.send("abc".to_owned()).expect("the right end is here");
    right.send(123).expect("the left end is here");
    assert_eq!(left.recv(), Ok(123));
    assert_eq!(right.recv().as_deref(), Ok("abc"));
}

#[test]
fn the_ends_live_in_different_threads() {
    watched(|| {
        let (mut left, mut right) = duplex_stream::<u64, String>();
        let there = Sleeper::spawn(move || {
            while let Ok(number) = right.recv() {
                right.send(number.to_string()).expect("the left end waits");
            }
        });
        for number in 0..100 {
            left.send(number).expect("the right end is there");
            assert_eq!(left.recv(), Ok(number.to_string()));
        }
        drop(left);
        there.join().expect("it ends when the left end has gone");
    });
}

/// An end that is dropped closes both directions; what was sent before is still received.
#[test]
fn one_end_is_dropped() {
    watched(|| {
        let (mut left, mut right) = duplex_stream::<u64, u64>();
        right.send(1).expect("the left end is here");
        drop(right);
        assert!(matches!(left.try_send(2), Err(TrySendError::Closed(2))));
        assert_eq!(left.recv(), Ok(1));
        assert_eq!(left.recv(), Err(RecvError));

        let (mut left, right) = duplex_stream::<u64, u64>();
        let dying = Sleeper::spawn(move || {
            let _right = right;
            die()
        });
        assert!(died::<()>(dying.join()));
        assert_eq!(left.recv(), Err(RecvError));
        assert!(left.send(1).is_err());
    });
}

#[test]
fn a_look_and_a_select() {
    watched(|| {
        let (mut left, mut right) = duplex_stream::<&str, u64>();
        let (_silent, mut other) = stream::<u64>();
        assert!(!left.is_ready() && !left.is_closed());
        right.send(5).expect("the left end is here");
        assert!(left.is_ready());
        let got = select! {
            number = left => number,
            number = other => number,
        };
        assert_eq!(got, Ok(5));
        left.send("still good").expect("the right end is here");
        assert_eq!(right.recv(), Ok("still good"));
        drop(right);
        assert!(!left.is_ready() && left.is_closed());
    });
}
