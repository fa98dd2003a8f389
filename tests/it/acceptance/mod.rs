//! The tests of the 2012 `pipes`, case by case.
//!
//! There is one file for each of the original programs, named after it. The file's header names the program
//! and says which parts of it are elsewhere: what counts allocations is among the tests of memory, and what
//! must not compile is among the programs of `tests/ui`.

mod bench_msgsend_ring;
mod bench_pingpong;
mod bench_word_count;
mod bind_by_move_no_guards;
mod issue_2718;
mod issue_2766_a;
mod issue_2834;
mod issue_2930;
mod issue_3168;
mod issue_3176;
mod library;
mod pipe_bank_proto;
mod pipe_detect_term;
mod pipe_manual;
mod pipe_peek;
mod pipe_pingpong_bounded;
mod pipe_pingpong_proto;
mod pipe_presentation_examples;
mod pipe_select;
mod pipe_select_macro;
mod pipe_sleep;
mod sleeper;
mod streams;
mod successor;
mod test_oneshot;

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
