//! The sender and the receiver over any library's channel.

use std::io;

use super::Stream;
use pipes_benches::executor::{Executor, two_threads};
use pipes_benches::harness::Tally;
use pipes_benches::links::{BlockingChan, BlockingPort, TaskChan, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("links.rs")];

/// Messages that the sending task sends before it yields.
const RUN: u64 = 256;

/// Runs the receiver in this thread, and the sender in another.
pub fn on_threads<C, P>(stream: &Stream, (mut chan, mut port): (C, P)) -> io::Result<Tally>
where
    C: BlockingChan<u64>,
    P: BlockingPort<u64>,
{
    let messages = stream.messages;
    let receiver = move || {
        let mut tally = Tally::default();
        for due in 0..messages {
            let Ok(value) = port.recv() else { break };
            tally.note(value, due);
        }
        tally
    };
    let sender = move || (0..messages).try_for_each(|value| chan.send(value));
    // If a send fails, the verification finds what is missing.
    let (tally, _) = two_threads(receiver, sender)?;
    Ok(tally)
}

/// Runs the sender and the receiver as tasks.
pub fn on_tasks<C, P>(stream: &Stream, executor: &Executor, (mut chan, mut port): (C, P)) -> io::Result<Tally>
where
    C: TaskChan<u64>,
    P: TaskPort<u64>,
{
    let messages = stream.messages;
    let receiver = async move {
        let mut tally = Tally::default();
        for due in 0..messages {
            let Ok(value) = port.recv().await else { break };
            tally.note(value, due);
        }
        tally
    };
    let sender = async move {
        for value in 0..messages {
            if chan.send(value).await.is_err() {
                break;
            }
            if value % RUN == RUN - 1 {
                tokio::task::yield_now().await;
            }
        }
    };
    let (tally, ()) = executor.both(receiver, sender);
    Ok(tally)
}
