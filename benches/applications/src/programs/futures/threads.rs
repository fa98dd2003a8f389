//! Scoped threads of the standard library, started for each map: one for each worker, or one for each slice.

use std::io;
use std::thread::{Builder, scope};

use super::slices::{self, LEAST, map_behind, map_to};
use super::{Futures, Setting};
use pipes_benches::executor::carried_on;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("threads.rs")];

/// Makes all maps with a thread for each worker, which writes its part of the result in place.
pub fn run(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    let size = at.elements.len();
    let length = size.div_ceil(futures.workers()).max(LEAST);
    futures.each(|| {
        let mut mapped = vec![0; size];
        let mut parts = at.elements.chunks(length).zip(mapped.chunks_mut(length));
        let first = parts.next();
        scope(|scope| {
            for (elements, mapped) in parts {
                Builder::new().spawn_scoped(scope, || map_to(elements, mapped))?;
            }
            first.into_iter().for_each(|(elements, mapped)| map_to(elements, mapped));
            Ok::<_, io::Error>(())
        })?;
        Ok(mapped)
    })
}

/// Makes all maps with a thread for each slice, which creates a vector of its own; the vectors are joined.
pub fn each(futures: &Futures, at: &Setting) -> io::Result<Vec<u32>> {
    let made = |slice: &[u32]| {
        let mut mapped = Vec::with_capacity(slice.len());
        map_behind(slice, &mut mapped);
        mapped
    };
    futures.each(|| {
        if at.elements.len() < LEAST {
            return Ok(made(&at.elements));
        }
        scope(|scope| {
            let mut threads = Vec::with_capacity(slices::MOST);
            for slice in slices::of(&at.elements) {
                threads.push(Builder::new().spawn_scoped(scope, move || made(slice))?);
            }
            let mut mapped = Vec::with_capacity(at.elements.len());
            threads.into_iter().for_each(|thread| mapped.append(&mut carried_on(thread.join())));
            Ok(mapped)
        })
    })
}
