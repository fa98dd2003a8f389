//! The sender and the receiver in batches, over the channels that can send or receive several values at once.

use std::io;

use crossbeam_utils::Backoff;
use tokio::sync::mpsc as tokio_mpsc;

use super::Stream;
use pipes_benches::executor::two_threads;
use pipes_benches::harness::Tally;
use pipes_benches::links::{BlockingChan, BlockingPort};

/// The sources of a contender with batches, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("links.rs"), include_str!("batches.rs")];

/// A chan that sends all values of a vector. It returns `false` if the port has closed.
pub trait BatchChan: BlockingChan<u64> {
    /// By default, it sends them one by one.
    fn send_batch(&mut self, values: &mut Vec<u64>) -> bool {
        values.drain(..).all(|value| self.send(value).is_ok())
    }
}

/// A port that appends the values that are there, at least one. It returns `false` if the chan has closed.
pub trait BatchPort: BlockingPort<u64> {
    fn recv_batch(&mut self, into: &mut Vec<u64>, limit: usize) -> bool;
}

impl BatchChan for pipes::Chan<u64> {
    fn send_batch(&mut self, values: &mut Vec<u64>) -> bool {
        self.send_all(values).is_ok()
    }
}

impl BatchPort for pipes::Port<u64> {
    fn recv_batch(&mut self, into: &mut Vec<u64>, limit: usize) -> bool {
        self.recv_many(into, limit).is_ok()
    }
}

impl BatchChan for kanal::Sender<u64> {}

impl BatchPort for kanal::Receiver<u64> {
    fn recv_batch(&mut self, into: &mut Vec<u64>, _: usize) -> bool {
        let first = self.recv().map(|value| into.push(value));
        first.is_ok() && self.drain_into(into).is_ok()
    }
}

impl BatchChan for tokio_mpsc::UnboundedSender<u64> {}

impl BatchPort for tokio_mpsc::UnboundedReceiver<u64> {
    fn recv_batch(&mut self, into: &mut Vec<u64>, limit: usize) -> bool {
        self.blocking_recv_many(into, limit) > 0
    }
}

impl BatchChan for tokio_mpsc::Sender<u64> {}

impl BatchPort for tokio_mpsc::Receiver<u64> {
    fn recv_batch(&mut self, into: &mut Vec<u64>, limit: usize) -> bool {
        self.blocking_recv_many(into, limit) > 0
    }
}

impl BatchChan for rtrb::Producer<u64> {
    fn send_batch(&mut self, values: &mut Vec<u64>) -> bool {
        let mut values = values.drain(..);
        let backoff = Backoff::new();
        while values.len() > 0 {
            match self.slots().min(values.len()) {
                0 if self.is_abandoned() => return false,
                0 => backoff.snooze(),
                room => {
                    let chunk = self.write_chunk_uninit(room).expect("there is room");
                    chunk.fill_from_iter(values.by_ref());
                }
            }
        }
        true
    }
}

impl BatchPort for rtrb::Consumer<u64> {
    fn recv_batch(&mut self, into: &mut Vec<u64>, limit: usize) -> bool {
        // Waits for the first one.
        let Ok(first) = self.recv() else { return false };
        into.push(first);
        if let Ok(chunk) = self.read_chunk(self.slots().min(limit - 1)) {
            into.extend(chunk);
        }
        true
    }
}

/// Runs the receiver in this thread, and the sender in another.
pub fn in_batches<C: BatchChan, P: BatchPort>(
    messages: u64,
    batch: usize,
    (mut chan, mut port): (C, P),
) -> io::Result<Tally> {
    let receiver = move || {
        let (mut tally, mut values) = (Tally::default(), Vec::with_capacity(batch));
        let mut due = 0..messages;
        while port.recv_batch(&mut values, batch) {
            // More values than were sent would be counted against the last number.
            values.drain(..).for_each(|value| tally.note(value, due.next().unwrap_or(messages)));
        }
        tally
    };
    let sender = move || {
        let mut values = Vec::with_capacity(batch);
        let mut rest = 0..messages;
        while !rest.is_empty() {
            values.extend(rest.by_ref().take(batch));
            if !chan.send_batch(&mut values) {
                break;
            }
        }
    };
    let (tally, ()) = two_threads(receiver, sender)?;
    Ok(tally)
}

/// Runs it in the form that the options ask for.
pub fn singly_or_in_batches<C: BatchChan, P: BatchPort>(stream: &Stream, ends: (C, P)) -> io::Result<Tally> {
    match stream.batch {
        Some(batch) => in_batches(stream.messages, batch as usize, ends),
        None => super::links::on_threads(stream, ends),
    }
}
