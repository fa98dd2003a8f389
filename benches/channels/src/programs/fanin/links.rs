//! The senders and the receiver over any library's channels.

use std::io;

use super::Fanin;
use crate::merge::{BlockingMerge, TaskMerge};
use pipes_benches::executor::{Executor, Tasks, Threads};
use pipes_benches::harness::Tally;
use pipes_benches::links::{BlockingChan, Closed, TaskChan};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("links.rs");

/// Messages that a sending task sends before it yields.
const RUN: u64 = 256;

/// The bits of a message that hold its number; the sender is above them. They are more than enough for the
/// most messages that a run may send.
const NUMBER_BITS: u32 = 40;

/// A sender's messages.
fn messages(sender: u64, share: u64) -> impl Iterator<Item = u64> {
    (0..share).map(move |number| sender << NUMBER_BITS | number)
}

/// Records a message in its sender's tally.
#[inline]
fn note(tallies: &mut [Tally], message: u64) {
    // If a message names a wrong sender, the verification finds it missing elsewhere.
    if let Some(tally) = tallies.get_mut((message >> NUMBER_BITS) as usize) {
        tally.note_multiple(message & ((1 << NUMBER_BITS) - 1), 1);
    }
}

/// Runs the receiver in this thread, and each sender in another.
pub fn on_threads<C, M>(fanin: &Fanin, (chans, merge): (Vec<C>, M)) -> io::Result<Vec<Tally>>
where
    C: BlockingChan<u64>,
    M: BlockingMerge<u64>,
{
    let mut senders = Threads::with_capacity(chans.len());
    for (sender, mut chan) in (0..).zip(chans) {
        let share = fanin.share(sender);
        senders.start(move || messages(sender, share).try_for_each(|message| chan.send(message)))?;
    }
    let mut tallies = vec![Tally::default(); fanin.senders as usize];
    merge.take_all(|message| note(&mut tallies, message));
    // If a send fails, the verification finds what is missing.
    senders.join().for_each(drop);
    Ok(tallies)
}

/// Runs the receiver and each sender as tasks.
pub fn on_tasks<C, M>(
    fanin: &Fanin,
    executor: &Executor,
    (chans, merge): (Vec<C>, M),
) -> io::Result<Vec<Tally>>
where
    C: TaskChan<u64>,
    M: TaskMerge<u64>,
{
    let mut tallies = vec![Tally::default(); fanin.senders as usize];
    let receiver = async move {
        merge.take_all(|message| note(&mut tallies, message)).await;
        tallies
    };
    let shares: Vec<_> = (0..fanin.senders).map(|sender| fanin.share(sender)).collect();
    let senders = async move {
        let senders =
            (0..).zip(chans).zip(shares).map(|((sender, chan), share)| send_task(sender, share, chan));
        // If a send fails, the verification finds what is missing.
        Tasks::start(senders).join().await;
    };
    let (tallies, ()) = executor.both(receiver, senders);
    Ok(tallies)
}

async fn send_task<C: TaskChan<u64>>(sender: u64, share: u64, mut chan: C) -> Result<(), Closed> {
    for (sent, message) in (1..).zip(messages(sender, share)) {
        chan.send(message).await?;
        if sent % RUN == 0 {
            tokio::task::yield_now().await;
        }
    }
    Ok(())
}
