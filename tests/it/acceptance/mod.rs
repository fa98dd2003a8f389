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
//! | `issue-2766-a`, `bind-by-move-no-guards`, `unsendable-class` | `tests/ui` |
//! | `DuplexStream1`, `test_select2`, `recv_a_lot` | `it::duplex`, `table::selections`, `it::drops` |
//! | `std::future`, `send-type-inference`, `shared_chan_stress` | `it::eventuals`, `it::streams`, `stress` |
//! | `msgsend-ring-pipes`, `shootout-*` | the benchmark command, which checks their results |

mod bank;
mod double_buffer;
mod failure;
mod oneshots;
mod pingpong;
mod selects;
mod sets;
mod sleeper;
mod streams;
mod successor;
mod wait_queue;
mod word_count;

use pipes::Protocol;
use std::any::Any;

pub use self::sleeper::Sleeper;

/// A pipe whose server end is served by a thread of its own. Like `spawn_service`, but the caller can see the
/// thread sleep, and can join it.
fn serve<P, T>(service: impl FnOnce(P::Server) -> T + Send + 'static) -> (P::Client, Sleeper<T>)
where
    P: Protocol<Server: Send + 'static>,
    T: Send + 'static,
{
    let (client, server) = P::pipe();
    (client, Sleeper::spawn(move || service(server)))
}

/// Panics without a message on standard error.
fn die() -> ! {
    std::panic::resume_unwind(Box::new("on purpose"))
}

/// Returns `true` if the thread ended in [`die`].
fn died<T>(outcome: Result<T, Box<dyn Any + Send>>) -> bool {
    outcome.is_err_and(|panic| panic.downcast_ref() == Some(&"on purpose"))
}
