//! Does one operation of the library many times, for `ci/counts.sh`, which counts its instructions.
//!
//! `counts` prints the names of all operations. `counts NAME` does this one and prints how often. The script
//! counts what runs inside of [`counted`] and nothing else, so an operation may prepare and clean up around
//! it.

mod channels;
mod protocol;
mod waiting;

use std::env;
use std::process::ExitCode;

/// An operation: its name, and what does it and returns how often it was done.
type Operation = (&'static str, fn() -> u64);

const OPERATIONS: [Operation; 26] = [
    ("oneshot-create", channels::oneshot_create),
    ("oneshot-message", channels::oneshot_message),
    ("stream-create", channels::stream_create),
    ("stream-send", channels::stream_send),
    ("stream-receive", channels::stream_receive),
    ("stream-send-all", channels::stream_send_all),
    ("stream-recv-many", channels::stream_recv_many),
    ("bounded-create", channels::bounded_create),
    ("bounded-send", channels::bounded_send),
    ("bounded-receive", channels::bounded_receive),
    ("shared-create", channels::shared_create),
    ("shared-send", channels::shared_send),
    ("shared-receive", channels::shared_receive),
    ("shared-bounded-send", channels::shared_bounded_send),
    ("shared-bounded-receive", channels::shared_bounded_receive),
    ("shared-port-receive", channels::shared_port_receive),
    ("shared-port-claim", channels::shared_port_claim),
    ("register", waiting::register),
    ("wake", waiting::wake),
    ("receive-after-wake", waiting::receive_after_wake),
    ("select", waiting::select),
    ("set-send", waiting::set_send),
    ("set-receive", waiting::set_receive),
    ("session-create", protocol::session_create),
    ("session-send", protocol::session_send),
    ("session-receive", protocol::session_receive),
];

/// How often an operation is done. This is enough for a mean where one operation in hundreds costs more, such
/// as the send that needs another block.
const TIMES: u64 = 10_000;

/// Runs the operation. Instructions are counted between the call of this function and its return, so it must
/// remain a function of this name.
#[inline(never)]
fn counted<R>(operation: impl FnOnce() -> R) -> R {
    operation()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => OPERATIONS.iter().for_each(|(name, _)| println!("{name}")),
        [wanted] => match OPERATIONS.iter().find(|(name, _)| name == wanted) {
            Some((_, operation)) => println!("{}", operation()),
            None => {
                eprintln!("counts: there is no operation `{wanted}`; without arguments, all are listed");
                return ExitCode::from(2);
            }
        },
        _ => {
            eprintln!("usage: counts [NAME]");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
