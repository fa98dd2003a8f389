//! A queue of chunks for each size, with a worker of its own that the others help, over any library's queues.

use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::thread;

use super::chunk::Chunk;
use super::counted::Counted;
use super::input::Input;
use super::table::{SIZES, Table};
use pipes_benches::executor::carried_on;
use pipes_benches::links::{BlockingChan, Closed};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("sizes.rs");

/// The end of a queue that all workers take from.
pub trait Taker: Clone + Send {
    /// Takes a chunk if one is waiting; `None` at the end of the queue.
    fn try_take(&mut self) -> Poll<Option<Arc<Chunk>>>;
    /// Takes a chunk, waiting for one if necessary.
    fn take(&mut self) -> Result<Arc<Chunk>, Closed>;
}

/// Chunks waiting to be counted for one size, and the index of the size.
type Queue<T> = (usize, T);

/// Counts with this many workers, and with the reader on this thread.
pub fn run<C, T>(input: &Input, workers: usize, queue: impl Fn() -> (C, T)) -> io::Result<Counted>
where
    C: BlockingChan<Arc<Chunk>>,
    T: Taker,
{
    let read = input.chunks()?;
    thread::scope(|scope| {
        // The sizes that take longest come first.
        let queue = |which| {
            let (chan, taker) = queue();
            (chan, (which, taker))
        };
        let (mut chans, mut queues): (Vec<_>, Vec<Queue<T>>) = (0..SIZES.len()).rev().map(queue).unzip();
        let worker = |_| {
            let own = queues.clone();
            // The next worker begins with the next size, so that each of the large tables has one worker, and
            // is in one cache.
            queues.rotate_left(1);
            scope.spawn(|| count(own))
        };
        let workers: Vec<_> = (0..workers).map(worker).collect();
        for chunk in read {
            let chunk = Arc::new(chunk?);
            let sent = chans.iter_mut().try_for_each(|chan| chan.send(chunk.clone()));
            sent.map_err(|Closed| io::Error::other("the workers have gone"))?;
        }
        drop(chans);
        Ok(Counted::together(workers.into_iter().map(|worker| carried_on(worker.join()))))
    })
}

/// Counts waiting chunks, from the first queue that has any.
fn count<T: Taker>(mut queues: Vec<Queue<T>>) -> Vec<Table> {
    let mut tables = Table::all();
    while let Some((which, chunk)) = next(&mut queues) {
        tables[which].count(&chunk);
    }
    tables
}

/// The next chunk, and the index of the size to count; `None` when all queues have ended.
fn next<T: Taker>(queues: &mut Vec<Queue<T>>) -> Option<(usize, Arc<Chunk>)> {
    loop {
        let mut place = 0;
        while let Some((which, taker)) = queues.get_mut(place) {
            match taker.try_take() {
                Poll::Ready(Some(chunk)) => return Some((*which, chunk)),
                Poll::Ready(None) => drop(queues.remove(place)),
                Poll::Pending => place += 1,
            }
        }
        let (which, taker) = queues.first_mut()?;
        if let Ok(chunk) = taker.take() {
            return Some((*which, chunk));
        }
    }
}
