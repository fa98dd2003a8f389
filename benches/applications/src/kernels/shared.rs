//! Scoped threads that live for all passes and take lent parts from one port; each part comes back through a
//! oneshot.
//!
//! Once the caller has lent all parts, it takes parts too, so it waits only for those that a worker has
//! begun.

use std::io;
use std::thread::{Builder, scope};

use pipes::{ChanOne, oneshot, stream};

use super::{Kernel, Part, Ran, Setting, gone};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("shared.rs")];

/// Parts per worker: with several, other workers take the parts that a slow worker has not begun.
const PARTS: usize = 2;

/// A lent part, and the chan that returns it with its result.
struct Job<P> {
    part: P,
    back: ChanOne<(P, f64)>,
}

impl<P: Part> Job<P> {
    /// Works on the part, and sends it back. A caller that has closed no longer needs it.
    fn run(mut self) {
        let sum = self.part.work();
        let _ = self.back.send((self.part, sum));
    }
}

/// Runs all passes. Between two passes all parts are back here.
pub fn run<K: Kernel>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    let mut data = at.data();
    let mut parts = K::parts(&mut data, PARTS * kernel.scale().workers());
    scope(|scope| {
        let (mut chan, port) = stream::<Job<K::Part<'_>>>();
        let port = port.into_shared();
        for _ in 1..kernel.scale().workers().min(parts.len()) {
            let port = port.clone();
            Builder::new().spawn_scoped(scope, move || port.iter().for_each(Job::run))?;
        }
        let mut lent = Vec::with_capacity(parts.len());
        let mut total = 0.0;
        for _ in 0..kernel.scale().passes() {
            for part in parts.drain(..) {
                let (back, awaited) = oneshot();
                chan.send(Job { part, back }).map_err(|_| gone())?;
                lent.push(awaited);
            }
            while let Ok(job) = port.try_recv() {
                job.run();
            }
            for awaited in lent.drain(..) {
                let (part, sum) = awaited.recv().map_err(|_| gone())?;
                total += sum;
                parts.push(part);
            }
        }
        Ok(Ran::of(total))
    })
}
