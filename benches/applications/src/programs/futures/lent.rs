//! Slices of the result are lent to workers that are started for each map; a oneshot reports that a slice has
//! been written.

use std::io;
use std::thread::{Builder, scope};

use pipes::{ChanOne, oneshot, stream};

use super::slices::{self, length, map_to};
use super::{Futures, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("lent.rs")];

/// A slice, the place for its result, and the chan that reports that the result has been written.
struct Job<'a> {
    slice: &'a [u32],
    place: &'a mut [u32],
    done: ChanOne<()>,
}

impl Job<'_> {
    /// Maps the slice, and reports it. A caller that has closed no longer needs the result.
    fn run(self) {
        map_to(self.slice, self.place);
        let _ = self.done.send(());
    }
}

/// Makes one map after another.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    futures.each(|| {
        let mut mapped = vec![0; at.elements.len()];
        map(&at.elements, &mut mapped, futures.workers())?;
        Ok(mapped)
    })
}

/// Makes one map. All slices are queued before the workers start, so each worker takes slices until the queue
/// is empty.
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
    let port = port.into_shared();
    scope(|scope| {
        for _ in 1..workers.min(awaited.len()) {
            let port = port.clone();
            Builder::new().spawn_scoped(scope, move || port.iter().for_each(Job::run))?;
        }
        port.iter().for_each(Job::run);
        awaited.into_iter().try_for_each(|future| future.recv().map_err(io::Error::other))
    })
}
