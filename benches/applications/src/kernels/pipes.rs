//! Scoped threads that live for all passes, each with a pipe through which it is lent a part and gives it
//! back.

use std::io;
use std::thread::{Builder, scope};

use super::{Kernel, Part, Ran, Setting, gone};
use lending::{Busy, Idle, Server};

pipes::proto! {
    /// A part is lent and comes back with its result, repeatedly.
    lending<T> {
        idle: send {
            lend(T) -> busy,
        }
        busy: recv {
            back(T, f64) -> idle,
        }
    }
}

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// Runs all passes. Between two passes all parts are back here, as the protocol requires.
pub fn run<K: Kernel>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    let mut data = at.data();
    let mut parts = K::parts(&mut data, kernel.scale().workers());
    let mut mine = parts.swap_remove(0);
    scope(|scope| {
        let mut workers = Vec::with_capacity(parts.len());
        for part in parts {
            let (client, server) = lending::pipe();
            Builder::new().spawn_scoped(scope, move || serve(server))?;
            workers.push((client, part));
        }
        let mut busy = Vec::with_capacity(workers.len());
        let mut total = 0.0;
        for _ in 0..kernel.scale().passes() {
            for (client, part) in workers.drain(..) {
                busy.push(client.lend(part).map_err(|_| gone())?);
            }
            total += mine.work();
            for client in busy.drain(..) {
                let Busy::Back(part, sum, client) = client.recv().map_err(|_| gone())?;
                total += sum;
                workers.push((client, part));
            }
        }
        Ok(Ran::of(total))
    })
}

/// Works on each part that is lent, until the other side closes.
fn serve<P: Part>(mut server: Server<Idle<P>>) {
    while let Ok(Idle::Lend(mut part, busy)) = server.recv() {
        let sum = part.work();
        let Ok(idle) = busy.back(part, sum) else { return };
        server = idle;
    }
}
