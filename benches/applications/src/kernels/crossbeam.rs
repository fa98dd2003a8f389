//! Scoped threads that live for all passes; parts travel in both directions through channels of
//! `crossbeam-channel`.

use std::io;
use std::thread::{Builder, scope};

use crossbeam_channel::bounded;

use super::{Kernel, Part, Ran, Setting, gone};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("crossbeam.rs")];

/// Runs all passes. Each thread has one channel in each direction, with room for one part.
pub fn run<K: Kernel>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    let mut data = at.data();
    let mut parts = K::parts(&mut data, kernel.scale().workers());
    let mut mine = parts.swap_remove(0);
    scope(|scope| {
        let mut workers = Vec::with_capacity(parts.len());
        for part in parts {
            let (to_worker, tasks) = bounded::<K::Part<'_>>(1);
            let (to_caller, done) = bounded(1);
            let serve = move || {
                for mut part in tasks {
                    let sum = part.work();
                    if to_caller.send((part, sum)).is_err() {
                        break;
                    }
                }
            };
            Builder::new().spawn_scoped(scope, serve)?;
            workers.push((to_worker, done, Some(part)));
        }
        let mut total = 0.0;
        for _ in 0..kernel.scale().passes() {
            for (to_worker, _, part) in &mut workers {
                part.take().map_or(Ok(()), |part| to_worker.send(part)).map_err(|_| gone())?;
            }
            total += mine.work();
            for (_, done, part) in &mut workers {
                let (back, sum) = done.recv().map_err(|_| gone())?;
                total += sum;
                *part = Some(back);
            }
        }
        Ok(Ran::of(total))
    })
}
