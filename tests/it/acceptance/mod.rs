//! What the tests of the 2012 `pipes` asked for, case by case.
//!
//! One file for each of the original programs, named after it. The header says which one it was and what of it is not here.
//! What counts allocations is among the tests of memory, and what must not compile among the programs that do not.

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

/// A pipe whose server end is served by a thread of its own: `spawn_service` with a thread that can be watched and joined.
fn serve<P, T>(service: impl FnOnce(P::Server) -> T + Send + 'static) -> (P::Client, Sleeper<T>)
where
    P: Protocol<Server: Send + 'static>,
    T: Send + 'static,
{
    let (client, server) = P::pipe();
    (client, Sleeper::spawn(move || service(server)))
}

/// Ends the thread as a panic does, without a message on standard error.
fn die() -> ! {
    std::panic::resume_unwind(Box::new("on purpose"))
}

/// Did the thread [`die`]?
fn died<T>(outcome: Result<T, Box<dyn Any + Send>>) -> bool {
    outcome.is_err_and(|panic| panic.downcast_ref() == Some(&"on purpose"))
}
