//! Endpoints as payloads: each of two protocols has messages with endpoints of the other one.
//!
//! `run-pass/issue-2718.rs`, Rust 0.5: the first version of the library in one file, which was only compiled.

use ball::Thrown;
use field::Open;
use pipes_tests::{Bell, Tally, poll};

pipes::proto! {
    /// Sends balls.
    field<T> {
        open: send { throw(ball::server::Thrown<T>) -> open }
    }

    /// Sends fields.
    ball<T> {
        thrown: send { land(field::server::Open<T>) -> thrown, keep(T) -> ! }
    }
}

/// A field in a ball in a field: each receive takes an endpoint out of a message of an endpoint that has a
/// destructor.
#[test]
fn types_that_mention_each_other() {
    let (outer, field) = field::pipe();
    let (thrower, ball) = ball::pipe();
    let (inner, in_the_ball) = field::pipe();
    let thrower = thrower.land(in_the_ball).expect("the ball is here");
    let outer = outer.throw(ball).expect("the field is here");
    thrower.keep("kept").expect("the ball lies in the field");

    let Ok(Open::Throw(ball, field)) = field.recv() else { panic!("it was sent") };
    let Ok(Thrown::Land(in_the_ball, ball)) = ball.recv() else { panic!("it was sent") };
    assert!(matches!(ball.recv(), Ok(Thrown::Keep("kept"))));
    drop((outer, inner));
    assert!(field.is_closed() && in_the_ball.is_closed());
}

/// Unreceived messages are dropped with the outermost endpoint, at any depth of nesting.
#[test]
fn destructors_reach_what_lies_inside() {
    let tally = Tally::new();
    let (outer, field) = field::pipe();
    let (thrower, ball) = ball::pipe();
    thrower.keep(tally.make(1)).expect("the ball is here");
    drop(outer.throw(ball).expect("the field is here"));
    assert_eq!(tally.gone(), 0);
    drop(field);
    tally.assert_all_gone();
}

/// Empty, waiting, full, closed: what a look at each of the four slot states finds.
#[test]
fn the_four_states_of_a_packet() {
    let (bell, waker) = Bell::new();
    let (thrower, mut ball) = ball::pipe();
    assert!(!ball.is_ready() && !ball.is_closed());
    assert!(poll(&mut ball, &waker).is_pending());
    assert!(!ball.is_ready() && !ball.is_closed());
    thrower.keep(5).expect("the ball is here");
    assert!(ball.is_ready() && !ball.is_closed() && bell.rings() == 1);
    assert!(matches!(ball.recv(), Ok(Thrown::Keep(5))));
    let (thrower, ball) = ball::pipe::<u64>();
    drop(thrower);
    assert!(!ball.is_ready() && ball.is_closed());
}
