//! Random protocols, and random sessions of each on two threads.
//!
//! The build script writes the protocols (`generator/`), and for each side of each a function that takes one
//! step. The code here checks the sessions: nothing hangs; what is received was sent, in order; a payload
//! that comes back is the one that was to be sent; a side is reported to have left only if it has; and every
//! payload is dropped exactly once.
//!
//! Every run uses the same protocols and the same seeds; `PIPES_RANDOM_SEED=1000 cargo test --test random`
//! tries others.

mod case;
mod endings;
mod local;
mod payload;
mod player;
mod receive;
mod scale;

/// The output of the build script.
#[allow(clippy::unit_arg, reason = "nothing is a payload as well")]
#[allow(clippy::vec_box, reason = "any type is a payload")]
mod generated {
    use crate::case::Case;
    use crate::endings::Ending;
    use crate::local::Nothing;
    use crate::payload::{Aligned, Padded, Payload};
    use crate::player::{Player, Walk, walk};
    use pipes::{ChanOne, PortOne};
    use pipes_tests::Counted;
    use std::cell::Cell;
    use std::ops::ControlFlow::{self, Break, Continue};

    include!(concat!(env!("OUT_DIR"), "/random.rs"));
}

use endings::Sums;
use pipes_tests as support;
use support::watched;

/// How many sessions of each protocol run.
const SESSIONS: u64 = match () {
    () if cfg!(miri) => 1,
    () if cfg!(debug_assertions) => 200,
    () => 900,
};

/// Only one of this many protocols has sessions.
const STRIDE: usize = if cfg!(miri) { 3 } else { 1 };

#[test]
fn sessions_end_well() {
    let mut sums = Sums::default();
    for case in generated::CASES.iter().step_by(STRIDE) {
        let (session, _told) = case.tell();
        sums += watched(move || {
            let mut sums = Sums::default();
            for number in 0..SESSIONS {
                sums += case.run(session.begin(number));
            }
            sums
        });
    }
    println!("{} protocols: {sums:?}", generated::CASES.len());
    assert!(sums.is_varied(), "{sums:?}");
}

#[test]
fn bounds_are_those_of_a_plain_search() {
    for case in generated::CASES {
        let _told = case.tell();
        case.check_bound();
    }
    let bounded = generated::CASES.iter().filter(|case| case.bound.is_bounded()).count();
    assert!((1..generated::CASES.len()).contains(&bounded), "{bounded} of them are bounded");
}
