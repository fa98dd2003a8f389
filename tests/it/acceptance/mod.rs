//! The tests of the 2012 `pipes` of Rust 0.5, and of its successor of 2013, as far as they show something
//! that no other test shows.
//!
//! Each file says which of the original programs it keeps. The others are elsewhere: what holds for every
//! kind of channel is in the table, what counts allocations is in `tests/memory`, and what must not compile
//! is in `tests/ui`. In particular:
//!
//! | original | where |
//! |---|---|
//! | `task-comm-0`, `-4`, `-5`, `-13`, `-15`, `trivial-message`, `issue-2930`, `oneshot_*` | `table` |
//! | `pipe-sleep`, `comm`, `issue-4446`, `issue-4448` | `table` |
//! | `task-comm-3`, `-6`, `-7`, `-9`, `-14`: sets | `table::members` |
//! | `task-comm-16`, `-chan-nil`, `unique-send`, `spawn-types` | `it::hostile_code::payload_layouts` |
//! | `sendable-class`, `capture_nil`, `ivec-tag` | `it::generated::payloads` |
//! | `issue-2718`, `issue-2834` | `hygiene::neighbours`, `generated::delegation`, `generated::printing` |
//! | `pipe-detect-term`, `pipe-peek`, `send-resource`, `task-comm-10`, `-11`, `hashmap-memory` | `table` |
//! | `pipe-select`, `select-macro`, `pipe-presentation-examples`, `task-perf-word-count-generic` | `it::selects` |
//! | `pipe-bank-proto`, `pipe-pingpong-*`: a whole session | the examples, `random` |
//! | `megapipe_stress`, `shootout-pfib` | `table::cloned_receivers`, `it::sets` |
//! | `issue-2766-a`, `bind-by-move-no-guards`, `unsendable-class` | `tests/ui` |
//! | `DuplexStream1`, `test_select2`, `recv_a_lot` | `it::duplex`, `table::selections`, `it::drops` |
//! | `std::future`, `send-type-inference`, `shared_chan_stress` | `it::eventuals`, `it::streams`, `stress` |
//! | `msgsend-ring-pipes`, `shootout-*` | the benchmark command, which checks their results |

mod bank;
mod failure;
mod pingpong;
mod sleeper;
mod successor;

use std::any::Any;

pub use self::sleeper::Sleeper;

/// Panics without a message on standard error.
fn die() -> ! {
    std::panic::resume_unwind(Box::new("on purpose"))
}

/// Returns `true` if the thread ended in [`die`].
fn died<T>(outcome: Result<T, Box<dyn Any + Send>>) -> bool {
    outcome.is_err_and(|panic| panic.downcast_ref() == Some(&"on purpose"))
}
