//! The senders and the receiver over any library's channels.

use std::io;

use super::Fanin;
use crate::merge::{BlockingMerge, TaskMerge};
use crate::senders::{parts, send_all, send_all_async};
use pipes_benches::executor::{Executor, Tasks, Threads};
use pipes_benches::harness::Tally;
use pipes_benches::links::{BlockingChan, TaskChan};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("links.rs");

/// Records a message in its sender's tally.
#[inline]
fn note(tallies: &mut [Tally], message: u64) {
    let (sender, number) = parts(message);
    // If a message names a wrong sender, the verification finds it missing elsewhere.
    if let Some(tally) = tallies.get_mut(sender) {
        tally.note_multiple(number, 1);
    }
}

/// Runs the receiver in this thread, and each sender in another.
pub fn on_threads<C, M>(fanin: &Fanin, (chans, merge): (Vec<C>, M)) -> io::Result<Vec<Tally>>
where
    C: BlockingChan<u64>,
    M: BlockingMerge<u64>,
{
    let mut senders = Threads::with_capacity(chans.len());
    for (sender, chan) in (0..).zip(chans) {
        let share = fanin.share(sender);
        senders.start(move || send_all(sender, share, chan))?;
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
            (0..).zip(chans).zip(shares).map(|((sender, chan), share)| send_all_async(sender, share, chan));
        // If a send fails, the verification finds what is missing.
        Tasks::start(senders).join().await;
    };
    let (tallies, ()) = executor.both(receiver, senders);
    Ok(tallies)
}
