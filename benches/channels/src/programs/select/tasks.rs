//! The loops over a set that suspends the task, each loop in one future.

use std::io;
use std::sync::Arc;

use futures::executor::block_on;

use super::Select;
use super::chosen::Chosen;
use super::heard::Heard;
use super::set::TaskSet;
use super::threads::sender;
use super::window::Window;
use pipes_benches::executor::two_threads;
use pipes_benches::harness::Tally;
use pipes_benches::links::BlockingChan;

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("tasks.rs");

/// Sends a message, receives it, and so on, in this thread.
pub fn ready<C, S>(select: &Select, (mut chans, mut set): (Vec<C>, S)) -> io::Result<Vec<Tally>>
where
    C: BlockingChan<u64>,
    S: TaskSet,
{
    let mut heard = Heard::new(select);
    block_on(async {
        for (endpoint, value) in Chosen::new(select) {
            if chans[endpoint].send(value).is_err() {
                break;
            }
            let Some((endpoint, value)) = set.recv().await else { break };
            heard.note(endpoint, value);
        }
    });
    Ok(heard.0)
}

/// Runs the receiver in this thread, and the sender in another.
pub fn remote<C, S>(select: &Select, (chans, mut set): (Vec<C>, S)) -> io::Result<Vec<Tally>>
where
    C: BlockingChan<u64>,
    S: TaskSet,
{
    let window = Arc::new(Window::default());
    let sender = sender(select, chans, &window);
    let receiver = || {
        let mut heard = Heard::new(select);
        block_on(async {
            for count in 1..=select.messages {
                let Some((endpoint, value)) = set.recv().await else { break };
                heard.note(endpoint, value);
                window.received(count);
            }
        });
        window.ended();
        heard.0
    };
    // The sender returns the chans, so they stay open until here.
    let (heard, _) = two_threads(receiver, sender)?;
    Ok(heard)
}
