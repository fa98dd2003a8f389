//! Slices of the result are lent to workers that are started for each map; a oneshot says of each that it is written.

use std::io;
use std::thread::{Builder, scope};

use pipes::{ChanOne, oneshot, stream};

use super::slices::{self, length, map_to};
use super::{Futures, Setting};

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("lent.rs")];

/// A slice, the place for what is made of it, and where that is awaited.
struct Job<'a> {
    slice: &'a [u32],
    place: &'a mut [u32],
    done: ChanOne<()>,
}

impl Job<'_> {
    /// A caller that has gone does not want it any more.
    fn run(self) {
        map_to(self.slice, self.place);
        let _ = self.done.send(());
    }
}

/// Map after map.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    futures.each(|| {
        let mut mapped = vec![0; at.elements.len()];
        map(&at.elements, &mut mapped, futures.workers())?;
        Ok(mapped)
    })
}

/// All slices wait before the workers are there, so each takes one after the other until there is none left.
fn map(elements: &[u32], mapped: &mut [u32], workers: usize) -> io::Result<()> {
    let (mut chan, port) = stream();
    let places = mapped.chunks_mut(length(elements.len()));
    let mut awaited = Vec::with_capacity(places.len());
    for (slice, place) in slices::of(elements).zip(places) {
        let (done, future) = oneshot();
        chan.send(Job { slice, place, done }).map_err(|_| io::Error::other("the port has gone"))?;
        awaited.push(future);
    }
    drop(chan);
    let mut port = port.into_shared();
    scope(|scope| {
        for _ in 1..workers.min(awaited.len()) {
            let mut port = port.clone();
            Builder::new().spawn_scoped(scope, move || port.iter().for_each(Job::run))?;
        }
        port.iter().for_each(Job::run);
        awaited.into_iter().try_for_each(|future| future.recv().map_err(io::Error::other))
    })
}
