//! Random protocols between two programs, and random sessions of each: over memory, over Unix sockets or TCP,
//! and over streams that are cut anywhere.
//!
//! The build script writes the protocols (`tests/generator/`), and for each side of each the functions that
//! take one step. The code here checks the sessions: nothing hangs; what is received was sent, in order,
//! each message once; if neither side leaves early, everything arrives and both sides are told `Ended`;
//! otherwise each is told a reason that fits to how both ended; and every payload is dropped exactly once,
//! those that were sent and those that were decoded.
//!
//! Every run uses the same protocols and the same seeds.
//!
//! | variable | what it sets |
//! |---|---|
//! | `PIPES_RANDOM_SEED` | the first protocol, when the tests are built |
//! | `PIPES_WALKS` | the sessions of each protocol, over each kind of connection, with each window |
//! | `PIPES_WALK` | the first session |

mod arena;
mod carried;
mod case;
mod causes;
#[expect(dead_code, reason = "the other tests use more of it")]
#[path = "../../support/counted.rs"]
mod counted;
#[path = "../../random/endings.rs"]
mod endings;
#[path = "../../random/payload.rs"]
mod payload;
#[expect(dead_code, reason = "endpoints do not travel between programs")]
#[path = "../../random/player.rs"]
mod player;
#[path = "../../random/receive.rs"]
mod receive;

/// What the tests inside of one program have as well.
mod support {
    pub use crate::counted::{Counted, DropCounter};
    pub use pipes_tests::{Rng, poll_future, spin, watched};
}

/// The output of the build script.
#[allow(clippy::unit_arg, reason = "nothing is a payload as well")]
mod generated {
    use crate::carried::Nothing;
    use crate::case::{Case, Spoken};
    use crate::endings::Ending;
    use crate::payload::{Aligned, Padded};
    use crate::player::{Player, Walk, walk};
    use crate::support::Counted;
    use std::cell::Cell;
    use std::ops::ControlFlow::{self, Break, Continue};

    include!(concat!(env!("OUT_DIR"), "/walks.rs"));
}

use carried::Nothing;
use case::{Case, Walked};
use endings::Sums;
use std::panic::resume_unwind;
use std::thread;
use support::watched;

/// Walks each protocol over one kind of connection.
fn over(name: &'static str, walked: fn(&Case) -> Walked) -> Sums {
    let mut sums = Sums::default();
    for case in generated::CASES {
        let (walk, (session, _told)) = (walked(case), case.tell(name));
        sums += watched(move || walk(session));
    }
    println!("{} protocols over {name}: {sums:?}", generated::CASES.len());
    sums
}

#[test]
fn sessions_end_well() {
    type Kind = (&'static str, fn(&Case) -> Walked);
    let kinds: [Kind; 3] =
        [("memory", |case| case.memory), ("socket", |case| case.socket), ("chopped", |case| case.chopped)];
    let walks = kinds.map(|(name, walked)| {
        let walks = thread::Builder::new().name(String::from(name)).spawn(move || over(name, walked));
        walks.expect("a thread can be had")
    });
    for walks in walks {
        let sums = walks.join().unwrap_or_else(|panic| resume_unwind(panic));
        assert!(sums.is_varied(), "{sums:?}");
    }
    assert_eq!(Nothing::left(), 0, "what has no size is gone as well");
}
