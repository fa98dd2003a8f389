//! The queues of our contender, one for each size, over channels of `crossbeam-channel`.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, TryRecvError, unbounded};

use super::chunk::Chunk;
use super::counted::Counted;
use super::table::{SIZES, Table};
use super::{KNucleotide, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("crossbeam_sizes.rs")];

/// Chunks that wait to be counted for one size, and the size's place among all.
type Queue = (usize, Receiver<Arc<Chunk>>);

/// The reader is this thread.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let read = at.input.chunks()?;
    thread::scope(|scope| {
        let queue = |which| {
            let (chan, port) = unbounded();
            (chan, (which, port))
        };
        let (chans, mut queues): (Vec<_>, Vec<Queue>) = (0..SIZES.len()).rev().map(queue).unzip();
        let worker = |_| {
            let own = queues.clone();
            queues.rotate_left(1);
            scope.spawn(|| count(own))
        };
        let workers: Vec<_> = (0..program.workers).map(worker).collect();
        for chunk in read {
            let chunk = Arc::new(chunk?);
            chans.iter().try_for_each(|chan| chan.send(chunk.clone())).map_err(io::Error::other)?;
        }
        drop(chans);
        let tables =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        Ok(Counted::together(tables))
    })
}

/// Counts what waits, from the first queue where something does.
fn count(mut queues: Vec<Queue>) -> Vec<Table> {
    let mut tables = Table::all();
    while let Some((which, chunk)) = next(&mut queues) {
        tables[which].count(&chunk);
    }
    tables
}

/// The next chunk, and for which size; none when all queues are at their end.
fn next(queues: &mut Vec<Queue>) -> Option<(usize, Arc<Chunk>)> {
    loop {
        let mut place = 0;
        while let Some((which, port)) = queues.get(place) {
            match port.try_recv() {
                Ok(chunk) => return Some((*which, chunk)),
                Err(TryRecvError::Empty) => place += 1,
                Err(TryRecvError::Disconnected) => drop(queues.remove(place)),
            }
        }
        let (which, port) = queues.first()?;
        if let Ok(chunk) = port.recv() {
            return Some((*which, chunk));
        }
    }
}
