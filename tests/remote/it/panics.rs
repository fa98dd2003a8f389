//! A panic about an argument names the function and is at the caller's line.

use pipes_remote::farm::{Workers, try_worker, worker};
use pipes_remote::memory;
use pipes_tests::{documented_panics, panics_here};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// Panics that are not about an argument: only the library makes items that have not been sent.
const OTHERS: [&str; 1] = ["farm/item.rs: into_inner"];

#[test]
fn an_argument_is_wrong_at_the_callers_line() {
    let via = memory();
    let tested = [
        panics_here("via.rs: limit", "`Via::limit`: ", || drop(memory().limit(1023))),
        panics_here("via.rs: limit", "`Via::limit`: ", || drop(memory().limit((1 << 30) + 1))),
        panics_here("via.rs: window", "`Via::window`: the number of messages", || {
            drop(memory().window(0, 1))
        }),
        panics_here("via.rs: window", "`Via::window`: the number of bytes", || drop(memory().window(1, 0))),
        panics_here("via.rs: beat", "`Via::beat`: ", || drop(memory().beat(Duration::from_micros(999)))),
        panics_here("via.rs: backlog", "`Via::backlog`: ", || drop(memory().backlog(0))),
        panics_here("via.rs: sessions", "`Via::sessions`: ", || drop(memory().sessions(0))),
        panics_here("farm/workers.rs: tries", "`Workers::tries`: ", || {
            drop(Workers::<u8, u8>::listen(&via).map(|workers| workers.tries(0)))
        }),
        panics_here("farm/worker.rs: worker", "`worker`: ", || drop(worker(&memory(), 0, |item: u8| item))),
        panics_here("farm/worker.rs: try_worker", "`try_worker`: ", || {
            drop(try_worker(&memory(), 0, |item: u8| Ok::<u8, String>(item)))
        }),
    ];
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pipes-remote/src");
    let listed: BTreeSet<_> = tested.into_iter().chain(OTHERS).map(str::to_owned).collect();
    assert_eq!(documented_panics(&sources), listed, "a section `# Panics` has a test here, or a reason");
}
