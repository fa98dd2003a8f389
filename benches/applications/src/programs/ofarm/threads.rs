//! A thread for the source and for each worker, with channels of `crossbeam-channel` between them.

use std::{io, thread};

use crossbeam_channel::bounded;

use super::work::Sink;
use super::{Ofarm, Setting};
use crate::streams::WINDOW;
use crate::streams::reorder::{self, Reorder};

/// The source of this file and of the buffer where items wait, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("threads.rs"), reorder::SOURCE];

/// Runs the program, with the sink on this thread.
pub fn run(farm: &Ofarm, at: &Setting) -> io::Result<Sink> {
    Ok(thread::scope(|scope| {
        let (chan, numbers) = bounded(WINDOW);
        scope.spawn(move || (0..farm.items()).try_for_each(|number| chan.send(number)));
        let (chan, done) = bounded(WINDOW);
        for _ in 0..farm.workers() {
            let (numbers, chan) = (numbers.clone(), chan.clone());
            scope.spawn(move || numbers.into_iter().try_for_each(|number| chan.send(at.work.on(number))));
        }
        // From here on only the workers hold chans, so `done` ends when they have ended.
        drop(chan);
        let (mut sink, mut order) = (Sink::default(), Reorder::new());
        for item in done {
            order.put(item.number(), item).for_each(|item| sink.take(item));
        }
        sink
    }))
}
