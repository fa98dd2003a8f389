//! Senders of numbered messages, which share a queue or have one each.
//!
//! A message is one word, with the sender in its upper bits, and its number, from zero, in the lower ones.

use pipes_benches::links::{BlockingChan, Closed, TaskChan};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("senders.rs");

/// Messages that a sending task sends before it yields.
const RUN: u64 = 256;

/// The bits of a message that hold its number; the sender is above them. They are more than enough for the
/// most messages that a run may send.
const NUMBER_BITS: u32 = 40;

/// A sender's messages.
pub fn messages(sender: u64, share: u64) -> impl Iterator<Item = u64> {
    (0..share).map(move |number| sender << NUMBER_BITS | number)
}

/// The sender and the number of a message.
#[inline]
pub fn parts(message: u64) -> (usize, u64) {
    ((message >> NUMBER_BITS) as usize, message & ((1 << NUMBER_BITS) - 1))
}

/// Sends a sender's messages from a thread.
pub fn send_all<C: BlockingChan<u64>>(sender: u64, share: u64, mut chan: C) -> Result<(), Closed> {
    messages(sender, share).try_for_each(|message| chan.send(message))
}

/// Sends a sender's messages from a task.
pub async fn send_all_async<C: TaskChan<u64>>(sender: u64, share: u64, mut chan: C) -> Result<(), Closed> {
    for (sent, message) in (1..).zip(messages(sender, share)) {
        chan.send(message).await?;
        if sent % RUN == 0 {
            tokio::task::yield_now().await;
        }
    }
    Ok(())
}
