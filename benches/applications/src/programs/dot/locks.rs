//! Threads whose sums are added up behind a lock: taken once by each, or held by each while it computes.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

use super::pair::Pair;
use super::{Dot, Kernel, Ran, Setting, Vectors};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("locks.rs")];

/// The lock is taken once the sum has been computed.
pub fn once(dot: &Dot, at: &Setting<Vectors>) -> io::Result<Ran> {
    run(dot, at, |part, total| {
        let sum = part.sum();
        *total.lock().unwrap_or_else(PoisonError::into_inner) += sum;
    })
}

/// The trap: the lock is taken before the sum is computed.
pub fn held(dot: &Dot, at: &Setting<Vectors>) -> io::Result<Ran> {
    run(dot, at, |part, total| *total.lock().unwrap_or_else(PoisonError::into_inner) += part.sum())
}

fn run(dot: &Dot, at: &Setting<Vectors>, add: fn(&Pair<'_>, &Mutex<f64>)) -> io::Result<Ran> {
    let mut data = at.data();
    let parts = Dot::parts(&mut data, dot.scale.workers());
    let total = Mutex::new(0.0);
    for _ in 0..dot.scale.passes() {
        scope(|scope| -> io::Result<()> {
            for part in &parts[1..] {
                Builder::new().spawn_scoped(scope, || add(part, &total))?;
            }
            add(&parts[0], &total);
            Ok(())
        })?;
    }
    Ok(Ran::of(total.into_inner().unwrap_or_else(PoisonError::into_inner)))
}
