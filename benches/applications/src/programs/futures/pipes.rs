//! A oneshot for each slice; workers that live for all maps take the slices from one port.

use std::collections::VecDeque;
use std::io;
use std::thread::{Builder, scope};

use pipes::{ChanOne, PortOne, SharedPort, TryRecvError, oneshot, stream};

use super::slices::{self, map_behind};
use super::{Futures, Setting};
use crate::kernels::gone;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// A slice, a buffer for its result, and the chan that returns the result.
struct Job<'a> {
    slice: &'a [u32],
    room: Vec<u32>,
    done: ChanOne<Vec<u32>>,
}

impl Job<'_> {
    /// Maps the slice, and sends the result. A caller that has closed no longer needs it.
    fn run(mut self) {
        map_behind(self.slice, &mut self.room);
        let _ = self.done.send(self.room);
    }
}

/// The number of slices per worker in flight: few, so that their results are joined while they are in the
/// caches.
const WINDOW: usize = 2;

/// Makes all maps. The caller joins the results in order; while the next result is missing, it takes slices,
/// too.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    let window = WINDOW * futures.workers();
    scope(|scope| {
        let (mut chan, port) = stream::<Job<'_>>();
        let port = port.into_shared();
        for _ in 1..futures.workers() {
            let port = port.clone();
            Builder::new().spawn_scoped(scope, move || port.iter().for_each(Job::run))?;
        }
        let mut rooms: Vec<Vec<u32>> = Vec::new();
        let mut awaited = VecDeque::with_capacity(window);
        futures.each(|| {
            let mut slices = slices::of(&at.elements);
            let mut mapped = Vec::with_capacity(at.elements.len());
            loop {
                for slice in slices.by_ref().take(window - awaited.len()) {
                    let (done, future) = oneshot();
                    let room = rooms.pop().unwrap_or_else(|| Vec::with_capacity(slice.len()));
                    chan.send(Job { slice, room, done }).map_err(|_| gone())?;
                    awaited.push_back(future);
                }
                let Some(future) = awaited.pop_front() else { return Ok(mapped) };
                let mut part = wait(future, &port)?;
                mapped.append(&mut part);
                rooms.push(part);
            }
        })
    })
}

/// Waits for the result of a slice. Until it arrives, works on other slices, or on this one if no worker has
/// begun it.
fn wait(mut future: PortOne<Vec<u32>>, port: &SharedPort<Job<'_>>) -> io::Result<Vec<u32>> {
    loop {
        future = match future.try_recv() {
            Ok(part) => return Ok(part),
            Err(TryRecvError::Empty(future)) => future,
            Err(TryRecvError::Closed) => return Err(gone()),
        };
        match port.try_recv() {
            Ok(job) => job.run(),
            Err(_) => return future.recv().map_err(|_| gone()),
        }
    }
}
