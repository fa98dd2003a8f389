//! The loops over a set that blocks the thread.

use std::io;
use std::sync::Arc;

use super::Select;
use super::chosen::Chosen;
use super::heard::Heard;
use super::set::BlockingSet;
use super::window::Window;
use pipes_benches::executor::two_threads;
use pipes_benches::harness::Tally;
use pipes_benches::links::BlockingChan;

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("threads.rs");

/// Sends a message, receives it, and so on, in this thread.
pub fn ready<C, S>(select: &Select, (mut chans, mut set): (Vec<C>, S)) -> io::Result<Vec<Tally>>
where
    C: BlockingChan<u64>,
    S: BlockingSet,
{
    let mut heard = Heard::new(select);
    for (endpoint, value) in Chosen::new(select) {
        if chans[endpoint].send(value).is_err() {
            break;
        }
        let Some((endpoint, value)) = set.recv() else { break };
        heard.note(endpoint, value);
    }
    Ok(heard.0)
}

/// Runs the receiver in this thread, and the sender in another.
pub fn remote<C, S>(select: &Select, (chans, mut set): (Vec<C>, S)) -> io::Result<Vec<Tally>>
where
    C: BlockingChan<u64>,
    S: BlockingSet,
{
    let window = Arc::new(Window::default());
    let sender = sender(select, chans, &window);
    let receiver = || {
        let mut heard = Heard::new(select);
        for count in 1..=select.messages {
            let Some((endpoint, value)) = set.recv() else { break };
            heard.note(endpoint, value);
            window.received(count);
        }
        window.ended();
        heard.0
    };
    // The sender returns the chans, so they stay open until here.
    let (heard, _) = two_threads(receiver, sender)?;
    Ok(heard)
}

/// The sending thread's part, for any set of the receiver; returns the chans.
pub fn sender<C: BlockingChan<u64>>(
    select: &Select,
    mut chans: Vec<C>,
    window: &Arc<Window>,
) -> impl FnOnce() -> Vec<C> + Send + 'static {
    let (messages, window) = (Chosen::new(select), Arc::clone(window));
    move || {
        let mut seen = 0;
        for (sent, (endpoint, value)) in (0..).zip(messages) {
            window.wait_for_room(sent, &mut seen);
            // If a send fails, the verification finds what is missing.
            if chans[endpoint].send(value).is_err() {
                break;
            }
        }
        chans
    }
}
